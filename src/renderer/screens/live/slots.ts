/** Rows and day dividers as one run of slots of equal height: what is drawn and scrolled. */
import { countBelow, type DayBreak } from '../../stores/live/list.ts';

export type Slot = { readonly kind: 'row'; readonly position: number } | { readonly kind: 'day'; readonly day: string };

export class Slots {
  readonly count: number;
  readonly #days: readonly string[];
  /** Slot of each divider, ascending. */
  readonly #at: readonly number[];
  /** Position under each divider, ascending. */
  readonly #positions: readonly number[];

  /** `leading` is a day to write above the first row: the newest row is not of today. */
  constructor(rows: number, breaks: readonly DayBreak[], leading: string | null) {
    const inside = breaks.filter(({ position }) => position > 0 && position < rows);
    const all = leading === null || rows === 0 ? inside : [{ position: 0, day: leading }, ...inside];
    this.#days = all.map(({ day }) => day);
    this.#positions = all.map(({ position }) => position);
    this.#at = all.map(({ position }, index) => position + index);
    this.count = rows + all.length;
  }

  at(slot: number): Slot {
    const dividers = countBelow(this.#at, slot);
    if (this.#at[dividers] === slot) return { kind: 'day', day: this.#days[dividers] as string };
    return { kind: 'row', position: slot - dividers };
  }

  ofPosition(position: number): number {
    return position + countBelow(this.#positions, position + 1);
  }

  /** The first row at or under a slot. */
  positionNear(slot: number): number {
    return slot - countBelow(this.#at, slot);
  }
}
