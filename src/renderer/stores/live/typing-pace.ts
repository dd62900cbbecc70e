/**
 * How long the list waits for a further key while a filter is typed: not at all as long as the engine answers quickly,
 * because a search that the next key gives up costs it one short step. After a slow answer, until the typing rests.
 */

/** An answer within this time is quick, in milliseconds. */
const QUICK_MS = 50;
export const REST_MS = 80;

export class TypingPace {
  /** When the oldest search without an answer began. Searches that were given up have none, so keys cannot hide a slow engine. */
  #askedAt: number | null = null;
  #wasSlow = false;

  asked(at: number): void {
    this.#askedAt ??= at;
  }

  /** The newest search has its first rows. */
  answered(at: number): void {
    this.#wasSlow = this.#isLate(at);
    this.#askedAt = null;
  }

  /** Milliseconds to wait after a key at this time. */
  wait(at: number): number {
    return this.#wasSlow || this.#isLate(at) ? REST_MS : 0;
  }

  #isLate(at: number): boolean {
    return this.#askedAt !== null && at - this.#askedAt > QUICK_MS;
  }
}
