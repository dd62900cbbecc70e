import type { Clock, Timer, Timers } from '../ports.ts';

/** The machine's clock. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  mono: () => performance.now(),
};

/** A longer delay overflows Node's 32-bit timer and would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Node's timers. They keep the process alive, because deliveries that are due are still owed. */
export const systemTimers: Timers = {
  after(delayMs: number, run: () => void): Timer {
    let handle: NodeJS.Timeout;
    const arm = (leftMs: number): void => {
      const stepMs = Math.min(leftMs, LONGEST_TIMER_MS);
      handle = setTimeout(() => (leftMs > stepMs ? arm(leftMs - stepMs) : run()), stepMs);
    };
    arm(Math.max(0, delayMs));
    return { cancel: () => clearTimeout(handle) };
  },
  soon(run: () => void): void {
    setImmediate(run);
  },
};
