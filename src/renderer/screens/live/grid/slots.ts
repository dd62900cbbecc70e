/** Rows and day dividers as one run of slots of equal height: what is drawn and scrolled. */
import { useMemo } from 'react';
import { formatDay } from '../../../lib/format.ts';
import { countBelow, type DayBreak } from '../../../stores/live/list.ts';
import type { ListView, LiveRows } from '../../../stores/live/snapshot.ts';
import { getRow } from '../../../stores/records.ts';

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

/** The slot of a row, or undefined while it is not in the list. */
export function slotOf(slots: Slots, list: ListView, id: number | null): number | undefined {
  const position = id === null ? undefined : list.positionOf(id);
  return position === undefined ? undefined : slots.ofPosition(position);
}

/** Recomputed only when the list changed. */
export function useSlots({ list, count }: LiveRows): Slots {
  return useMemo(() => new Slots(count, list.breaks(), leadingDay(list)), [list, count]);
}

/** The day to write above the newest row, when that is not of today. */
function leadingDay(list: ListView): string | null {
  const id = list.idAt(0);
  const newest = id === undefined ? undefined : getRow(id);
  const day = newest === undefined ? null : formatDay(newest.receivedAt);
  return day === formatDay(Date.now()) ? null : day;
}
