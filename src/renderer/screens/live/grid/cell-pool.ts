/**
 * Assigns messages to DOM rows. A message keeps its DOM row while it is on screen, so focus and hover stay. Rows that
 * left are reused for new ones, so scrolling changes texts instead of creating elements.
 *
 * React goes through the rows from first to last, and moves each whose old place is before one that it has passed. The
 * browser then lays the moved row out again. So a row is reused only where the rows that stay need not move for it.
 */
export class CellPool {
  /** The cells of the last call, in their order. */
  #cells = new Map<string, number>();
  #made = 0;

  /** Assigns each key a cell. Keys that were in the last call and are gone release theirs. */
  assign(keys: readonly string[]): number[] {
    const before = [...this.#cells].map(([key, cell], place) => ({ key, cell, place }));
    const places = new Map(before.map(({ key, place }) => [key, place]));
    const wanted = new Set(keys);
    const free = before.filter(({ key }) => !wanted.has(key));
    const nextKept = nextPlaces(keys, places);
    let passed = -1;
    this.#cells = new Map(
      keys.map((key, i) => {
        const known = places.get(key);
        const kept = known === undefined ? undefined : before[known];
        const used = kept ?? takeBetween(free, passed, nextKept[i]!);
        passed = Math.max(passed, used?.place ?? -1);
        return [key, used?.cell ?? this.#made++];
      }),
    );
    return [...this.#cells.values()];
  }
}

interface Freed {
  readonly cell: number;
  /** Where it stood in the last call. */
  readonly place: number;
}

/** For each key where the next one that stays stood, itself included; infinite behind the last of them. */
function nextPlaces(keys: readonly string[], places: ReadonlyMap<string, number>): number[] {
  let next = Number.POSITIVE_INFINITY;
  return keys.map((_, i) => (next = places.get(keys[keys.length - 1 - i]!) ?? next)).reverse();
}

/** Behind the last one that stays any will do, because it alone moves. */
function takeBetween(free: Freed[], above: number, below: number): Freed | undefined {
  const between = free.findIndex(({ place }) => place > above && place < below);
  const at = between === -1 && below === Number.POSITIVE_INFINITY ? 0 : between;
  return at === -1 ? undefined : free.splice(at, 1)[0];
}
