/** What waits until a page has nothing more urgent to do. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whenIdle } from '../../../src/renderer/lib/deferred.tsx';

beforeEach(() => vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'setTimeout'] }));
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
