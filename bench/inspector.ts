/**
 * `npm run bench:inspector`: the live stream with a million stored messages, with a burst of 20,000 new ones, and with
 * 1,000 a second while a filter and a message are open. First the engine alone, in this process; then the built headless
 * shell in a Chromium. Prints one JSON line. Goals: a page at most 5 ms in the engine, the first screen within 300 ms in
 * a browser that had it before and painted within 1 s in a new one, the first rows of a field filter within 100 ms, an
 * absent and a rare word within 50 ms (each typed as soon as the page is there, and after a rest), no blank row in a
 * minute of scrolling, no task over 100 ms in a burst, and an input delay of at most 100 ms (p95) in a bounded heap.
 *
 *   node bench/inspector.ts [--messages 1000000] [--rate 1000] [--seconds 60]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { systemClock, systemTimers } from '../src/core/adapters/clock.ts';
import { createSealer } from '../src/core/adapters/sealer.ts';
import { listHandlers } from '../src/core/serving/handlers/lists.ts';
import { scrollAndCount } from '../tests/e2e/blank-rows.ts';
import { launchChromium, startServer } from '../tests/e2e/launch.ts';
import { chromiumArguments, chromiumPath } from '../tools/chromium.mjs';
import { type FirstScreen, filtered, filteredRows, firstScreen, Watch, watchStart } from './inspector-page.ts';
import { figuresOf, pause, rounded } from './load-phase.ts';
import { startSearchEngine } from './search-engine.ts';
import { ABSENT, callOf, fillSearchStore, RARE } from './search-store.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
  },
});
const MESSAGES = Number(values.messages);
const RATE = Number(values.rate);
const SECONDS = Number(values.seconds);
const BATCH = 20;
const ROWS = 100;
const PX_A_FRAME = 240;
const KEY_MS = 200;
const STARTS = 5;
/** Chromium keeps the compiled code of a script at the second visit and takes it from the third on. */
const VISITS_BEFORE = 3;
const BURST = 20_000;
const POSTERS = 8;
const SETTLE_MS = 4_000;
/** A page counts as at rest this long after its first rows. */
const REST_MS = 1_500;
const viewport = { width: 1440, height: 900 };

const folder = mkdtempSync(join(tmpdir(), 'hookbench-inspector-'));
const workspace = join(folder, 'workspace');

/** Milliseconds of the engine's answers, page after page at three places of the list. */
async function enginePages() {
  const { engine } = await startSearchEngine(workspace, sealer);
  const { stores, ranks, search } = engine.parts;
  while (search.view().state !== 'ready') await pause(50);
  const lists = listHandlers({
    lists: stores.lists,
    details: stores.details,
    ranks,
    index: search,
    clock: systemClock,
    timers: systemTimers,
  });
  const took: number[] = [];
  for (const part of [0, 0.5, 0.99])
    for (let page = 0; page < 50; page += 1) {
      const fromRank = Math.floor(MESSAGES * part) + page * ROWS;
      const startedAt = performance.now();
      await lists['messages.window']({ fromRank, count: ROWS });
      took.push(performance.now() - startedAt);
    }
  await engine.stop();
  return figuresOf(took);
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
async function startReceiver(): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(here('./receiver.ts'));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, url: `http://127.0.0.1:${port}/hook` };
}

async function postBatch(ingestUrl: string, from: number): Promise<void> {
  const batch = Array.from({ length: BATCH }, (_, i) => callOf(MESSAGES + from + i, false));
  const headers = { 'content-type': 'application/json', authorization: `Basic ${btoa('bench:')}` };
  const answer = await fetch(`${ingestUrl}/v1/batch`, { method: 'POST', headers, body: JSON.stringify({ batch }) });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`a batch was answered with ${answer.status}`);
}

/** Posts calls at the rate until `isOver`; resolves with how many. A slow answer holds up only its own poster. */
async function load(ingestUrl: string, isOver: () => boolean): Promise<number> {
  const startedAt = performance.now();
  let sent = 0;
  const post = async (): Promise<void> => {
    while (!isOver()) {
      const from = sent;
      sent += BATCH;
      await pause(Math.max(0, startedAt + (from * 1_000) / RATE - performance.now()));
      await postBatch(ingestUrl, from);
    }
  };
  await Promise.all(Array.from({ length: POSTERS }, post));
  return sent;
}

/** Moves through the list by keys, with a message open beside it. */
async function workUnderLoad(page: Page, ingestUrl: string) {
  const watch = await Watch.begin(page);
  const heapMb = [await watch.heapMb()];
  let isOver = false;
  const loading = load(ingestUrl, () => isOver);
  const startedAt = performance.now();
  for (let n = 0; performance.now() - startedAt < SECONDS * 1_000; n += 1) {
    await page.keyboard.press(n % 40 < 20 ? 'ArrowDown' : 'ArrowUp');
    if (n % 100 === 99) heapMb.push(await watch.heapMb());
    await pause(KEY_MS);
  }
  isOver = true;
  const sent = await loading;
  heapMb.push(await watch.heapMb());
  return { perSecond: rounded(sent / ((performance.now() - startedAt) / 1_000), 0), heapMb, ...(await watch.read()) };
}

