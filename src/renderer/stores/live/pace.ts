/** How fast rows come, how often they are applied, and what is said aloud of them (design/ui, sections 8 and 10). */
import type { MessageStateName } from '../../../contract/values.ts';

/** Above this many messages a second the list applies at 4 Hz and the header shows the rate. */
export const BUSY_PER_SECOND = 50;
/** Back to applying at once below this, so that a rate near the limit does not flip. */
const CALM_PER_SECOND = 40;
export const BUSY_INTERVAL_MS = 250;
const WINDOW_MS = 2_000;

/** Counts arrivals in a sliding window of two seconds. Times are monotonic or wall milliseconds, but of one kind. */
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

  /** Milliseconds until what waits may be applied; 0 at once. */
  wait(now: number): number {
    return this.busy(now) ? Math.max(0, this.#appliedAt + BUSY_INTERVAL_MS - now) : 0;
  }

  applied(now: number): void {
    this.#appliedAt = now;
  }
}

const ATTENTION = new Set<MessageStateName>(['rejected', 'failed', 'expired']);
export const needsAttention = (state: MessageStateName): boolean => ATTENTION.has(state);

export const ANNOUNCE_EVERY_MS = 10_000;

/** Gathers news into one sentence at most every ten seconds. */
export class Announcer {
  #arrived = 0;
  #attention = new Set<number>();
  #saidAt = Number.NEGATIVE_INFINITY;

  arrived(count: number): void {
    this.#arrived += count;
  }

  /** A message came into (or left) a state that wants a look. */
  state(id: number, state: MessageStateName): void {
    if (needsAttention(state)) this.#attention.add(id);
    else this.#attention.delete(id);
  }

  /** The sentence that is due, or null. */
  take(now: number): string | null {
    if (now - this.#saidAt < ANNOUNCE_EVERY_MS) return null;
    const parts = [];
    if (this.#arrived > 0) parts.push(`${this.#arrived} new ${this.#arrived === 1 ? 'message' : 'messages'}`);
    if (this.#attention.size > 0)
      parts.push(`${this.#attention.size} ${this.#attention.size === 1 ? 'needs' : 'need'} attention`);
    if (parts.length === 0) return null;
    this.#saidAt = now;
    this.#arrived = 0;
    this.#attention.clear();
    return `${parts.join(', ')}.`;
  }
}

/** How long a row counts as just entered (the fade of design/ui, section 3). */
const ENTERED_MS = 600;

/** Which rows entered the list a moment ago. */
export class Entered {
  readonly #at = new Map<number, number>();

  add(ids: readonly number[], now: number): void {
    for (const [id, at] of this.#at) if (now - at >= ENTERED_MS) this.#at.delete(id);
    for (const id of ids) this.#at.set(id, now);
  }

  has(id: number, now: number): boolean {
    const at = this.#at.get(id);
    return at !== undefined && now - at < ENTERED_MS;
  }
}
