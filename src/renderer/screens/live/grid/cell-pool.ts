/**
 * Which DOM row shows which message. A message keeps its DOM row while it is on screen (so focus and hover stay),
 * and rows that left are used again for those that came: scrolling changes texts instead of making elements.
 */
export class CellPool {
  #cells = new Map<string, number>();
  #free: number[] = [];
  #made = 0;

  /** Gives each key its cell. Keys of the last call that are gone free theirs. */
  assign(keys: readonly string[]): number[] {
    const wanted = new Set(keys);
    for (const [key, cell] of this.#cells) {
      if (wanted.has(key)) continue;
      this.#cells.delete(key);
      this.#free.push(cell);
    }
    return keys.map((key) => {
      const known = this.#cells.get(key);
      if (known !== undefined) return known;
      const cell = this.#free.pop() ?? this.#made++;
      this.#cells.set(key, cell);
      return cell;
    });
  }
}
