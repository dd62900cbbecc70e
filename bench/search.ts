/**
 * `npm run bench:search`: the search index over a million stored messages, in the thread that the shells use. Prints one
 * JSON line: how long the index takes to build and how large it is, how long searches for an absent, a rare, a less rare
 * and a common word take with and without it (goal with it: 50 ms for the first two), and how far it falls behind while
 * calls arrive.
 *
 *   node bench/search.ts [--messages 1000000] [--rate 1000] [--seconds 20] [--searches 20]
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSealer } from '../src/core/adapters/sealer.ts';
import type { Engine } from '../src/core/engine/engine.ts';
import { IndexedScan } from '../src/core/serving/handlers/indexed-scan.ts';
import { pause, rounded } from './load-phase.ts';
import { startSearchEngine } from './search-engine.ts';
import { ABSENT, COMMON, callOf, fillSearchStore, RARE, SOME } from './search-store.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '20' },
    searches: { type: 'string', default: '20' },
  },
});
const MESSAGES = Number(values.messages);
const RATE = Number(values.rate);
const SECONDS = Number(values.seconds);
const SEARCHES = Number(values.searches);
const MB = 1024 * 1024;
/** Rows of the first page that the list asks for. */
const PAGE = 100;
const BATCH = 20;

const folder = mkdtempSync(join(tmpdir(), 'hookbench-search-'));
const sealer = createSealer(randomBytes(32));
const sizeOf = (name: string): number => rounded(statSync(join(folder, name)).size / MB, 0);

/** As the engine limits one answer. */
const forSomeTime = (): (() => boolean) => {
  const until = performance.now() + 6;
  return () => performance.now() < until;
};

/** Milliseconds until the list has its first page, or knows that there is no more; and the longest time of one answer. */
async function search(engine: Engine, word: string): Promise<{ ms: number; answerMs: number; found: number }> {
  const { stores, search: index } = engine.parts;
  const scan = new IndexedScan({ lists: stores.lists, index, forSomeTime });
  const startedAt = performance.now();
  let answerMs = 0;
  let found = 0;
  for (let before = stores.lists.idRange()!.last + 1; ; ) {
    const answeredAt = performance.now();
    const page = await scan.ids({
      filter: { terms: [{ key: 'text', values: [word] }] },
      before,
      after: 0,
      limit: PAGE - found,
    });
    answerMs = Math.max(answerMs, performance.now() - answeredAt);
    found += page.ids.length;
    if (found >= PAGE || !page.more) return { ms: performance.now() - startedAt, answerMs, found };
    before = page.scannedTo;
  }
}

async function searched(engine: Engine, word: string, times: number) {
  const all: Array<{ ms: number; answerMs: number; found: number }> = [];
  for (let n = 0; n < times; n += 1) all.push(await search(engine, word));
  all.sort((a, b) => a.ms - b.ms);
  const { found } = all[0]!;
  const at = (part: number): number => rounded(all[Math.floor((all.length - 1) * part)]!.ms, 1);
  return {
    found,
    p50: at(0.5),
    longest: at(1),
    longestAnswer: rounded(Math.max(...all.map(({ answerMs }) => answerMs)), 1),
  };
}

async function words(engine: Engine, times: number) {
  return {
    absent: await searched(engine, ABSENT, times),
    rare: await searched(engine, RARE, times),
    some: await searched(engine, SOME, times),
    common: await searched(engine, COMMON, times),
  };
}

/** The most messages that were stored and not in the index, and the index's own time, while calls arrive. */
async function behind(engine: Engine, port: number): Promise<{ sent: number; most: number; mean: number }> {
  const looks: number[] = [];
  let n = MESSAGES;
  const startedAt = performance.now();
  for (let tick = 0; tick < (SECONDS * RATE) / BATCH; tick += 1) {
    const batch = Array.from({ length: BATCH }, (_, i) => callOf(n + i, false));
    const answer = await fetch(`http://127.0.0.1:${port}/v1/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${btoa('bench:')}` },
      body: JSON.stringify({ batch }),
    });
    await answer.arrayBuffer();
    n += BATCH;
    looks.push(engine.parts.counters.total() - engine.parts.search.view().indexed);
    await pause(Math.max(0, startedAt + ((tick + 1) * BATCH * 1_000) / RATE - performance.now()));
  }
  const mean = looks.reduce((sum, one) => sum + one, 0) / looks.length;
  return { sent: n - MESSAGES, most: Math.max(...looks), mean: rounded(mean, 0) };
}

const fillSeconds = rounded(await fillSearchStore(folder, sealer, MESSAGES), 0);
const { engine, port } = await startSearchEngine(folder, sealer);
const { search: index } = engine.parts;
await index.setEnabled(false);
const without = await words(engine, 1);
const startedAt = performance.now();
await index.setEnabled(true);
while (index.view().state !== 'ready') await pause(5);
const buildSeconds = rounded((performance.now() - startedAt) / 1_000);
const within = await words(engine, SEARCHES);
const lag = await behind(engine, port);
await engine.stop();
const sizes = { storeMb: sizeOf('store.sqlite'), indexMb: sizeOf('search.sqlite') };
rmSync(folder, { recursive: true, force: true });

process.stdout.write(
  `${JSON.stringify({ bench: 'search', messages: MESSAGES, fillSeconds, buildSeconds, ...sizes, without, with: within, lag })}\n`,
);
