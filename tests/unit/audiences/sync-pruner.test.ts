import { beforeEach, expect, test } from 'vitest';
import { AUDIENCE_LIMITS } from '../../../src/contract/audiences.ts';
import { KEPT_WITH_CALLS, SyncPruner } from '../../../src/core/audiences/sync-pruner.ts';
import type { StoredSync } from '../../../src/core/store/ports/syncs.ts';
import { simPorts } from '../../helpers/sim-ports.ts';

const AUDIENCE = 7;
/** Calls of each sync, by its number. */
let calls: Map<number, number>;
let writes: number;
let open: Set<number>;
let reads: number;
let isOver: boolean;
/** Numbers of the first sync that is stored and of those that the pruner removed last. */
let oldest: number;
let removed: number[];

beforeEach(() => {
  calls = new Map();
  writes = 0;
  reads = 0;
  open = new Set();
  isOver = false;
  oldest = 1;
  removed = [];
});

function pruner(): { prune: (newest: number) => Promise<void> } {
  const { time, timers } = simPorts();
  const made = new SyncPruner({
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
      oldestNumber: () => oldest,
      removeOld: ({ upTo, limit }) => {
        const went = Math.max(0, Math.min(limit, upTo - oldest + 1));
        oldest += open.has(oldest) ? 0 : went;
        removed.push(went);
        return open.has(oldest) ? 0 : went;
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
  expect(withCalls()).toEqual(Array.from({ length: KEPT_WITH_CALLS }, (_, i) => i + 4));
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
  expect(withCalls()).toHaveLength(KEPT_WITH_CALLS);
});

test('the newest 1,000 syncs stay; older ones go in steps, and are not looked at again after a start', async () => {
  await pruner().prune(1_000);
  expect(removed).toEqual([]);
  await pruner().prune(1_450);
  expect([oldest, removed]).toEqual([451, [200, 200, 50]]);
  const before = reads;
  await pruner().prune(1_450);
  expect([oldest, reads - before]).toEqual([451, AUDIENCE_LIMITS.syncs - KEPT_WITH_CALLS]);
});

test('an old sync that cannot go does not hold the others up for ever', async () => {
  open.add(1);
  await pruner().prune(1_300);
  expect([oldest, removed]).toEqual([1, [200]]);
});

test('no sync goes once Hookbench stops', async () => {
  isOver = true;
  await pruner().prune(1_300);
  expect([oldest, removed]).toEqual([1, []]);
});