/** Posts as many calls as the engine takes while the page follows the list; what the page's main thread did meanwhile. */
async function burst(page: Page, ingestUrl: string) {
  const watch = await Watch.begin(page);
  const startedAt = performance.now();
  let sent = 0;
  const post = async (): Promise<void> => {
    while (sent < BURST) {
      sent += BATCH;
      await postBatch(ingestUrl, sent);
    }
  };
  await Promise.all(Array.from({ length: POSTERS }, post));
  const perSecond = rounded(BURST / ((performance.now() - startedAt) / 1_000), 0);
  await pause(SETTLE_MS);
  return { perSecond, longTasks: (await watch.read()).longTasks };
}

/** A browser that keeps what it cached in a profile on disk, as a person's does, and a page in it. */
async function openProfile(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: chromiumPath() ?? undefined,
    args: chromiumArguments,
    viewport,
  });
  const page = await context.newPage();
  await watchStart(page);
  return { context, page };
}

/** The first screen in a browser that was here before. */
async function screensAgain(page: Page, url: string): Promise<FirstScreen[]> {
  const seen: FirstScreen[] = [];
  for (let n = 0; n < VISITS_BEFORE + STARTS; n += 1) {
    seen.push(await firstScreen(page, url));
    await pause(SETTLE_MS);
  }
  return seen.slice(VISITS_BEFORE);
}

/** The first screen in browsers that were never here. */
async function firstScreens(url: string): Promise<FirstScreen[]> {
  const browser = await launchChromium();
  const seen: FirstScreen[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    await watchStart(page);
    seen.push(await firstScreen(page, url));
    await context.close();
  }
  await browser.close();
  return seen;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const sealer = createSealer(randomBytes(32));
const fillSeconds = rounded(await fillSearchStore(workspace, sealer, MESSAGES), 0);
say(`filled in ${fillSeconds} s`);
const pageMs = await enginePages();
say(`pages: ${JSON.stringify(pageMs)}`);
const receiver = await startReceiver();
const entries = [{ name: 'receiver', url: receiver.url, headers: {}, enabled: true }];
const storage = { maxMessages: 100_000_000, maxBytes: 1e12 };
const sources = [{ name: 'bench', writeKey: 'bench', kind: 'server' as const, enabled: true, webhooks: true }];
const server = await startServer({
  workspace,
  config: { sources, storage, webhooks: { sharedSecret: 'bench', entries } },
});
const { ingestUrl, uiUrl } = server;
const { context, page } = await openProfile();
const firstScreenMs = { again: await screensAgain(page, uiUrl), first: await firstScreens(uiUrl) };
say(`first screen: ${JSON.stringify(firstScreenMs)}`);
/** Milliseconds of each time that a filter is typed in a new page, as soon as its rows are there or after a rest. */
const filteredAnew = async (measure: () => Promise<number>, restMs = 0): Promise<number[]> => {
  const took: number[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    await firstScreen(page, uiUrl);
    await pause(restMs);
    took.push(await measure());
  }
  return took;
};
const FIELD = 'properties.total>80 ';
const findAbsent = (): Promise<number> => filtered(page, `"${ABSENT}"`, /^No message matches/);
const findRare = (): Promise<number> => filtered(page, `"${RARE}"`, /^1 of \d/);
const filterMs = {
  fieldRows: await filteredAnew(() => filteredRows(page, FIELD)),
  fieldCount: await filteredAnew(() => filtered(page, FIELD, /^[\d,]+ of \d/)),
  absentAtOnce: await filteredAnew(findAbsent),
  rareAtOnce: await filteredAnew(findRare),
  absent: await filteredAnew(findAbsent, REST_MS),
  rare: await filteredAnew(findRare, REST_MS),
};
say(`filters: ${JSON.stringify(filterMs)}`);
await firstScreen(page, uiUrl);
const scroll = await scrollAndCount(page, PX_A_FRAME, SECONDS * 60);
say(`scrolling: ${JSON.stringify(scroll)}`);
await firstScreen(page, uiUrl);
const inBurst = await burst(page, ingestUrl);
say(`burst: ${JSON.stringify(inBurst)}`);
await firstScreen(page, uiUrl);
await filtered(page, FIELD, /^[\d,]+ of \d/);
await page.locator('[role="grid"] [role="row"]').nth(2).click();
const underLoad = await workUnderLoad(page, ingestUrl);
await context.close();
await server.stop();
receiver.child.disconnect();
rmSync(folder, { recursive: true, force: true });

process.stdout.write(
  `${JSON.stringify({ bench: 'inspector', messages: MESSAGES, fillSeconds, pageMs, firstScreenMs, filterMs, scroll, inBurst, underLoad })}\n`,
);
