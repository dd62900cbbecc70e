/** How fast rows come and how often the list takes them (design/ui, section 8). */

/** Above this many messages a second the list applies at 4 Hz and the header shows the rate. */
export const BUSY_PER_SECOND = 50;
/** Below this rate rows apply at once again. It is lower, so that a rate near the limit does not flip. */
const CALM_PER_SECOND = 40;
export const BUSY_INTERVAL_MS = 250;
const WINDOW_MS = 2_000;

/** Counts arrivals in a sliding window of two seconds. Times are milliseconds, either all monotonic or all wall. */
export class Pace {
  #arrivals: Array<{ at: number; count: number }> = [];
  #busy = false;
  #appliedAt = Number.NEGATIVE_INFINITY;

  arrived(at: number, count: number): void {
    if (count > 0) this.#arrivals.push({ at, count });
  }

  perSecond(now: number): number {
    this.#arrivals = this.#arrivals.filter(({ at }) => at > now - WINDOW_MS);
    return (this.#arrivals.reduce((sum, { count }) => sum + count, 0) * 1000) / WINDOW_MS;
  }

  busy(now: number): boolean {
    const rate = this.perSecond(now);
    this.#busy = this.#busy ? rate >= CALM_PER_SECOND : rate > BUSY_PER_SECOND;
    return this.#busy;
  }

  /** Milliseconds until the waiting rows may be applied; 0 for at once. */
  wait(now: number): number {
    return this.busy(now) ? Math.max(0, this.#appliedAt + BUSY_INTERVAL_MS - now) : 0;
  }

  applied(now: number): void {
    this.#appliedAt = now;
  }
}
