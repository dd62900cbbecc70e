/**
 * The calls of all people in columns: 48 bytes a call and nothing for the garbage collector to look at. A row is a
 * call, in the order of arrival. The rows of a person are linked from the newest to the oldest. Removed rows stay,
 * without a person, until {@link CallLog.compact}.
 */
import { grown } from './grown.ts';

/** One call as it is kept. Times are milliseconds of the retry clock, except `time` (wall). */
export interface CallRow {
  /** Row id of its message; ascending. */
  readonly id: number;
  readonly at: number;
  readonly arrivedAt: number;
  readonly time: number;
  readonly person: number;
  /** Number of its kind; see `kinds.ts`. */
  readonly kind: number;
  /** Of an identify call: which traits came from which source; see `trait-senders.ts`. */
  readonly shape: number;
}

/** No row, no person. */
export const NONE = -1;

/** Fewer removed rows than this are not worth closing the gaps. */
const WASTE = 10_000;

export class CallLog {
  readonly #waste: number;
  #length = 0;
  #dead = 0;
  #id = new Float64Array(0);
  #at = new Float64Array(0);
  #arrivedAt = new Float64Array(0);
  #time = new Float64Array(0);
  #person = new Int32Array(0);
  #kind = new Int32Array(0);
  #shape = new Int32Array(0);
  #previous = new Int32Array(0);

  constructor(waste = WASTE) {
    this.#waste = waste;
  }

  /** Rows, removed ones included. */
  get length(): number {
    return this.#length;
  }

  /** Calls that are not removed. */
  get live(): number {
    return this.#length - this.#dead;
  }

  /** Message id of the newest row; 0 when there is none. */
  get newestId(): number {
    return this.#id[this.#length - 1] ?? 0;
  }

  id(row: number): number {
    return this.#id[row]!;
  }

  at(row: number): number {
    return this.#at[row]!;
  }

  arrivedAt(row: number): number {
    return this.#arrivedAt[row]!;
  }

  time(row: number): number {
    return this.#time[row]!;
  }

  /** {@link NONE} for a removed row. */
  person(row: number): number {
    return this.#person[row]!;
  }

  kind(row: number): number {
    return this.#kind[row]!;
  }

  shape(row: number): number {
    return this.#shape[row]!;
  }

  /** The next older row of the same person, removed ones included; {@link NONE} after the oldest. */
  previous(row: number): number {
    return this.#previous[row]!;
  }

  /** `newest` is the person's newest row so far. Returns the new row. */
  push(call: CallRow, newest: number): number {
    const row = this.#length;
    this.#grow(row + 1);
    this.#length += 1;
    this.#id[row] = call.id;
    this.#at[row] = call.at;
    this.#arrivedAt[row] = call.arrivedAt;
    this.#time[row] = call.time;
    this.#person[row] = call.person;
    this.#kind[row] = call.kind;
    this.#shape[row] = call.shape;
    this.#previous[row] = newest;
    return row;
  }

  /** The row of a message that is not removed; {@link NONE} when there is none. */
  find(id: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#id[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low < this.#length && this.#id[low] === id && this.#person[low] !== NONE ? low : NONE;
  }

  remove(row: number): void {
    if (this.#person[row] === NONE) return;
    this.#person[row] = NONE;
    this.#dead += 1;
  }

  /** Whether removed rows take more room than the others. */
  get wasteful(): boolean {
    return this.#dead > this.#waste && this.#dead > this.live;
  }

  /**
   * Closes the gaps. Calls `moved` for each row that stays, in order, so that others can move what they keep of it, and
   * links the rows of each person again; `newestOf` is told the newest row of a person.
   */
  compact(moved: (from: number, to: number) => void, newestOf: Int32Array): void {
    let to = 0;
    newestOf.fill(NONE);
    for (let from = 0; from < this.#length; from += 1) {
      const person = this.#person[from]!;
      if (person === NONE) continue;
      for (const column of [this.#id, this.#at, this.#arrivedAt, this.#time, this.#person, this.#kind, this.#shape])
        column[to] = column[from]!;
      this.#previous[to] = newestOf[person]!;
      newestOf[person] = to;
      moved(from, to);
      to += 1;
    }
    this.#length = to;
    this.#dead = 0;
  }

  #grow(length: number): void {
    if (length <= this.#id.length) return;
    this.#id = grown(this.#id, length);
    this.#at = grown(this.#at, length);
    this.#arrivedAt = grown(this.#arrivedAt, length);
    this.#time = grown(this.#time, length);
    this.#person = grown(this.#person, length);
    this.#kind = grown(this.#kind, length);
    this.#shape = grown(this.#shape, length);
    this.#previous = grown(this.#previous, length);
  }
}
