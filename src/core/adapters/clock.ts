import type { Clock, Timer, Timers } from '../ports.ts';

/** The machine's clock. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  mono: () => performance.now(),
};

/** A longer delay overflows Node's 32-bit timer and would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Node's timers. They keep the process alive, because deliveries that are due are still owed. Node counts whole
 * milliseconds and may fire up to one too early; `run` is not called before `delayMs` is over on the monotonic clock.
 */
export const systemTimers: Timers = {
  after(delayMs: number, run: () => void): Timer {
    const dueAt = performance.now() + delayMs;
    let handle: NodeJS.Timeout;
    const arm = (leftMs: number): void => {
      handle = setTimeout(
        () => {
          const stillMs = dueAt - performance.now();
          if (stillMs > 0) arm(stillMs);
          else run();
        },
        Math.min(leftMs, LONGEST_TIMER_MS),
      );
    };
    arm(Math.max(0, delayMs));
    return { cancel: () => clearTimeout(handle) };
  },
  soon(run: () => void): void {
    setImmediate(run);
  },
};
