/**
 * Row ids by rank (oldest = 0), for a list that can be scrolled anywhere. Ids grow by one with each
 * message, so the ranks are kept as runs of consecutive ids; a removal splits a run.
 */
interface Run {
  first: number;
  last: number;
  /** Rank of `first`. */
  rank: number;
}

export class Ranks {
  #runs: Run[] = [];

  get total(): number {
    const last = this.#runs.at(-1);
    return last === undefined ? 0 : last.rank + last.last - last.first + 1;
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

  remove(id: number): void {
    const at = this.#find((run) => run.last >= id);
    const run = this.#runs[at];
    if (run === undefined || run.first > id) return;
    const parts: Run[] = [];
    if (run.first < id) parts.push({ first: run.first, last: id - 1, rank: run.rank });
    if (run.last > id) parts.push({ first: id + 1, last: run.last, rank: run.rank + id - run.first });
    this.#runs.splice(at, 1, ...parts);
    for (const later of this.#runs.slice(at + parts.length)) later.rank -= 1;
  }

  /** The id at a rank, or undefined past the end. */
  idAt(rank: number): number | undefined {
    const at = this.#find((run) => run.rank + run.last - run.first >= rank);
    const run = this.#runs[at];
    return run === undefined ? undefined : run.first + rank - run.rank;
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
