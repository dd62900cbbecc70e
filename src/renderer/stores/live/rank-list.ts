/**
 * The unfiltered list as a window on the store. Rows are addressed by rank, oldest = 0, so a new row takes the next
 * rank and moves no other. Only ranks near the screen are known by id. The rest are fetched page by page.
 *
 * `total` counts ids and ignores the totals in answers. An answer may be ahead of the change batches, and counting a
 * row twice would shift every position by one.
 */
import { HiddenRanks } from './hidden-ranks.ts';
import { KnownRanks } from './known-ranks.ts';
import { countBelow, type DayBreak, type DayOf, type Entry, type LiveList } from './list.ts';

/** The ranks below `rank` are hidden by Clear; `id` is the newest of them, or 0. */
interface Floor {
  readonly rank: number;
  readonly id: number;
}

const NO_FLOOR: Floor = { rank: 0, id: 0 };

export class RankList implements LiveList {
  readonly #known: KnownRanks;
  #total = 0;
  /** Id of the newest counted row; 0 in an empty store. */
  #lastId = 0;
  /** Ranks below are shown, the others held. */
  #shown = 0;
  #shownId = 0;
  #floor = NO_FLOOR;
  #floorBefore = NO_FLOOR;
  readonly #hidden = new HiddenRanks();

  constructor(dayOf: DayOf) {
    this.#known = new KnownRanks(dayOf);
  }

  get total(): number {
    return this.#total;
  }
  get lastId(): number {
    return this.#lastId;
  }
  get count(): number {
    return this.#shown - this.#floor.rank - this.hidden;
  }
  get held(): number {
    return this.#total - this.#shown - this.#hidden.between(this.#shown, this.#total);
  }
  get matching(): number {
    return this.#total - this.#floor.rank - this.#hidden.between(this.#floor.rank, this.#total);
  }
  get hidden(): number {
    return this.#hidden.between(this.#floor.rank, this.#shown);
  }
  get cleared(): number {
    return this.#floor.rank;
  }
  get newestShownId(): number {
    return this.count === 0 ? 0 : this.#shownId;
  }
  get clearedId(): number {
    return this.#floor.id;
  }

  /**
   * Starts from the newest page: `total` rows, of which `newest` are the last ones. With `hold` (a reset while the user
   * reads) the shown ranks stay and newer rows are held.
   */
  restart(total: number, newest: readonly Entry[], hold: boolean): void {
    const ascending = [...newest].sort((a, b) => a.id - b.id);
    this.#total = total;
    this.#lastId = ascending.at(-1)?.id ?? 0;
    this.#known.doubtAll();
    this.#known.forgetFrom(total);
    this.#shown = hold ? Math.min(this.#shown, total) : total;
    this.#floor = { ...this.#floor, rank: Math.min(this.#floor.rank, this.#shown) };
    this.answer(total - ascending.length, ascending);
    this.#shownId = this.#shown === total ? this.#lastId : (this.#known.idAt(this.#shown - 1) ?? this.#lastId);
    this.#known.breaks.moved();
  }

  /**
   * Takes a page of rows from `fromRank` up. False when ids and ranks disagree with the count; the caller then starts
   * again.
   */
  answer(fromRank: number, rows: readonly Entry[]): boolean {
    const ascending = [...rows].sort((a, b) => a.id - b.id);
    let agrees = true;
    ascending.forEach((row, index) => {
      const rank = fromRank + index;
      if (row.id <= this.#lastId !== rank < this.#total) agrees = false;
      else this.#known.put(rank, row);
    });
    return agrees;
  }

  /** Counts the rows that are newer than all known ones and returns their number. The others are changes. */
  arrive(rows: readonly Entry[], hold: boolean): number {
    const fresh = rows.filter((row) => row.id > this.#lastId).sort((a, b) => a.id - b.id);
    for (const row of fresh) {
      this.#known.put(this.#total, row);
      this.#total += 1;
      this.#lastId = row.id;
    }
    if (!hold) this.admit();
    return fresh.length;
  }

  /** Removes rows. The ranks above them move down. */
  remove(ids: readonly number[]): void {
    const gone = [...new Set(ids)].filter((id) => id <= this.#lastId).sort((a, b) => a - b);
    if (gone.length === 0) return;
    this.#total = Math.max(0, this.#total - gone.length);
    this.#shown = Math.max(0, this.#shown - countBelow(gone, this.#shownId + 1));
    const { rank, id } = this.#floor;
    this.#floor = { id, rank: Math.max(0, rank - countBelow(gone, id + 1)) };
    this.#hidden.remove(gone);
    this.#known.remove(gone);
  }

  /** Marks known rows to be fetched again. They stay on screen until then. */
  doubtAll(): void {
    this.#known.doubtAll();
  }

  idAt(position: number): number | undefined {
    if (position < 0 || position >= this.count) return undefined;
    return this.#known.idAt(this.rankAt(position));
  }

  positionOf(id: number): number | undefined {
    const rank = this.#known.rankOf(id);
    return rank === undefined ? undefined : this.#positionOfRank(rank);
  }

  /** Where a rank is in the list, or the nearest place when Clear hides it or it waits above. */
  positionNear(rank: number): number {
    const within = Math.max(this.#floor.rank, Math.min(rank, this.#shown - 1));
    return Math.max(0, Math.min(this.count - 1, this.#positionUnder(within) ?? 0));
  }

  breaks(): readonly DayBreak[] {
    const breaks = this.#known.breaks.sorted((rank) => this.#positionUnder(rank));
    // Of a day whose rows are all hidden, the line would stand above another day's row, or under the last one.
    return breaks.filter(({ position }, at) => position < this.count && breaks[at + 1]?.position !== position);
  }

  admit(): void {
    if (this.#shown !== this.#total) this.#known.breaks.moved();
    this.#shown = this.#total;
    this.#shownId = this.#lastId;
  }

  clear(): void {
    this.#floorBefore = this.#floor;
    this.#setFloor({ rank: this.#shown, id: this.#shownId });
  }
  undoClear(): void {
    const { rank, id } = this.#floorBefore;
    this.#floorBefore = NO_FLOOR;
    this.#setFloor({ rank: Math.min(rank, this.#shown), id });
  }
  unclear(): void {
    this.#floorBefore = NO_FLOOR;
    this.#setFloor(NO_FLOOR);
  }

  isReady(position: number, has: (id: number) => boolean): boolean {
    const rank = this.rankAt(position);
    const id = this.#known.idAt(rank);
    return id !== undefined && this.#known.isCertain(rank) && has(id);
  }

  rankAt(position: number): number {
    return this.#hidden.rankBelow(this.#shown, position);
  }

  /** Hides these rows and shows all others. */
  hide(rows: ReadonlyArray<{ readonly id: number; readonly rank: number }>): void {
    this.#hidden.set(rows);
    this.#known.breaks.moved();
  }

  /** Forgets ranks far from the positions on screen once there are too many. */
  evict(aroundPosition: number): void {
    this.#known.evict(this.rankAt(aroundPosition));
  }

  #positionOfRank(rank: number): number | undefined {
    return this.#hidden.has(rank) ? undefined : this.#positionUnder(rank);
  }
  /** The position of the row with this rank, or of the next older one while it is hidden. */
  #positionUnder(rank: number): number | undefined {
    if (rank >= this.#shown || rank < this.#floor.rank) return undefined;
    return this.#shown - 1 - rank - this.#hidden.between(rank + 1, this.#shown);
  }

  #setFloor(floor: Floor): void {
    this.#floor = floor;
    this.#known.breaks.moved();
  }
}
