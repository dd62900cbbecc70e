/**
 * What the retry clock showed at a past wall time. Rules measure ages on the retry clock, while a stored call has the
 * wall time of its receipt. Each change of the clock adds a stretch, which holds until the next one.
 */

/** From wall time `wallAt` on, the clock ran from `clockAt` at `speed`, or stood still. Milliseconds. */
export interface ClockStretch {
  readonly speed: number;
  readonly paused: boolean;
  readonly wallAt: number;
  readonly clockAt: number;
}

/** More changes than this are not kept; the oldest go. */
export const MAX_STRETCHES = 2_000;

/**
 * The history with one more stretch. When the wall clock was set back, stretches that begin later than the new one are
 * dropped, so that they stay in order.
 */
export function withStretch(history: readonly ClockStretch[], stretch: ClockStretch): ClockStretch[] {
  const before = history.filter(({ wallAt }) => wallAt < stretch.wallAt);
  return [...before.slice(-(MAX_STRETCHES - 1)), stretch];
}

/**
 * Retry-clock time at wall time `wall`. Before the first stretch the clock ran as fast as the wall clock; without a
 * history it always did.
 */
export function clockAtWall(history: readonly ClockStretch[], wall: number): number {
  const first = history[0];
  if (first === undefined) return wall;
  if (wall < first.wallAt) return first.clockAt - (first.wallAt - wall);
  const { speed, paused, wallAt, clockAt } = history[lastBefore(history, wall)]!;
  return paused ? clockAt : clockAt + (wall - wallAt) * speed;
}

function lastBefore(history: readonly ClockStretch[], wall: number): number {
  let low = 0;
  let high = history.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (history[middle]!.wallAt <= wall) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * When a call happened, on the retry clock: as long before its receipt as its timestamp says. A timestamp later than
 * the receipt counts as the receipt.
 */
export const happenedAt = (history: readonly ClockStretch[], receivedAt: number, timestamp: number | null): number =>
  clockAtWall(history, receivedAt) - Math.max(0, receivedAt - (timestamp ?? receivedAt));
