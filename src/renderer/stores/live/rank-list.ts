/**
 * The unfiltered list as a window on the store. Rows are addressed by rank, oldest = 0, so a new row takes the next
 * rank and moves no other. Only the ranks near the screen are known by id; the rest is asked for by the page.
 *
 * `total` counts by ids, not by what answers say: an answer may be ahead of the change batches, and counting a row
 * twice would shift every position by one.
 */
import { countBelow, type DayBreak, type DayOf, type Entry, type LiveList } from './list.ts';

/** How many ranks are kept by id; about 650 screens of 30 rows. */
export const MAX_KNOWN_RANKS = 20_000;
/** Evicting goes down to this share, so that it does not run with every answer. */
const KEEP_SHARE = 0.75;

interface Known {
  readonly id: number;
  readonly day: string;
}

export class RankList implements LiveList {
  readonly #dayOf: DayOf;
  #total = 0;
  /** Id of the newest counted row; 0 in an empty store. */
  #lastId = 0;
  /** Ranks below are shown, the others held. */
  #shown = 0;
  #shownId = 0;
  /** Ranks below are hidden by Clear. */
  #floor = 0;
  #floorId = 0;
  #floorBefore: { floor: number; id: number } | null = null;
  #known = new Map<number, Known>();
  #rankOf = new Map<number, number>();
  /** Ranks to ask for again although they are known: something was removed or missed. */
  #doubtful = new Set<number>();
  /** Days by the rank of the older row of a break. */
  #breaks = new Map<number, string>();
  #sortedBreaks: DayBreak[] | null = null;

  constructor(dayOf: DayOf) {
    this.#dayOf = dayOf;
  }

  get total(): number {
    return this.#total;
  }
  get lastId(): number {
    return this.#lastId;
  }
  get count(): number {
    return this.#shown - this.#floor;
  }
  get held(): number {
    return this.#total - this.#shown;
  }
  get matching(): number {
    return this.#total - this.#floor;
  }
  get cleared(): number {
    return this.#floor;
  }

