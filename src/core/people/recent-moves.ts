/** How many came in and went within the last minute. */

const MINUTE_MS = 60_000;

interface Moves {
  readonly at: number;
  readonly joined: number;
  readonly left: number;
}

export class RecentMoves {
  #moves: Moves[] = [];

  /** `at` is monotonic time. */
  add(at: number, joined: number, left: number): void {
    if (joined === 0 && left === 0) return;
    this.#forget(at);
    const last = this.#moves.at(-1);
    // At most one entry a second, so that a busy minute stays small.
    if (last !== undefined && at - last.at < 1_000) this.#moves.pop();
    const merged = last !== undefined && at - last.at < 1_000 ? last : { at, joined: 0, left: 0 };
    this.#moves.push({ at: merged.at, joined: merged.joined + joined, left: merged.left + left });
  }

  lastMinute(now: number): { readonly joined: number; readonly left: number } {
    this.#forget(now);
    const sum = (read: (moves: Moves) => number): number => this.#moves.reduce((total, one) => total + read(one), 0);
    return { joined: sum(({ joined }) => joined), left: sum(({ left }) => left) };
  }

  isEmpty(now: number): boolean {
    this.#forget(now);
    return this.#moves.length === 0;
  }

  #forget(now: number): void {
    this.#moves = this.#moves.filter(({ at }) => now - at < MINUTE_MS);
  }
}
