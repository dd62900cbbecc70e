/** Retry-clock arithmetic (the contract's ClockView). Times are epoch milliseconds. */
import type { ClockView } from '../../contract/values.ts';

/** Retry-clock time at a wall time. */
export const clockTime = (clock: ClockView, wall: number): number =>
  clock.paused ? clock.clockAt : clock.clockAt + (wall - clock.wallAt) * clock.speed;

/**
 * Wall time at which the retry clock will show `at`, at the current speed. Infinity while the clock is paused before
 * `at`.
 */
export const wallTime = (clock: ClockView, at: number): number =>
  clock.paused && at > clock.clockAt ? Number.POSITIVE_INFINITY : clock.wallAt + (at - clock.clockAt) / clock.speed;

/** Real milliseconds until the retry clock shows `at`: 0 when `at` has passed, Infinity while the clock is paused. */
export const realWait = (clock: ClockView, at: number, wall: number): number => Math.max(0, wallTime(clock, at) - wall);
