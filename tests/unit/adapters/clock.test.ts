/** Node's timers as the engine uses them. */
import { afterEach, expect, test, vi } from 'vitest';
import { systemTimers } from '../../../src/core/adapters/clock.ts';

afterEach(() => vi.useRealTimers());

test('none is early, not by a fraction of a millisecond', async () => {
  // A loop that turns all the time looks at its timers in every fraction of the millisecond that Node counts.
  let turning = true;
  const turn = (): void => {
    if (turning) setImmediate(turn);
  };
  turn();
  const waits: Array<Promise<boolean>> = [];
  for (let i = 0; i < 400; i++) {
    const [ms, startedAt] = [1 + (i % 7), performance.now()];
    const wait = new Promise<void>((done) => systemTimers.after(ms, done));
    waits.push(wait.then(() => performance.now() - startedAt < ms));
    await new Promise((begun) => setImmediate(begun));
  }
  const early = await Promise.all(waits);
  turning = false;
  expect(early.filter(Boolean)).toEqual([]);
});

const LONGEST_OF_NODE_MS = 2 ** 31 - 1;

test('a wait that is longer than the longest timer of Node ends when it is over', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const run = vi.fn();
  systemTimers.after(LONGEST_OF_NODE_MS + 5_000, run);
  vi.advanceTimersByTime(LONGEST_OF_NODE_MS + 4_999);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(1);
});

test('is cancelled, also after its first part', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const run = vi.fn();
  const [short, long] = [systemTimers.after(10, run), systemTimers.after(LONGEST_OF_NODE_MS + 5_000, run)];
  short.cancel();
  vi.advanceTimersByTime(LONGEST_OF_NODE_MS + 1);
  long.cancel();
  vi.advanceTimersByTime(10_000);
  expect(run).not.toHaveBeenCalled();
});
