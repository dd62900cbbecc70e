import type { Clock } from '../ports.ts';

/**
 * The retry clock as it is stored: at wall time `wallAt` it showed `clockAt`, and it runs `speed` times as fast,
 * or stands still while paused.
 */
export interface RetryClockState {
  readonly speed: number;
  readonly paused: boolean;
  readonly wallAt: number;
  readonly clockAt: number;
}

/** Wall time that is this far from the monotonic time was set by someone, or the machine slept. */
const DRIFT_MS = 250;

/**
 * The clock of waits, of the 4 h window and of sync intervals (decisions, Retry clock). At 1x and never
 * changed it is the wall clock. It never scales the response time limit.
 *
 * It follows the monotonic clock and checks it against the wall clock. A wall clock that went ahead means that the
 * machine slept (or that someone set it): the time counts. One that was set back counts for nothing: no wait
 * becomes longer by it, and time never runs backwards.
 */
export class RetryClock {
  readonly #clock: Clock;
  readonly #corrected: () => void;
  #state: RetryClockState;
  #monoAt: number;

  /**
   * `notBefore` is a reading that the clock has shown before, in an earlier life: it starts there at least.
   * `corrected` is called after the wall clock jumped: the state is another one then and wants to be stored.
   */
  constructor(
    clock: Clock,
    state?: RetryClockState,
    notBefore = Number.NEGATIVE_INFINITY,
    corrected: () => void = () => {},
  ) {
    this.#clock = clock;
    this.#corrected = corrected;
    const wall = clock.wall();
    this.#monoAt = clock.mono();
    const slept = state === undefined || state.paused === true ? 0 : Math.max(0, wall - state.wallAt) * state.speed;
    const clockAt = Math.max(state === undefined ? wall : state.clockAt + slept, notBefore);
    this.#state = { speed: state?.speed ?? 1, paused: state?.paused ?? false, wallAt: wall, clockAt };
  }

  get state(): RetryClockState {
    this.#follow();
    return this.#state;
  }

  /** Whole epoch milliseconds of the retry clock. Never less than before. */
  now(): number {
    this.#follow();
    return Math.round(this.#reading());
  }

  /** Real milliseconds until the retry clock shows `at`; 0 when it has, Infinity while it is paused. */
  realDelay(at: number): number {
    const wait = Math.max(0, at - this.now());
    if (wait === 0) return 0;
    return this.#state.paused ? Number.POSITIVE_INFINITY : wait / this.#state.speed;
  }

  /** Goes on from the present reading at another speed; a paused clock runs again. */
  setSpeed(speed: number): RetryClockState {
    return this.#set(speed, false, this.now());
  }

  pause(): RetryClockState {
    return this.#set(this.#state.speed, true, this.now());
  }

  resume(): RetryClockState {
    return this.#set(this.#state.speed, false, this.now());
  }

  /** Goes ahead to `at` at once, running or paused; a reading that is past stays. */
  step(at: number): RetryClockState {
    return this.#set(this.#state.speed, this.#state.paused, Math.max(at, this.now()));
  }

  #reading(): number {
    const { speed, paused, clockAt } = this.#state;
    return paused ? clockAt : clockAt + (this.#clock.mono() - this.#monoAt) * speed;
  }

  #set(speed: number, paused: boolean, clockAt: number): RetryClockState {
    this.#state = { speed, paused, wallAt: this.#clock.wall(), clockAt };
    this.#monoAt = this.#clock.mono();
    return this.#state;
  }

  #follow(): void {
    const wall = this.#clock.wall();
    const passed = this.#clock.mono() - this.#monoAt;
    const ahead = wall - this.#state.wallAt - passed;
    if (Math.abs(ahead) <= DRIFT_MS) return;
    const { speed, paused, clockAt } = this.#state;
    const real = passed + Math.max(0, ahead);
    this.#state = { speed, paused, wallAt: wall, clockAt: paused ? clockAt : clockAt + real * speed };
    this.#monoAt = this.#clock.mono();
    this.#corrected();
  }
}
