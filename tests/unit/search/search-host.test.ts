/** The index in its slices: what it takes in, what a crash and a damaged file cost, and what it says of itself. */
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Found } from '../../../src/core/search/finding.ts';
import type { FromSearch, IndexState } from '../../../src/core/search/messages.ts';
import {
  BUSY_PAUSE_MS,
  LOCKED_MS,
  SATURATED,
  SATURATED_PAUSE_MS,
  SearchHost,
} from '../../../src/core/search/search-host.ts';
import { SearchIndex } from '../../../src/core/search/search-index.ts';
import type { SearchFile } from '../../../src/core/store/ports/search.ts';
import { openSearch, searchPath } from '../../../src/core/store/search-file.ts';
import { idsLeft, LONG, SearchRows, SHORT } from '../../helpers/search-rows.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

const MOST = Number.MAX_SAFE_INTEGER;

class Hosted {
  readonly told: IndexState[] = [];
  readonly #time = new SimTime();
  readonly #answers = new Map<number, unknown>();
  readonly #host: SearchHost;
  readonly #rows: SearchRows;
  #n = 0;

  constructor(rows: SearchRows, wrap: (file: SearchFile) => SearchFile = (file) => file) {
    this.#rows = rows;
    const stores = openSearch(rows.folder);
    this.#host = new SearchHost({
      stores: { ...stores, openFile: () => wrap(stores.openFile()) },
      clock: this.#time,
      timers: this.#time,
      say: (message) => this.#heard(message),
    });
    onTestFinished(() => this.stop());
    this.#host.start();
  }

  #heard(message: FromSearch): void {
    if (message.type === 'changed') this.told.push(message.state);
    else this.#answers.set(message.n, message.value);
  }

  get state(): IndexState {
    return this.told.at(-1)!;
  }

  pass(ms: number): Promise<void> {
    return this.#time.advance(ms);
  }

  stored(busyShare = SATURATED): void {
    this.#host.receive({ type: 'stored', newest: this.#rows.newest, busyShare });
  }

  remove(id: number): void {
    this.#rows.remove(id);
    this.#host.receive({ type: 'removed', ids: [id] });
  }

  ask(name: 'forget' | 'rebuild'): () => boolean {
    this.#n += 1;
    const n = this.#n;
    this.#host.receive({ type: 'ask', n, name, argument: null });
    return () => this.#answers.has(n);
  }

  find(text: string): Found | null {
    this.#n += 1;
    const argument = { texts: [text], before: this.#rows.newest + 1, after: 0, most: MOST };
    this.#host.receive({ type: 'ask', n: this.#n, name: 'find', argument });
    return this.#answers.get(this.#n) as Found | null;
  }

  /** Blocks in which the text may be, by their first id. */
  blocks(text: string): number[] {
    return this.find(text)!.ranges.map(({ bottom }) => bottom);
  }

  stop(): void {
    this.#host.stop();
  }
}

/** Messages of ten blocks, one with a word of its own in each. */
function tenBlocks(): SearchRows {
  const rows = new SearchRows();
  rows.db.transaction(() => {
    for (let id = 64; id < 11 * 64; id += 1) rows.put(id, id % 64 === 5 ? { name: `Word${wordOf(id)}` } : {});
  })();
  return rows;
}
const wordOf = (id: number): string => (Math.imul(id, 0x9e3779b1) >>> 0).toString(36);

test('it searches all of itself once before anybody asks, so that the first search is as quick as the others', async () => {
  const find = vi.spyOn(SearchIndex.prototype, 'find');
  const rows = tenBlocks();
  const host = new Hosted(rows);
  expect(find).not.toHaveBeenCalled();
  await host.pass(100);
  expect(find).toHaveBeenCalledTimes(1);
  expect(find.mock.results[0]!.value.searchedTo).toBe(64);
  for (let id = 11 * 64; id < 12 * 64; id += 1) rows.put(id, {});
  host.stored();
  await host.pass(400);
  expect(host.state).toMatchObject({ state: 'ready', indexed: 704 });
  expect(find).toHaveBeenCalledTimes(1);
});

