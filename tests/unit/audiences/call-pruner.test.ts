import { beforeEach, expect, test } from 'vitest';
import { CallPruner, KEPT_SYNCS } from '../../../src/core/audiences/call-pruner.ts';
import type { StoredSync } from '../../../src/core/store/ports/syncs.ts';
import { simPorts } from '../../helpers/sim-ports.ts';

const AUDIENCE = 7;
/** Calls of each sync, by its number. */
let calls: Map<number, number>;
let writes: number;
let open: Set<number>;
let reads: number;
let isOver: boolean;

beforeEach(() => {
  calls = new Map();
  writes = 0;
  reads = 0;
  open = new Set();
  isOver = false;
});

function pruner(): { prune: (newest: number) => Promise<void> } {
  const { time, timers } = simPorts();
  const made = new CallPruner({
    syncs: {
      // The id of a sync is its number and 1,000.
      byNumber: (_, n) => {
        reads += 1;
        return { id: n + 1_000, state: open.has(n) ? 'stopped' : 'done' } as StoredSync;
      },
      calls: ({ syncId }) => ((calls.get(syncId - 1_000) ?? 0) > 0 ? [{} as never] : []),
      removeCalls: (syncId, limit) => {
        const left = Math.max(0, (calls.get(syncId - 1_000) ?? 0) - limit);
        calls.set(syncId - 1_000, left);
        return left > 0;
      },
    },
    write: async (job) => {
      writes += 1;
      return job({} as never) as never;
    },
    timers,
  });
  return {
    prune: async (newest) => {
      let done = false;
      const pruning = made
        .prune(AUDIENCE, newest, () => isOver)
        .then(() => {
          done = true;
        });
      while (!done) await time.advance(1);
      await pruning;
    },
  };
}

const withCalls = (): number[] => [...calls].flatMap(([n, left]) => (left > 0 ? [n] : []));

test('the newest 50 syncs keep their calls, and older ones lose them in steps', async () => {
  for (let n = 1; n <= 53; n += 1) calls.set(n, n === 2 ? 2_500 : 1);
  await pruner().prune(53);
  expect(withCalls()).toEqual(Array.from({ length: KEPT_SYNCS }, (_, i) => i + 4));
  expect(writes).toBe(1 + 3 + 1);
});

test('a sync that is not done keeps them', async () => {
  calls.set(1, 5);
  open.add(1);
  await pruner().prune(60);
  expect(withCalls()).toEqual([1]);
});

test('what is gone is not looked at again', async () => {
  const { prune } = pruner();
  await prune(300);
  const before = reads;
  calls.set(251, 1);
  await prune(301);
  expect([reads - before, withCalls()]).toEqual([1, []]);
});

test('it goes no further when the audience is removed or Hookbench stops', async () => {
  for (let n = 1; n <= 55; n += 1) calls.set(n, 1);
  isOver = true;
  const { prune } = pruner();
  await prune(55);
  expect(writes).toBe(0);
  isOver = false;
  await prune(55);
  expect(withCalls()).toHaveLength(KEPT_SYNCS);
});
