/** Which messages are selected, by id. Selecting by ranges works as in any list: Shift extends from an anchor. */
export class PickedIds {
  readonly #ids = new Set<number>();
  /** Where the next range begins. */
  #anchor: number | null = null;
  /** What the last range added. The next range from the same anchor takes its place. */
  #added: number[] = [];

  get count(): number {
    return this.#ids.size;
  }
  get anchor(): number | null {
    return this.#anchor;
  }
  has(id: number): boolean {
    return this.#ids.has(id);
  }
  values(): Iterable<number> {
    return this.#ids;
  }

  /** The next range begins here. What was selected so far stays. */
  anchorAt(id: number): void {
    this.#anchor = id;
    this.#added = [];
  }

  toggle(id: number): void {
    if (!this.#ids.delete(id)) this.#ids.add(id);
    this.anchorAt(id);
  }

  /** A new range from the anchor begins: the last one is given back. */
  dropRange(): void {
    for (const id of this.#added) this.#ids.delete(id);
    this.#added = [];
  }
  /** Adds ids to the range from the anchor. */
  addToRange(ids: Iterable<number>): void {
    for (const id of ids) {
      if (this.#ids.has(id)) continue;
      this.#ids.add(id);
      this.#added.push(id);
    }
  }

  /** True when one of them was selected. */
  remove(ids: Iterable<number>): boolean {
    const before = this.#ids.size;
    for (const id of ids) this.#ids.delete(id);
    return this.#ids.size < before;
  }

  clear(): void {
    this.#ids.clear();
    this.#anchor = null;
    this.#added = [];
  }
}
