/** Where one day of rows ends and the next begins. A break has the key of its older row: a rank, or an id. */
import type { DayBreak } from './list.ts';

export class DayBreaks {
  /** Day of the older row, by its key. */
  readonly #days = new Map<number, string>();
  #sorted: readonly DayBreak[] | null = null;

  /** Compares two neighbours. A row that was never fetched has no day and makes no break. */
  compare(key: number, day: string | undefined, newerDay: string | undefined): void {
    if (day === undefined || newerDay === undefined) return;
    const kept = day === newerDay ? undefined : day;
    if (this.#days.get(key) === kept) return;
    if (kept === undefined) this.#days.delete(key);
    else this.#days.set(key, kept);
    this.#sorted = null;
  }

  clear(): void {
    this.#days.clear();
    this.#sorted = null;
  }

  /** The positions of rows have changed. */
  moved(): void {
    this.#sorted = null;
  }

  /** In ascending order of position, the older one last where rows between two are hidden, without the one above the first row; a row that is not shown has no position. */
  sorted(positionOf: (key: number) => number | undefined): readonly DayBreak[] {
    this.#sorted ??= [...this.#days]
      .map(([key, day]) => ({ key, position: positionOf(key) ?? 0, day }))
      .filter(({ position }) => position > 0)
      .sort((a, b) => a.position - b.position || b.key - a.key)
      .map(({ position, day }) => ({ position, day }));
    return this.#sorted;
  }
}
