/** The index as the engine sees it. */
import { expect, test } from 'vitest';
import type { FromSearch, IndexState } from '../../../src/core/search/messages.ts';
import { Search } from '../../../src/core/search/search.ts';
import { readForText } from '../../../src/core/search/warm-up.ts';

/** A search whose index says what the test makes it say, and which does what it puts off when the test says so. */
function setUp() {
  const later: Array<() => void> = [];
  let heard: (message: FromSearch) => void = () => {};
  let warmUps = 0;
  let failure: Error | null = null;
  const logged: string[] = [];
  const search = new Search({
    open: (events) => {
      heard = events.heard;
      return { say: () => {}, stop: () => Promise.resolve() };
    },
    timers: { soon: (run) => void later.push(run), after: () => ({ cancel: () => {} }) },
    logger: { log: (_, event) => void logged.push(event) },
    write: () => Promise.reject(new Error('not written')),
    kept: { read: () => true, save: () => {} },
    total: () => 10_000,
    busyShare: () => 0,
    deleteFile: () => {},
    warmUp: () => {
      warmUps += 1;
      if (failure !== null) throw failure;
    },
    changed: () => {},
  });
  search.start(false);
  const say = (state: IndexState['state']) =>
    heard({ type: 'changed', state: { state, indexed: 0, total: 10_000, bytes: 0, message: null } });
  /** Runs what was put off until now. Returns how much that was. */
  const turn = () => later.splice(0).map((run) => run()).length;
  const fail = () => {
    failure = new Error('disk I/O error');
  };
  return { search, say, turn, fail, logged, warmUps: () => warmUps };
}

test('reads a few messages for a text when the index is first ready, with other work in between', () => {
  const { say, turn, warmUps } = setUp();
  say('building');
  expect(turn()).toBe(0);
  say('ready');
  expect(warmUps()).toBe(0);
  for (let n = 1; n <= 8; n += 1) {
    expect(turn()).toBe(1);
    expect(warmUps()).toBe(n);
  }
  turn();
  say('building');
  say('ready');
  turn();
  expect(warmUps()).toBe(8);
});

test('reads nothing more once it has stopped', async () => {
  const { search, say, turn, warmUps } = setUp();
  say('ready');
  turn();
  await search.stop();
  while (turn() > 0);
  expect(warmUps()).toBe(1);
});

test('gives up when the store cannot be read, and says so in the log', () => {
  const { say, turn, fail, logged, warmUps } = setUp();
  say('ready');
  turn();
  fail();
  while (turn() > 0);
  expect(warmUps()).toBe(2);
  expect(logged).toEqual(['search_warm_up_failed']);
});

test.each([
  [
    { first: 1, last: 500 },
    { before: 501, after: 484 },
  ],
  [
    { first: 1, last: 3 },
    { before: 4, after: 0 },
  ],
  [null, { before: 1, after: 0 }],
])('of %o it reads %o', (range, read) => {
  const asked: object[] = [];
  readForText({
    idRange: () => range,
    ids: (scan) => {
      asked.push(scan);
      return { ids: [], scannedTo: 1, more: false };
    },
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ ...read, filter: { terms: [{ key: 'text' }] } });
});
