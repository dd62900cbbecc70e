/**
 * What the two lists of the live stream share: rows newest first, addressed by position, with new rows held back while
 * the user reads (design/ui, section 8). No clock and no I/O: times and rows come as arguments.
 */

/** What a list must know of a row. The row itself is in the records store. */
export interface Entry {
  readonly id: number;
  readonly receivedAt: number;
}

export interface DayBreak {
  /** The divider stands above the row at this position. */
  readonly position: number;
  /** The day of the rows under it, as {@link DayOf} writes it. */
  readonly day: string;
}

export type DayOf = (receivedAt: number) => string;

export interface LiveList {
  /** Rows shown; position 0 is the newest. */
  readonly count: number;
  /** Held rows that wait above the list. */
  readonly held: number;
  /** How many rows belong to the list, shown or held. Null while not known. */
  readonly matching: number | null;
  /** Rows hidden by Clear. */
  readonly cleared: number;
  /** Rows that the user hid one by one, as far as they would be in the list. */
  readonly hidden: number;
  /** Id of the newest row that Clear hid, or 0. */
  readonly clearedId: number;
  /** Id of the row at position 0, or 0 in an empty list. */
  readonly newestShownId: number;
  /** Undefined while the row at this position is not known yet. */
  idAt(position: number): number | undefined;
  /** Undefined when the row is not shown or not known. */
  positionOf(id: number): number | undefined;
  /** In ascending order of position. Only breaks between rows that were seen. */
  breaks(): readonly DayBreak[];
  /** True when the row at this position is known and `has` its content. */
  isReady(position: number, has: (id: number) => boolean): boolean;
  /** Shows the held rows. */
  admit(): void;
  /** Hides what is shown; nothing is deleted. */
  clear(): void;
  /** Shows again what {@link clear} hid. */
  undoClear(): void;
  /** Shows what every {@link clear} hid. */
  unclear(): void;
}

/** First index in a descending array whose value is at most `value`. */
export function descendingIndex(ids: readonly number[], value: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) > value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of an ascending array are below `value`. */
export function countBelow(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
