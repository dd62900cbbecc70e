/** What waits until a page has nothing more urgent to do. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whenIdle, whenRested } from '../../../src/renderer/lib/deferred.tsx';

beforeEach(() => vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('runs once, after the next frame, when the page is idle, and within a second in any case', () => {
  const asked: [run: () => void, options: unknown][] = [];
  vi.stubGlobal('requestIdleCallback', (run: () => void, options: unknown) => asked.push([run, options]));
  const run = vi.fn();
  whenIdle(run);
  expect(asked).toEqual([]);
  vi.runAllTimers();
  expect(asked).toEqual([[run, { timeout: 1_000 }]]);
  expect(run).not.toHaveBeenCalled();
});

it('runs after the next frame where no idle time is told', () => {
  vi.stubGlobal('requestIdleCallback', undefined);
  const run = vi.fn();
  whenIdle(run);
  expect(run).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(run).toHaveBeenCalledTimes(1);
});

it('waits until nothing was typed for half a second', () => {
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run());
  const run = vi.fn();
  whenRested(run);
  for (let key = 0; key < 5; key += 1) {
    vi.advanceTimersByTime(450);
    dispatchEvent(new Event('input'));
  }
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(499);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20);
  expect(run).toHaveBeenCalledTimes(1);
  dispatchEvent(new Event('input'));
  vi.runAllTimers();
  expect(run).toHaveBeenCalledTimes(1);
});

it.each([
  ['before it rested', 100, 0],
  ['after that, before the page is idle', 530, 1],
])('does not run once it was given up %s', (_, ms, begun) => {
  const asked: Array<() => void> = [];
  vi.stubGlobal('requestIdleCallback', (run: () => void) => asked.push(run));
  const run = vi.fn();
  const giveUp = whenRested(run);
  vi.advanceTimersByTime(ms);
  expect(asked).toHaveLength(begun);
  giveUp();
  dispatchEvent(new Event('input'));
  vi.runAllTimers();
  for (const idle of asked) idle();
  expect(run).not.toHaveBeenCalled();
});
