/**
 * Row ids by rank (oldest = 0), for a list that can be scrolled anywhere. Ids grow by one with each message, so the
 * ranks are kept as runs of consecutive ids. A removal splits a run.
 */
import type { Changes } from './ports/changes.ts';

interface Run {
  first: number;
  last: number;
  /** Rank of `first`. */
  rank: number;
}

const length = ({ first, last }: Run): number => last - first + 1;

export class Ranks {
  #runs: Run[] = [];

  get total(): number {
    const last = this.#runs.at(-1);
    return last === undefined ? 0 : last.rank + length(last);
  }

  /** Adds an id greater than every other. */
  append(id: number): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && last.last === id - 1) last.last = id;
    else this.#runs.push({ first: id, last: id, rank: this.total });
  }

  /** Adds the ids `first` to `last` of an empty list. */
  appendRange(first: number, last: number): void {
    this.#runs.push({ first, last, rank: this.total });
  }

  /** Follows a commit. */
  committed({ inserted, removed }: Pick<Changes, 'inserted' | 'removed'>): void {
    for (const id of inserted) this.append(id);
    this.removeAll(removed);
  }

  /** Removes ids in a single pass over the runs. Ignores ids that are not there. */
  removeAll(ids: readonly number[]): void {
    if (ids.length === 0) return;
    const gone = [...ids].sort((a, b) => a - b);
    const kept: Run[] = this.#runs.slice(
      0,
      this.#find((run) => run.last >= gone[0]!),
    );
    let rank = kept.length === 0 ? 0 : kept.at(-1)!.rank + length(kept.at(-1)!);
    let next = 0;
    const keep = (first: number, last: number): void => {
      if (first > last) return;
      kept.push({ first, last, rank });
      rank += last - first + 1;
    };
    for (const run of this.#runs.slice(kept.length)) {
      let first = run.first;
      while (next < gone.length && gone[next]! < first) next += 1;
      for (; next < gone.length && gone[next]! <= run.last; next += 1) {
        keep(first, gone[next]! - 1);
        first = gone[next]! + 1;
      }
      keep(first, run.last);
    }
    this.#runs = kept;
  }

  /** The id at a rank, or undefined past the end. */
  idAt(rank: number): number | undefined {
    const at = this.#find((run) => run.rank + run.last - run.first >= rank);
    const run = this.#runs[at];
    return run === undefined ? undefined : run.first + rank - run.rank;
  }

  /** The rank of an id, or null when it is not there. */
  rankOf(id: number): number | null {
    const run = this.#runs[this.#find(({ last }) => last >= id)];
    return run === undefined || run.first > id ? null : run.rank + id - run.first;
  }

  /** The first index for which `test` holds; `test` turns from false to true once. */
  #find(test: (run: Run) => boolean): number {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (test(this.#runs[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
