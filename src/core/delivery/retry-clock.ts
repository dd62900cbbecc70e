import type { Clock } from '../ports.ts';

/** The retry clock as it is stored: at wall time `wallAt` it showed `clockAt`, and it runs `speed` times as fast. */
export interface RetryClockState {
  readonly speed: number;
  readonly wallAt: number;
  readonly clockAt: number;
}

/**
 * The clock of waits, of the 4 h window and of sync intervals (decisions, Retry clock). At 1x and never
 * changed it is the wall clock. It never scales the response time limit.
 */
export class RetryClock {
  readonly #clock: Clock;
  #state: RetryClockState;

  constructor(clock: Clock, state?: RetryClockState) {
    this.#clock = clock;
    const wall = clock.wall();
    this.#state = state ?? { speed: 1, wallAt: wall, clockAt: wall };
  }

  get state(): RetryClockState {
    return this.#state;
  }

  /** Whole epoch milliseconds of the retry clock. */
  now(): number {
    const { speed, wallAt, clockAt } = this.#state;
    return Math.round(clockAt + (this.#clock.wall() - wallAt) * speed);
  }

  /** Real milliseconds until the retry clock shows `at`; 0 when it has. */
  realDelay(at: number): number {
    return Math.max(0, (at - this.now()) / this.#state.speed);
  }

  /** Goes on from the present reading at another speed. */
  setSpeed(speed: number): RetryClockState {
    this.#state = { speed, wallAt: this.#clock.wall(), clockAt: this.now() };
    return this.#state;
  }
}
