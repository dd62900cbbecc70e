/** Unique message ids, newest first, with binary search. */
import { descendingIndex } from './list.ts';

export class DescendingIds {
  #ids: number[] = [];

  get length(): number {
    return this.#ids.length;
  }
  /** Newest first; undefined past the end. */
  at(index: number): number | undefined {
    return this.#ids[index];
  }
  get newest(): number | undefined {
    return this.#ids[0];
  }
  get oldest(): number | undefined {
    return this.#ids.at(-1);
  }

  indexOf(id: number): number | undefined {
    const index = descendingIndex(this.#ids, id);
    return this.#ids[index] === id ? index : undefined;
  }
  has(id: number): boolean {
    return this.indexOf(id) !== undefined;
  }
  /** How many are newer than this id. */
  countAbove(id: number): number {
    return descendingIndex(this.#ids, id);
  }

  /** Puts an id in its place. */
  add(id: number): void {
    if (!this.has(id)) this.#ids.splice(descendingIndex(this.#ids, id), 0, id);
  }
  /** Appends older ids. Skips those not older than the last one, which are already there. */
  append(ids: readonly number[]): void {
    const last = this.oldest ?? Number.POSITIVE_INFINITY;
    for (const id of ids) if (id < last) this.#ids.push(id);
  }
  /** True when it was there. */
  delete(id: number): boolean {
    const index = this.indexOf(id);
    if (index !== undefined) this.#ids.splice(index, 1);
    return index !== undefined;
  }
  deleteAll(gone: ReadonlySet<number>): void {
    this.#ids = this.#ids.filter((id) => !gone.has(id));
  }
  /** Removes and returns all ids. */
  takeAll(): readonly number[] {
    const ids = this.#ids;
    this.#ids = [];
    return ids;
  }
  /** Drops the oldest beyond this many. */
  truncate(length: number): void {
    if (this.#ids.length > length) this.#ids.length = length;
  }
}
