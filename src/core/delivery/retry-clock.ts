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

/** When wall time is this far from monotonic time, someone set the clock or the machine slept. */
const DRIFT_MS = 250;

/**
 * When nobody asked for the time for this long, the machine slept on a system whose monotonic clock runs on during
 * sleep (macOS, Windows). A running engine asks every second.
 */
const SILENCE_MS = 60_000;

/** How many sleeps are remembered. */
const MAX_SLEEPS = 100;

/**
 * The clock for waits, the 4 h window and sync intervals (decisions, Retry clock). At 1x, if never changed, it shows
 * wall time. It never scales the response time limit.
 *
 * It follows the monotonic clock and checks it against the wall clock. When the wall clock has jumped ahead, the
 * machine slept or someone set the clock, and the jump counts. When it was set back, nothing changes: no wait gets
 * longer, and time never runs backwards.
 */
export class RetryClock {
  readonly #clock: Clock;
  readonly #correctedListeners: Array<() => void> = [];
  #state: RetryClockState;
  #monoAt: number;
  /** Monotonic time of the last reading. */
  #askedAt: number;
  /** Pairs of readings between which nothing could run. */
  readonly #sleeps: Array<{ readonly from: number; readonly to: number }> = [];

  /** `notBefore` is a reading that the clock showed before a restart. The clock starts at it or later. */
  constructor(clock: Clock, state?: RetryClockState, notBefore = Number.NEGATIVE_INFINITY) {
    this.#clock = clock;
    const wall = clock.wall();
    this.#monoAt = clock.mono();
    this.#askedAt = this.#monoAt;
    const slept = state === undefined || state.paused === true ? 0 : Math.max(0, wall - state.wallAt) * state.speed;
    const clockAt = Math.max(state === undefined ? wall : state.clockAt + slept, notBefore);
    this.#state = { speed: state?.speed ?? 1, paused: state?.paused ?? false, wallAt: wall, clockAt };
  }

  /** `listener` runs after the wall clock jumped. The state has changed then and must be stored. */
  onCorrected(listener: () => void): void {
    this.#correctedListeners.push(listener);
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

  /** Whether the clock passed `at` while the machine was asleep, so that nothing could happen at that time. */
  sleptPast(at: number): boolean {
    this.#follow();
    return this.#sleeps.some(({ from, to }) => from <= at && at < to);
  }

  /** Real milliseconds until the retry clock shows `at`: 0 when `at` has passed, Infinity while the clock is paused. */
  realDelay(at: number): number {
    const wait = Math.max(0, at - this.now());
    if (wait === 0) return 0;
    return this.#state.paused ? Number.POSITIVE_INFINITY : wait / this.#state.speed;
  }

  /** Continues from the current reading at another speed. A paused clock starts again. */
  setSpeed(speed: number): RetryClockState {
    return this.#set(speed, false, this.now());
  }

  pause(): RetryClockState {
    return this.#set(this.#state.speed, true, this.now());
  }

  resume(): RetryClockState {
    return this.#set(this.#state.speed, false, this.now());
  }

  /** Jumps ahead to `at`, whether running or paused. Does nothing when `at` has passed. */
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
    this.#askedAt = this.#monoAt;
    return this.#state;
  }

  #follow(): void {
    const mono = this.#clock.mono();
    const { speed, paused, clockAt } = this.#state;
    const from = paused ? clockAt : clockAt + (this.#askedAt - this.#monoAt) * speed;
    const wasSilent = mono - this.#askedAt > SILENCE_MS;
    this.#askedAt = mono;
    const jumped = this.#takeOverWall(mono);
    if (jumped || wasSilent) this.#slept(from);
    if (jumped) for (const listener of this.#correctedListeners) listener();
  }

  /** True when the wall clock was set or went ahead in sleep. */
  #takeOverWall(mono: number): boolean {
    const wall = this.#clock.wall();
    const passed = mono - this.#monoAt;
    const ahead = wall - this.#state.wallAt - passed;
    if (Math.abs(ahead) <= DRIFT_MS) return false;
    const { speed, paused, clockAt } = this.#state;
    const real = passed + Math.max(0, ahead);
    this.#state = { speed, paused, wallAt: wall, clockAt: paused ? clockAt : clockAt + real * speed };
    this.#monoAt = mono;
    return true;
  }

  #slept(from: number): void {
    const to = this.#reading();
    if (to > from) this.#sleeps.push({ from, to });
    if (this.#sleeps.length > MAX_SLEEPS) this.#sleeps.shift();
  }
}