  /**
   * Starts from the newest page: `total` rows, of which `newest` are the last ones. With `hold` (a reset came while
   * the person reads) the shown ranks stay and what is new beyond them is held.
   */
  restart(total: number, newest: readonly Entry[], hold: boolean): void {
    const ascending = [...newest].sort((a, b) => a.id - b.id);
    this.#total = total;
    this.#lastId = ascending.at(-1)?.id ?? 0;
    this.#doubtful = new Set(this.#known.keys());
    for (const rank of this.#doubtful) if (rank >= total) this.#forget(rank);
    this.#shown = hold ? Math.min(this.#shown, total) : total;
    this.#floor = Math.min(this.#floor, this.#shown);
    this.answer(total - ascending.length, ascending);
    this.#shownId = this.#shown === total ? this.#lastId : (this.#known.get(this.#shown - 1)?.id ?? this.#lastId);
    this.#sortedBreaks = null;
  }

  /** Takes a page of rows from `fromRank` up. False when ids and ranks disagree with what was counted: start anew. */
  answer(fromRank: number, rows: readonly Entry[]): boolean {
    const ascending = [...rows].sort((a, b) => a.id - b.id);
    let agrees = true;
    ascending.forEach((row, index) => {
      const rank = fromRank + index;
      if (row.id <= this.#lastId !== rank < this.#total) agrees = false;
      else this.#put(rank, row);
    });
    return agrees;
  }

  /** Counts rows that came after all known ones and gives how many there were; the others are changes, not news. */
  arrive(rows: readonly Entry[], hold: boolean): number {
    const fresh = rows.filter((row) => row.id > this.#lastId).sort((a, b) => a.id - b.id);
    for (const row of fresh) {
      this.#put(this.#total, row);
      this.#total += 1;
      this.#lastId = row.id;
    }
    if (!hold) this.admit();
    return fresh.length;
  }

  /** Takes rows out; the ranks above them move down. */
  remove(ids: readonly number[]): void {
    const gone = [...new Set(ids)].filter((id) => id <= this.#lastId).sort((a, b) => a - b);
    if (gone.length === 0) return;
    const goneIds = new Set(gone);
    const known = [...this.#known].filter(([, row]) => !goneIds.has(row.id));
    this.#total = Math.max(0, this.#total - gone.length);
    this.#shown = Math.max(0, this.#shown - countBelow(gone, this.#shownId + 1));
    this.#floor = Math.max(0, this.#floor - countBelow(gone, this.#floorId + 1));
    this.#known = new Map(known.map(([rank, row]) => [rank - countBelow(gone, row.id), row]));
    this.#rankOf = new Map([...this.#known].map(([rank, row]) => [row.id, rank]));
    this.#doubtful = new Set(this.#known.keys());
    this.#breaks.clear();
    for (const [rank, row] of this.#known) this.#mark(rank, row, this.#known.get(rank + 1));
    this.#sortedBreaks = null;
  }

  /** Known rows stay on screen until they were asked for again. */
  doubtAll(): void {
    this.#doubtful = new Set(this.#known.keys());
  }

  idAt(position: number): number | undefined {
    if (position < 0 || position >= this.count) return undefined;
    return this.#known.get(this.#shown - 1 - position)?.id;
  }

  positionOf(id: number): number | undefined {
    const rank = this.#rankOf.get(id);
    if (rank === undefined || rank >= this.#shown || rank < this.#floor) return undefined;
    return this.#shown - 1 - rank;
  }

  breaks(): readonly DayBreak[] {
    this.#sortedBreaks ??= [...this.#breaks]
      .map(([rank, day]) => ({ position: this.#shown - 1 - rank, day }))
      .filter(({ position }) => position > 0 && position < this.count)
      .sort((a, b) => a.position - b.position);
    return this.#sortedBreaks;
  }

  admit(): void {
    if (this.#shown !== this.#total) this.#sortedBreaks = null;
    this.#shown = this.#total;
    this.#shownId = this.#lastId;
  }

  clear(): void {
    this.#floorBefore = { floor: this.#floor, id: this.#floorId };
    this.#floor = this.#shown;
    this.#floorId = this.#shownId;
    this.#sortedBreaks = null;
  }

  undoClear(): void {
    this.#floor = Math.min(this.#floorBefore?.floor ?? 0, this.#shown);
    this.#floorId = this.#floorBefore?.id ?? 0;
    this.#floorBefore = null;
    this.#sortedBreaks = null;
  }

  unclear(): void {
    this.#floorBefore = null;
    this.undoClear();
  }

  isReady(position: number, has: (id: number) => boolean): boolean {
    const rank = this.#shown - 1 - position;
    const row = this.#known.get(rank);
    return row !== undefined && !this.#doubtful.has(rank) && has(row.id);
  }

  rankAt(position: number): number {
    return this.#shown - 1 - position;
  }
  /** Id of the newest row that Clear hid, or 0. */
  get clearedId(): number {
    return this.#floorId;
  }

  /** Forgets ranks far from the positions on screen once there are too many. */
  evict(aroundPosition: number): void {
    if (this.#known.size <= MAX_KNOWN_RANKS) return;
    const centre = this.#shown - 1 - aroundPosition;
    const byDistance = [...this.#known.keys()].sort((a, b) => Math.abs(b - centre) - Math.abs(a - centre));
    for (const rank of byDistance.slice(0, Math.ceil(this.#known.size - MAX_KNOWN_RANKS * KEEP_SHARE)))
      this.#forget(rank);
  }

  #put(rank: number, { id, receivedAt }: Entry): void {
    const before = this.#rankOf.get(id);
    if (before !== undefined && before !== rank) this.#forget(before);
    const other = this.#known.get(rank);
    if (other !== undefined && other.id !== id) this.#rankOf.delete(other.id);
    const row = { id, day: this.#dayOf(receivedAt) };
    this.#known.set(rank, row);
    this.#rankOf.set(id, rank);
    this.#doubtful.delete(rank);
    this.#mark(rank, row, this.#known.get(rank + 1));
    const older = this.#known.get(rank - 1);
    if (older !== undefined) this.#mark(rank - 1, older, row);
  }

  /** Keeps or drops the break above the row at `rank`. */
  #mark(rank: number, older: Known, newer: Known | undefined): void {
    if (newer === undefined) return;
    if (newer.day === older.day) {
      if (this.#breaks.delete(rank)) this.#sortedBreaks = null;
    } else if (this.#breaks.get(rank) !== older.day) {
      this.#breaks.set(rank, older.day);
      this.#sortedBreaks = null;
    }
  }

  #forget(rank: number): void {
    const row = this.#known.get(rank);
    if (row !== undefined) this.#rankOf.delete(row.id);
    this.#known.delete(rank);
    this.#doubtful.delete(rank);
  }
}
