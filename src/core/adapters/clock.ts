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
  after: (delayMs, run) => new SystemTimer(delayMs, run),
  soon(run: () => void): void {
    setImmediate(run);
  },
};

/**
 * Node counts whole milliseconds and may fire up to one too early; `run` is not called before `delayMs` is over on the
 * monotonic clock. A class, because in a loop of attempts closures in its place kept cancelled timers, and attempts with
 * them, in memory until the next full garbage collection.
 */
class SystemTimer implements Timer {
  readonly #dueAt: number;
  readonly #run: () => void;
  #handle: NodeJS.Timeout;

  constructor(delayMs: number, run: () => void) {
    this.#dueAt = performance.now() + delayMs;
    this.#run = run;
    this.#handle = this.#arm(Math.max(0, delayMs));
  }

  cancel(): void {
    clearTimeout(this.#handle);
  }

  #arm(leftMs: number): NodeJS.Timeout {
    return setTimeout(SystemTimer.#fire, Math.min(leftMs, LONGEST_TIMER_MS), this);
  }

  static #fire(timer: SystemTimer): void {
    const leftMs = timer.#dueAt - performance.now();
    if (leftMs > 0) timer.#handle = timer.#arm(leftMs);
    else timer.#run();
  }
}
