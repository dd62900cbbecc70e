/** Takes the pictures of one build. */
import type { Browser, CDPSession, Page } from '@playwright/test';
import { readStyles, type Styles } from './read-styles.ts';
import type { Scene } from './scenes.ts';

export interface Picture {
  readonly png: Buffer;
  /** Of every element; of dark pictures only. */
  readonly styles: Styles | null;
}
export type Pictures = Map<string, Picture>;

const WIDTHS = [1440, 1024, 880] as const;
const HEIGHT = 900;
const THEMES = ['dark', 'light'] as const;
/** What a mouse or a key would light up; forced on every control at once. */
const STATES = { hover: ['hover'], focus: ['focus', 'focus-visible'], active: ['hover', 'active'] } as const;
const CONTROLS = 'button, a, input, select, textarea, tr, label, [role], [tabindex]';

const STILL = { animations: 'disabled' } as const;

/** Waits until two pictures in a row are the same. */
async function settle(page: Page): Promise<void> {
  let last = await page.screenshot(STILL);
  for (let tries = 0; tries < 8; tries++) {
    await page.waitForTimeout(100);
    const next = await page.screenshot(STILL);
    if (next.equals(last)) return;
    last = next;
  }
}

/** Two frames after a change the page has measured itself and drawn. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 30)))),
  );

async function force(cdp: CDPSession, states: readonly string[]): Promise<void> {
  const { root } = await cdp.send('DOM.getDocument', { depth: 0 });
  const { nodeIds } = await cdp.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: CONTROLS });
  const forcedPseudoClasses = [...states];
  // One that has left the page meanwhile needs no state.
  await Promise.allSettled(nodeIds.map((nodeId) => cdp.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses })));
}

async function takeScene(page: Page, cdp: CDPSession, take: (name: string) => Promise<void>): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.waitForTimeout(200);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await take(`${width}-${theme}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
  await page.waitForTimeout(200);
  for (const [name, states] of Object.entries(STATES)) {
    // What was drawn anew meanwhile is forced the second time.
    await force(cdp, states);
    await drawn(page);
    await force(cdp, states);
    await take(name);
  }
  await force(cdp, []);
}

/** `now` (epoch milliseconds) is where the page's clock stands. */
export async function capture(
  browser: Browser,
  { uiUrl, scenes, now, only }: { uiUrl: string; scenes: readonly Scene[]; now: number; only: RegExp },
): Promise<Pictures> {
  const taken: Pictures = new Map();
  const page = await browser.newPage({ reducedMotion: 'reduce', timezoneId: 'UTC' });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('DOM.enable');
  await cdp.send('CSS.enable');
  await page.clock.setFixedTime(now);
  await page.goto(uiUrl);
  for (const scene of scenes) {
    if (!only.test(scene.name)) continue;
    await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.mouse.move(720, 1);
    await page.goto(new URL(scene.at, uiUrl).href);
    await page.reload();
    await page.locator('[data-region="status"] a').first().waitFor();
    try {
      await scene.act?.(page);
    } catch (error) {
      console.error(`${scene.name}: ${String(error).split('\n')[0]}`);
    }
    await settle(page);
    await takeScene(page, cdp, async (name) => {
      await drawn(page);
      const styles = name.endsWith('dark') || name === 'hover' ? await readStyles(page) : null;
      taken.set(`${scene.name}-${name}`, { png: await page.screenshot(STILL), styles });
    });
  }
  await page.close();
  return taken;
}
