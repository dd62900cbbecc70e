/** Rows that the user hid one by one, with their ranks (oldest = 0), and what that does to the positions of others. */
import { countBelow } from './list.ts';

export class HiddenRanks {
  /** Ascending, and so are the ranks of the same index. */
  #ids: readonly number[] = [];
  #ranks: readonly number[] = [];

  /** Replaces all. */
  set(rows: ReadonlyArray<{ readonly id: number; readonly rank: number }>): void {
    const ascending = [...rows].sort((a, b) => a.rank - b.rank);
    this.#ids = ascending.map(({ id }) => id);
    this.#ranks = ascending.map(({ rank }) => rank);
  }

  has(rank: number): boolean {
    return this.#ranks[countBelow(this.#ranks, rank)] === rank;
  }
  /** How many have a rank from `from` to before `to`. */
  between(from: number, to: number): number {
    return countBelow(this.#ranks, to) - countBelow(this.#ranks, from);
  }

  /** Removed messages (ascending): the ranks above them move down. */
  remove(gone: readonly number[]): void {
    const goneIds = new Set(gone);
    const left = this.#ids
      .map((id, at) => ({ id, rank: (this.#ranks[at] as number) - countBelow(gone, id) }))
      .filter(({ id }) => !goneIds.has(id));
    this.set(left);
  }

  /** The rank of the row with so many visible rows between it and `top`, which is the rank above the newest row. */
  rankBelow(top: number, visible: number): number {
    let low = 0;
    let high = countBelow(this.#ranks, top);
    const hidden = high;
    // The k-th hidden rank from the top stands above the row when it has at most so many visible rows above itself.
    while (low < high) {
      const middle = (low + high) >>> 1;
      const rank = this.#ranks[hidden - 1 - middle] as number;
      if (top - 1 - rank - middle <= visible) low = middle + 1;
      else high = middle;
    }
    return top - 1 - visible - low;
  }
}