test('a few new messages wait for others, and go in together', async () => {
  const rows = tenBlocks();
  const host = new Hosted(rows);
  await host.pass(100);
  expect(host.state).toMatchObject({ state: 'ready', indexed: 640, total: 640 });
  for (let id = 11 * 64; id < 12 * 64; id += 1) rows.put(id, { name: 'Newcomer' });
  host.stored();
  await host.pass(200);
  expect(host.find('newcomer')!.ranges).toEqual([{ top: 12 * 64, bottom: 11 * 64 }]);
  expect(host.state.indexed).toBe(640);
  await host.pass(200);
  expect(host.state).toMatchObject({ state: 'ready', indexed: 704, total: 704 });
  expect(host.find('newcomer')!.ranges).toEqual([{ top: 12 * 64, bottom: 11 * 64 }]);
  expect(host.find('never written')!.ranges).toEqual([]);
});

/** An index of one message, and a store to which 640 more blocks have come. */
async function behindBy640Blocks(): Promise<{ host: Hosted }> {
  const rows = new SearchRows();
  rows.put(1, {});
  const host = new Hosted(rows);
  await host.pass(100);
  rows.db.transaction(() => {
    for (let block = 0; block < 640; block += 1) rows.put(64 * block + 2, {});
  })();
  return { host };
}

/** A slice is 32 blocks on a clock that stands still. */
const slicesDone = (host: Hosted): number => host.find('nowhere')!.ranges[0]!.bottom / 64 / 32;

test('while the engine works it takes a tenth of the time, and catches up when the engine rests', async () => {
  const { host } = await behindBy640Blocks();
  host.stored();
  await host.pass(BUSY_PAUSE_MS * 4);
  const done = slicesDone(host);
  expect(done).toBeGreaterThanOrEqual(3);
  expect(done).toBeLessThanOrEqual(5);
  await host.pass(700);
  expect(host.state).toMatchObject({ state: 'ready' });
});

test('while the engine is saturated it takes a hundredth, until that has passed', async () => {
  const { host } = await behindBy640Blocks();
  const passBusy = async (ms: number, busyShare: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) {
      host.stored(busyShare);
      await host.pass(100);
    }
  };
  await passBusy(1_000, 0.9);
  expect(slicesDone(host)).toBeLessThanOrEqual(Math.ceil(1_000 / SATURATED_PAUSE_MS));
  expect(slicesDone(host)).toBeGreaterThan(0);
  await passBusy(SATURATED_PAUSE_MS + BUSY_PAUSE_MS * 8, SATURATED);
  expect(slicesDone(host)).toBeGreaterThanOrEqual(8);
  await host.pass(1_000);
  expect(host.state).toMatchObject({ state: 'ready' });
});

test('a new start goes on where the last one stopped, and needs to be told nothing', async () => {
  const rows = tenBlocks();
  const first = new Hosted(rows);
  await first.pass(100);
  first.stop();
  for (let id = 11 * 64; id < 12 * 64; id += 1) rows.put(id, { name: 'Later' });
  rows.remove(2 * 64 + 5);
  const again = new Hosted(rows);
  expect(again.told[0]).toMatchObject({ state: 'building', indexed: 640, total: 704 });
  await again.pass(100);
  expect(again.state).toMatchObject({ state: 'ready', indexed: 703, total: 703 });
  expect(again.blocks(`Word${wordOf(2 * 64 + 5)}`)).toEqual([]);
  expect(again.blocks(`Word${wordOf(3 * 64 + 5)}`)).toEqual([3 * 64]);
});

