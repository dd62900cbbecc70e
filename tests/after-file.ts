/** For files that share a process: takes back what a file leaves. Vitest itself restores the spies. */
import { afterAll, expect, vi } from 'vitest';

/** As the machine has them. A spy restored after its fake clock ended leaves the clock's functions, which never call. */
const TIMERS = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate, Date } as const;
type Timer = keyof typeof TIMERS;

function takeBackTimers(): void {
  const left = (Object.keys(TIMERS) as Timer[]).filter((name) => globalThis[name] !== TIMERS[name]);
  Object.assign(globalThis, TIMERS);
  expect(left, 'timers that this file left faked: restore spies before vi.useRealTimers()').toEqual([]);
}

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  // So that the next file has modules with a state of their own. Packages stay, as Node loads them.
  vi.resetModules();
  takeBackTimers();
});
