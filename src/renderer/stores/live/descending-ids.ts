/** Ids of messages without repeats, newest first, found by halving. */
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
  /** Adds ids at the old end; those that are not older than its last one are there already. */
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
  /** Empties it and gives what was in it. */
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
