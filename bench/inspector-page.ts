/** What happens in the page: times to a first row, input delay, long tasks and the heap. Runs in a real Chromium. */
import type { CDPSession, Page } from '@playwright/test';
import { quantile, rounded } from './load-phase.ts';

const ROW = '[role="grid"] [role="row"]:not([aria-busy="true"])';

/** What the page writes to its console once its first rows are drawn. */
const ROWS_DRAWN = 'the first rows are drawn';

/**
 * Runs in the page before its scripts: notes when the frame with the first rows was drawn, and says so once the browser
 * has told when it showed its first content, which may be the same frame.
 */
function noteRows({ selector, words }: { selector: string; words: string }): void {
  const painted = new Promise<void>((resolve) => {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
    }).observe({ type: 'paint', buffered: true });
  });
  const rows = new MutationObserver(() => {
    if (document.querySelectorAll(selector).length <= 5) return;
    rows.disconnect();
    requestAnimationFrame(() =>
      setTimeout(() => {
        performance.mark('rows');
        void painted.then(() => console.debug(words));
      }),
    );
  });
  rows.observe(document, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
}

export const watchStart = (page: Page): Promise<unknown> =>
  page.addInitScript(noteRows, { selector: ROW, words: ROWS_DRAWN });

/** In the page's own clock, from the start of the navigation, in milliseconds. */
export interface FirstScreen {
  /** The first script is there. */
  readonly script: number;
  /** Something is drawn. */
  readonly paint: number;
  /** The frame with the first rows is drawn. When it has the first content, `paint` is when it came on the screen. */
  readonly rows: number;
}

/** The page must be watched ({@link watchStart}). */
export async function firstScreen(page: Page, url: string): Promise<FirstScreen> {
  await page.goto('about:blank');
  // Playwright's waitForFunction would run a script in the page: in a trace it took 20 ms of the page's start.
  const drawn = page.waitForEvent('console', (message) => message.text() === ROWS_DRAWN);
  await page.goto(url, { waitUntil: 'commit' });
  await drawn;
  const { script, paint, rows } = await page.evaluate(() => {
    const entries = (name: string) => performance.getEntriesByName(name);
    return {
      script: (entries(document.scripts[0]?.src ?? '')[0] as PerformanceResourceTiming).responseEnd,
      paint: entries('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      rows: entries('rows')[0]?.startTime ?? Number.NaN,
    };
  });
  return { script: rounded(script, 0), paint: rounded(paint, 0), rows: rounded(rows, 0) };
}

/** In the page: resolves with milliseconds from the last key of the filter. */
interface Typing {
  took: Promise<number>;
}

/**
 * Types a filter into the empty field and returns what the page measured. It uses the keyboard alone, and no script runs
 * in each frame: Playwright's `fill` took some 25 ms of the page's thread just before the key, and a look in each frame
 * some ms after it.
 */
async function typed(page: Page, text: string): Promise<number> {
  await page.evaluate(() => document.querySelector<HTMLInputElement>('[role="searchbox"]')?.focus());
  await page.keyboard.insertText(text);
  return rounded(await page.evaluate(() => (window as unknown as Typing).took), 0);
}

/**
 * Milliseconds from the last key of a filter until the first frame in which a status, heading or paragraph of the page
 * fits `seen`, in the page's own clock.
 */
export async function filtered(page: Page, text: string, seen: RegExp): Promise<number> {
  await page.evaluate((words) => {
    const took = new Promise<number>((resolve) => {
      let typedAt = 0;
      document.addEventListener('input', () => (typedAt = performance.now()), { capture: true, once: true });
      const sought = new RegExp(words);
      const changes = new MutationObserver(() => {
        const said = [...document.querySelectorAll('[role="status"], main h2, main p')];
        if (typedAt === 0 || !said.some(({ textContent }) => sought.test(textContent ?? ''))) return;
        changes.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - typedAt));
      });
      changes.observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    Object.assign(window, { took });
  }, seen.source);
  return typed(page, text);
}

/**
 * Milliseconds from the last key of a filter until the first frame with rows of its own list, in the page's own clock.
 */
export async function filteredRows(page: Page, text: string): Promise<number> {
  await page.evaluate((row) => {
    const took = new Promise<number>((resolve) => {
      let typedAt = 0;
      const count = () => document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount');
      const before = count();
      document.addEventListener('input', () => (typedAt = performance.now()), { capture: true, once: true });
      const changes = new MutationObserver(() => {
        if (typedAt === 0 || count() === before || document.querySelectorAll(row).length <= 5) return;
        changes.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - typedAt));
      });
      changes.observe(document.body, {
        subtree: true,
        childList: true,
        attributeFilter: ['aria-rowcount', 'aria-busy'],
      });
    });
    Object.assign(window, { took });
  }, ROW);
  return typed(page, text);
}

/** Listens for keys and long tasks in the page until `read`. */
export class Watch {
  readonly #page: Page;
  readonly #cdp: CDPSession;

  private constructor(page: Page, cdp: CDPSession) {
    this.#page = page;
    this.#cdp = cdp;
  }

  static async begin(page: Page): Promise<Watch> {
    await page.evaluate(() => {
      const seen = { delays: [] as number[], frames: [] as number[], longTasks: [] as number[] };
      Object.assign(window, { seen });
      document.addEventListener(
        'keydown',
        ({ timeStamp }) => {
          seen.delays.push(performance.now() - timeStamp);
          requestAnimationFrame(() => seen.frames.push(performance.now() - timeStamp));
        },
        { capture: true },
      );
      new PerformanceObserver((list) =>
        seen.longTasks.push(...list.getEntries().map(({ duration }) => duration)),
      ).observe({
        type: 'longtask',
      });
    });
    return new Watch(page, await page.context().newCDPSession(page));
  }

  /** Megabytes that live, after a collection. */
  async heapMb(): Promise<number> {
    await this.#cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.#cdp.send('Runtime.getHeapUsage');
    return rounded(usedSize / 1024 / 1024, 1);
  }

  async read() {
    const { delays, frames, longTasks } = await this.#page.evaluate(
      () => (window as unknown as { seen: Record<'delays' | 'frames' | 'longTasks', number[]> }).seen,
    );
    const of = (values: readonly number[]) => ({
      p50: quantile(values, 0.5),
      p95: quantile(values, 0.95),
      longest: quantile(values, 1),
    });
    return {
      keys: delays.length,
      inputDelayMs: of(delays),
      keyToFrameMs: of(frames),
      longTasks: { count: longTasks.length, ...(longTasks.length > 0 && of(longTasks)) },
    };
  }
}