test('a crash after any step leaves an index that goes on to the same end', () => {
  const rows = tenBlocks();
  const attempt = rows.attempt(70);
  rows.answer(attempt, 70, 'a response body');
  const words = Array.from({ length: 10 }, (_, n) => `Word${wordOf((n + 1) * 64 + 5)}`);
  const seen = (index: ReturnType<SearchRows['index']>): unknown[] =>
    [...words, 'response'].map((word) => idsLeft(index, rows, word));
  const fresh = rows.index();
  fresh.work(LONG);
  const expected = seen(fresh);
  for (let steps = 0; steps < 13; steps += 1) {
    for (const saves of ['every step', 'once at the end']) {
      rows.stores.deleteFile();
      const crashed = rows.index();
      for (let n = 0; n < steps; n += 1) {
        crashed.work(SHORT);
        if (saves === 'every step') crashed.save();
      }
      crashed.close();
      const again = rows.index();
      expect(again.progress.indexed).toBe(saves === 'every step' ? Math.min(steps, 10) * 64 : 0);
      again.work(LONG);
      expect(seen(again)).toEqual(expected);
    }
  }
});

test('what the index kept of a removed message is in no file once it is forgotten', async () => {
  const rows = tenBlocks();
  const secret = Array.from({ length: 500 }, (_, n) => wordOf(n)).join(' ');
  rows.put(11 * 64, { wire: secret });
  for (let id = 11 * 64 + 1; id <= 12 * 64; id += 1) rows.put(id, {});
  const host = new Hosted(rows);
  await host.pass(100);
  const file = rows.stores.openFile();
  const signature = Buffer.from(file.blocks().find(({ block }) => block === 11)!.signature);
  file.close();
  // A page of the file may end within a piece.
  const before = filesOf(rows);
  const pieces = Array.from({ length: 64 }, (_, n) => signature.subarray(n * 128, n * 128 + 128));
  const stored = pieces.filter((piece) => before.includes(piece));
  expect(stored.length).toBeGreaterThan(55);
  rows.remove(11 * 64);
  const isForgotten = host.ask('forget');
  expect(isForgotten()).toBe(false);
  await host.pass(100);
  expect(isForgotten()).toBe(true);
  expect(host.blocks(secret)).toEqual([12 * 64]);
  const after = filesOf(rows);
  expect(stored.filter((piece) => after.includes(piece))).toEqual([]);
});

function filesOf({ folder }: SearchRows): Buffer {
  const names = readdirSync(folder).filter((name) => name.startsWith('search.sqlite'));
  return Buffer.concat(names.map((name) => readFileSync(`${folder}/${name}`)));
}

test('removed messages leave the index a second later', async () => {
  const rows = tenBlocks();
  const host = new Hosted(rows);
  await host.pass(100);
  host.remove(4 * 64 + 5);
  expect(host.blocks(`Word${wordOf(4 * 64 + 5)}`)).toEqual([4 * 64]);
  await host.pass(1_200);
  expect(host.blocks(`Word${wordOf(4 * 64 + 5)}`)).toEqual([]);
});

test.each([
  ['is no database', (path: string) => writeFileSync(path, 'not a database at all, but longer than a header of one')],
  ['is cut off', (path: string) => truncateSync(path, 8_192)],
])('a file that %s is made again', async (_, spoil) => {
  const rows = tenBlocks();
  const first = new Hosted(rows);
  await first.pass(100);
  first.stop();
  spoil(searchPath(rows.folder));
  const again = new Hosted(rows);
  await again.pass(100);
  expect(again.state).toMatchObject({ state: 'ready', indexed: 640, message: null });
  expect(again.blocks(`Word${wordOf(3 * 64 + 5)}`)).toEqual([3 * 64]);
});

