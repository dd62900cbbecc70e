/** A retry of everything that waits: a batch at a time, each message once, for about a second. */
import { beforeEach, expect, test } from 'vitest';
import type { RetriedAll } from '../../../src/contract/values.ts';
import { type RetryAllDeps, retryAllHandlers } from '../../../src/core/serving/handlers/retry-all.ts';

/** Ids of the messages that wait. */
let waiting: number[];
let last: number;
let now: number;
/** Milliseconds that one transaction takes. */
let writeMs: number;
/** How many ids one search looks at before its time is over. */
let stepIds: number;
let batches: number[][];
/** For each search, the milliseconds after which it was told to stop. */
let searchMs: number[];
let retry: (before?: number) => Promise<RetriedAll>;

interface Search {
  filter: unknown;
  before: number;
  after: number;
  limit: number;
  keepGoing: () => boolean;
}

beforeEach(() => {
  waiting = [];
  last = 0;
  now = 0;
  writeMs = 0;
  stepIds = Number.POSITIVE_INFINITY;
  batches = [];
  searchMs = [];
  const deps = {
    lists: {
      idRange: () => (last === 0 ? null : { first: 1, last }),
      ids: ({ filter, before, after, limit, keepGoing }: Search) => {
        const start = now;
        while (keepGoing() && now < start + 100) now += 1;
        searchMs.push(now - start);
        now = start;
        expect(filter).toEqual({ terms: [{ key: 'status', values: ['retrying'] }] });
        const bottom = Math.max(after, before - 1 - stepIds);
        const ids = waiting.filter((id) => id < before && id > bottom).slice(0, limit);
        const isFull = ids.length === limit;
        const scannedTo = isFull ? ids.at(-1)! : bottom + 1;
        return { ids, scannedTo, more: isFull || bottom > after };
      },
    },
    dispatcher: {
      retryAllNow: async (ids: readonly number[]) => {
        batches.push([...ids]);
        now += writeMs;
        return ids.length;
      },
    },
    clock: { mono: () => now },
  };
  const handlers = retryAllHandlers(deps as unknown as RetryAllDeps);
  retry = async (before) => handlers['messages.retryAllNow']({ before });
});

const wait = (n: number) => {
  last = n;
  waiting = Array.from({ length: n }, (_, i) => n - i);
};

test('makes nothing due where there is no message', async () => {
  expect(await retry()).toEqual({ made: 0, next: null });
  expect(batches).toEqual([]);
});

test('takes 500 at a time, the newest first, and each once', async () => {
  wait(1_203);
  expect(await retry()).toEqual({ made: 1_203, next: null });
  expect(batches.map(({ length }) => length)).toEqual([500, 500, 203]);
  expect(batches.flat()).toEqual(waiting);
});

test('ends after a second with the place where the next command goes on', async () => {
  wait(1_600);
  writeMs = 500;
  const first = await retry();
  expect(first).toEqual({ made: 1_000, next: 601 });
  expect(await retry(first.next!)).toEqual({ made: 600, next: null });
  expect(batches.flat()).toEqual(waiting);
});

test('answers when a search has found none in its time, so that others get their turn', async () => {
  wait(3);
  last = 40;
  stepIds = 10;
  expect(await retry()).toEqual({ made: 0, next: 31 });
  expect(batches).toEqual([]);
  expect(await retry(11)).toEqual({ made: 3, next: null });
});

test('each search has 6 ms of its own, so that other work waits no longer', async () => {
  wait(1_203);
  writeMs = 100;
  await retry();
  expect(searchMs).toEqual([6, 6, 6]);
});
