/**
 * Assigns messages to DOM rows. A message keeps its DOM row while it is on screen, so focus and hover stay. Rows that
 * left are reused for new ones, so scrolling changes texts instead of creating elements.
 */
export class CellPool {
  #cells = new Map<string, number>();
  #free: number[] = [];
  #made = 0;

  /** Assigns each key a cell. Keys that were in the last call and are gone release theirs. */
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