test('a file that fails again and again is a state, and a rebuild tries once more', async () => {
  const rows = tenBlocks();
  let fails = true;
  const host = new Hosted(rows, (file) => ({
    marks: () => file.marks(),
    blocks: () => file.blocks(),
    counts: () => file.counts(),
    part: (segment, part) => file.part(segment, part),
    settle: () => file.settle(),
    bytes: () => file.bytes(),
    close: () => file.close(),
    save: (batch) => {
      if (fails) throw new Error('disk full');
      file.save(batch);
    },
  }));
  await host.pass(500);
  expect(host.state).toEqual({ state: 'failed', indexed: 0, total: 0, bytes: 0, message: 'disk full' });
  expect(host.find('word')).toBeNull();
  fails = false;
  host.ask('rebuild');
  await host.pass(500);
  expect(host.state).toMatchObject({ state: 'ready', indexed: 640 });
});

/** Another program that has the file for itself. Gives a function that lets go of it. */
function lockFile(folder: string, how: 'readers too' | 'writers'): () => void {
  const other = new Database(searchPath(folder));
  if (how === 'readers too') other.pragma('locking_mode = EXCLUSIVE');
  other.exec('BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS other (id INTEGER); ROLLBACK; BEGIN EXCLUSIVE');
  const free = (): void => void other.close();
  onTestFinished(free);
  return free;
}
const inode = (folder: string): number => statSync(searchPath(folder)).ino;

test('a file that another program has locked is waited for, and never deleted', async () => {
  const rows = tenBlocks();
  const first = new Hosted(rows);
  await first.pass(100);
  first.stop();
  const before = inode(rows.folder);
  const free = lockFile(rows.folder, 'readers too');
  const host = new Hosted(rows);
  expect(host.state).toMatchObject({
    state: 'failed',
    message: 'Another program has locked search.sqlite. It is tried again every two seconds.',
  });
  await host.pass(LOCKED_MS * 2);
  const isRebuilt = host.ask('rebuild');
  const isForgotten = host.ask('forget');
  await host.pass(LOCKED_MS);
  expect([isRebuilt(), isForgotten()]).toEqual([true, false]);
  expect(host.state.state).toBe('failed');
  expect(host.told.length).toBe(1);
  expect(inode(rows.folder)).toBe(before);
  free();
  await host.pass(LOCKED_MS + 100);
  expect(host.state).toMatchObject({ state: 'ready', indexed: 640, message: null });
  expect(isForgotten()).toBe(true);
  expect(inode(rows.folder)).toBe(before);
});

test('a file that is locked while the index is written goes on where it was', async () => {
  const rows = tenBlocks();
  const host = new Hosted(rows);
  await host.pass(100);
  const before = inode(rows.folder);
  const free = lockFile(rows.folder, 'writers');
  for (let id = 11 * 64; id < 12 * 64; id += 1) rows.put(id, { name: 'Newcomer' });
  host.stored();
  await host.pass(1_000);
  expect(host.state).toMatchObject({ state: 'failed' });
  expect(host.find('newcomer')).toBeNull();
  free();
  await host.pass(LOCKED_MS + 500);
  expect(host.state).toMatchObject({ state: 'ready', indexed: 704 });
  expect(host.blocks('newcomer')).toEqual([11 * 64]);
  expect(inode(rows.folder)).toBe(before);
});

test('a rebuild starts from nothing and tells how far it is', async () => {
  const rows = new SearchRows();
  rows.db.transaction(() => {
    for (let id = 1; id <= 64 * 1_200; id += 64) rows.put(id, { name: 'Sparse' });
  })();
  const host = new Hosted(rows);
  await host.pass(1_000);
  expect(host.state.state).toBe('ready');
  const from = host.told.length;
  host.ask('rebuild');
  expect(host.find('sparse')!.ranges).toEqual([{ top: rows.newest + 1, bottom: 1 }]);
  await host.pass(1_000);
  const rebuilt = host.told.slice(from);
  expect(rebuilt[0]).toMatchObject({ state: 'building', indexed: 0 });
  expect(rebuilt.at(-1)).toMatchObject({ state: 'ready', message: null });
  expect(rebuilt.length).toBeGreaterThan(3);
  const indexed = rebuilt.map((state) => state.indexed);
  expect(indexed).toEqual([...indexed].sort((a, b) => a - b));
});
