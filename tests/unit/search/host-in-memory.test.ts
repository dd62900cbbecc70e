/** The turns of the index's host, what it does with a file that fails or is locked, and all that it says. */
import { expect, onTestFinished, test } from 'vitest';
import type { FromSearch, IndexState, QuestionName } from '../../../src/core/search/messages.ts';
import { BUSY_PAUSE_MS, LOCKED_MS, SearchHost } from '../../../src/core/search/search-host.ts';
import { type FileUse, Locked, MemorySearchStores } from '../../helpers/memory-search-stores.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

/** Blocks of a slice, on a clock that stands still. */
const SLICE = 32;
const LOCKED = 'Another program has locked search.sqlite. It is tried again every two seconds.';

class Hosted {
  readonly stores = new MemorySearchStores();
  readonly time = new SimTime();
  readonly said: FromSearch[] = [];
  readonly host: SearchHost;
  #n = 0;

  constructor(blocks: number, clock: { mono(): number } | null = null) {
    this.fill(blocks);
    this.host = new SearchHost({
      stores: this.stores,
      clock: clock ?? this.time,
      timers: this.time,
      say: (message) => this.said.push(message),
    });
    onTestFinished(() => this.host.stop());
  }

  /** Whole blocks of one message each, up to this one, and the first message of the next. */
  fill(blocks: number): void {
    this.stores.texts.delete(this.stores.newest);
    this.stores.fill(blocks);
    this.stores.texts.set(64 * blocks, ['newest']);
  }

  async start(): Promise<this> {
    this.host.start();
    await this.time.advance(0);
    return this;
  }

  /** So that the index is ready and at rest. */
  async ready(): Promise<this> {
    await this.start();
    await this.time.advance(1_000);
    expect(this.state).toMatchObject({ state: 'ready' });
    this.stores.read.length = 0;
    this.said.length = 0;
    return this;
  }

  stored(busyShare = 0): void {
    this.host.receive({ type: 'stored', newest: this.stores.newest, busyShare });
  }

  remove(id: number): void {
    this.stores.texts.delete(id);
    this.host.receive({ type: 'removed', ids: [id] });
  }

  /** Returns the number of the question. */
  ask(name: QuestionName): number {
    this.#n += 1;
    const argument = name === 'find' ? { texts: ['nowhere'], before: this.stores.newest, after: 0, most: 9 } : null;
    this.host.receive({ type: 'ask', n: this.#n, name, argument });
    return this.#n;
  }

  /** The next uses of this kind fail with these errors. */
  fail(use: FileUse, ...errors: Error[]): void {
    this.stores.before = (used) => {
      const error = used === use ? errors.shift() : undefined;
      if (error !== undefined) throw error;
    };
  }

  get states(): IndexState[] {
    return this.said.flatMap((message) => (message.type === 'changed' ? [message.state] : []));
  }

  get state(): IndexState | undefined {
    return this.states.at(-1);
  }

  get blocksRead(): number {
    return this.stores.read.length;
  }

  answered(n: number, value: unknown): boolean {
    return this.said.some((message) => JSON.stringify(message) === JSON.stringify({ type: 'answer', n, value }));
  }
}

const full = (): Error => new Error('disk full');

// Turns

test('a turn is one slice, however often it is told of new messages, and the next one comes after a pause', async () => {
  const hosted = await new Hosted(1).ready();
  hosted.fill(200);
  hosted.stored();
  hosted.stored();
  await hosted.time.advance(0);
  expect(hosted.blocksRead).toBe(SLICE);
  hosted.stored();
  await hosted.time.advance(BUSY_PAUSE_MS - 1);
  expect(hosted.blocksRead).toBe(SLICE);
  await hosted.time.advance(1);
  expect(hosted.blocksRead).toBe(2 * SLICE);
});

test('1,024 new messages go in at once, and fewer after 250 ms', async () => {
  const hosted = await new Hosted(1).ready();
  hosted.fill(1 + 15);
  hosted.stored();
  await hosted.time.advance(249);
  expect(hosted.blocksRead).toBe(0);
  await hosted.time.advance(1);
  expect(hosted.blocksRead).toBe(15);
  hosted.fill(1 + 15 + 16);
  hosted.stored();
  await hosted.time.advance(0);
  expect(hosted.blocksRead).toBe(15 + 16);
});

test('half a second after the engine last said something it counts as resting', async () => {
  let now = 0;
  const hosted = await new Hosted(1, { mono: () => now }).ready();
  hosted.fill(200);
  now = 1_000;
  hosted.stored();
  now = 1_499;
  await hosted.time.advance(0);
  await hosted.time.advance(2);
  expect(hosted.blocksRead).toBe(SLICE);
  now = 1_500;
  await hosted.time.advance(BUSY_PAUSE_MS - 2);
  expect(hosted.blocksRead).toBe(2 * SLICE);
  await hosted.time.advance(2);
  expect(hosted.blocksRead).toBe(3 * SLICE);
});

test('while much goes in it says so after 16 slices, and saves every second slice', async () => {
  const hosted = await new Hosted(1).ready();
  const saved = hosted.stores.file.saved.length;
  hosted.fill(1 + 20 * SLICE);
  hosted.stored();
  await hosted.time.advance(5_000);
  expect(hosted.states.map(({ state }) => state)).toEqual(['building', 'ready']);
  expect(hosted.states[0]!.indexed).toBeLessThan(1 + 20 * SLICE);
  expect(hosted.state).toMatchObject({ indexed: 1 + 20 * SLICE });
  expect(hosted.stores.file.saved.length - saved).toBe(10);
});

test('removed messages are read again a second later, also when others go in before', async () => {
  const hosted = await new Hosted(10).ready();
  hosted.remove(64 * 4 + 1);
  hosted.fill(12);
  hosted.stored();
  await hosted.time.advance(999);
  expect(hosted.stores.read).toEqual([
    [640, 703],
    [704, 767],
  ]);
  await hosted.time.advance(1);
  expect(hosted.stores.read.slice(2)).toEqual([[256, 319]]);
  await hosted.time.advance(5_000);
  expect(hosted.blocksRead).toBe(3);
});

// Answers

test('each question is answered once, with its number', async () => {
  const hosted = await new Hosted(3).ready();
  const [found, first, second] = [hosted.ask('find'), hosted.ask('forget'), hosted.ask('forget')];
  await hosted.time.advance(100);
  const answers = hosted.said.filter(({ type }) => type !== 'changed');
  expect(answers).toEqual([
    { type: 'answer', n: found, value: { ranges: [], searchedTo: 1 } },
    { type: 'answer', n: first, value: null },
    { type: 'answer', n: second, value: null },
  ]);
  const n = hosted.ask('rebuild');
  expect(hosted.said.filter(({ type }) => type !== 'changed').slice(3)).toEqual([{ type: 'answer', n, value: null }]);
});

// A file that fails

test('a file that fails once is made again, each time anew', async () => {
  const hosted = await new Hosted(3).ready();
  for (const blocks of [4, 5]) {
    hosted.fail('save', full());
    hosted.said.length = 0;
    hosted.fill(blocks);
    hosted.stored();
    await hosted.time.advance(1_000);
    expect(hosted.states.map(({ state, message }) => [state, message])).toEqual([
      ['failed', 'disk full'],
      ['building', null],
      ['ready', null],
    ]);
    expect(hosted.stores.times.deleted).toBe(blocks - 3);
  }
});

test('so is one that fails from the start', async () => {
  const hosted = new Hosted(3);
  hosted.fail('save', full());
  await hosted.start();
  await hosted.time.advance(100);
  expect(hosted.state).toMatchObject({ state: 'ready', indexed: 3 });
});

/** A host whose file failed twice. */
async function failed(): Promise<Hosted> {
  const hosted = new Hosted(3);
  hosted.fail('save', full(), full());
  await hosted.start();
  await hosted.time.advance(100);
  expect(hosted.state).toEqual({ state: 'failed', indexed: 0, total: 0, bytes: 0, message: 'disk full' });
  hosted.said.length = 0;
  return hosted;
}

test('one that fails twice stays failed whatever it hears, until somebody asks', async () => {
  const hosted = await failed();
  const { opened, deleted } = hosted.stores.times;
  hosted.fill(40);
  hosted.stored();
  hosted.remove(1);
  const found = hosted.ask('find');
  await hosted.time.advance(5_000);
  expect(hosted.said).toEqual([{ type: 'answer', n: found, value: null }]);
  expect(hosted.stores.times.opened).toBe(opened);
  hosted.fail('save', full());
  const rebuilt = hosted.ask('rebuild');
  await hosted.time.advance(5_000);
  expect(hosted.answered(rebuilt, null)).toBe(true);
  expect(hosted.state).toMatchObject({ state: 'ready' });
  expect(hosted.stores.times.deleted).toBeGreaterThan(deleted);
});

test('a failed index has nothing to forget, and deletes what may be left of its file once', async () => {
  const hosted = await failed();
  const { deleted } = hosted.stores.times;
  const forgotten = [hosted.ask('forget'), hosted.ask('forget')];
  await hosted.time.advance(5_000);
  expect(hosted.said).toEqual(forgotten.map((n) => ({ type: 'answer', n, value: null })));
  expect(hosted.stores.times.deleted - deleted).toBe(1);
  expect(hosted.time.pending).toBe(0);
});

test('a rebuild closes the file before it is deleted', async () => {
  const hosted = await new Hosted(3).ready();
  const { file } = hosted.stores;
  hosted.ask('rebuild');
  // Once as the index, and once as the one that shows whether it is locked.
  expect(file.closed).toBe(2);
  expect(hosted.stores.file).not.toBe(file);
});

// A file that another program has locked

test('a file that is locked during a search is waited for, and then it goes on', async () => {
  const hosted = await new Hosted(3).ready();
  hosted.fill(260);
  hosted.stored();
  await hosted.time.advance(1_000);
  hosted.said.length = 0;
  const { deleted } = hosted.stores.times;
  hosted.fail('read', new Locked());
  const found = hosted.ask('find');
  expect(hosted.said).toEqual([
    { type: 'changed', state: { state: 'failed', indexed: 0, total: 0, bytes: 0, message: LOCKED } },
    { type: 'answer', n: found, value: null },
  ]);
  hosted.said.length = 0;
  await hosted.time.advance(LOCKED_MS + 100);
  expect(hosted.states.map(({ state }) => state)).toEqual(['building', 'ready']);
  expect(hosted.stores.times.deleted).toBe(deleted);
});

test('after a lock it first says how far it is', async () => {
  const hosted = await new Hosted(3).ready();
  hosted.fail('save', new Locked());
  hosted.fill(4);
  hosted.stored();
  await hosted.time.advance(LOCKED_MS + 1_000);
  expect(hosted.states.map(({ state, message }) => [state, message])).toEqual([
    ['failed', LOCKED],
    ['building', null],
    ['ready', null],
  ]);
});

// The end

test('a stop saves what is not saved yet, closes everything once, and nothing happens after it', async () => {
  const hosted = await new Hosted(1).ready();
  hosted.fill(1 + SLICE + 5);
  hosted.stored();
  await hosted.time.advance(0);
  const saved = hosted.stores.file.saved.length;
  hosted.remove(1);
  hosted.host.stop();
  hosted.host.stop();
  expect(hosted.stores.file.saved.length - saved).toBe(1);
  expect([hosted.stores.file.closed, hosted.stores.times.sourceClosed]).toEqual([1, 1]);
  expect(hosted.time.pending).toBe(0);
  hosted.said.length = 0;
  const read = hosted.blocksRead;
  hosted.ask('find');
  hosted.stored();
  await hosted.time.advance(5_000);
  expect([hosted.said, hosted.blocksRead]).toEqual([[], read]);
});

test('a turn that waits for its time ends with the stop', async () => {
  const hosted = await new Hosted(1).ready();
  hosted.fill(40);
  hosted.stored();
  hosted.host.stop();
  await hosted.time.advance(5_000);
  expect(hosted.stores.times).toEqual({ opened: 1, deleted: 0, sourceClosed: 1 });
  expect([hosted.said, hosted.blocksRead]).toEqual([[], 0]);
});

test('a stop of a failed index says nothing', async () => {
  const hosted = await failed();
  hosted.host.stop();
  await hosted.time.advance(5_000);
  expect(hosted.said).toEqual([]);
  expect(hosted.stores.times.sourceClosed).toBe(1);
});

test.each([
  ['failed', full()],
  ['was locked', new Locked()],
])('a file that %s just before the stop is left alone', async (_, error) => {
  const hosted = await new Hosted(260).ready();
  hosted.fail('read', error);
  expect(hosted.answered(hosted.ask('find'), null)).toBe(true);
  hosted.host.stop();
  await hosted.time.advance(LOCKED_MS * 2);
  expect(hosted.stores.times).toEqual({ opened: 1, deleted: 0, sourceClosed: 1 });
});

test.each([
  ['fails', full()],
  ['is locked', new Locked()],
])('so is one that %s at the stop', async (_, error) => {
  const hosted = await new Hosted(3).ready();
  hosted.fill(3 + SLICE + 5);
  hosted.stored();
  await hosted.time.advance(0);
  hosted.fail('save', error);
  hosted.host.stop();
  await hosted.time.advance(LOCKED_MS * 2);
  expect(hosted.stores.times).toEqual({ opened: 1, deleted: 0, sourceClosed: 1 });
});
