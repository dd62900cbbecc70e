/**
 * A filtered list: a snapshot of matching ids, newest first, read on by `before` as the person scrolls. Rows that
 * begin to match are put in their place by id; rows that cease to match stay, dimmed, until the next action
 * (design/ui, section 8, rule 6).
 */
import { type DayBreak, type DayOf, descendingIndex, type Entry, type LiveList } from './list.ts';

/** A list that follows for hours lets its oldest ids go; they are read again when scrolled to. */
export const MAX_IDS = 200_000;

export class IdList implements LiveList {
  readonly #dayOf: DayOf;
  #ids: number[] = [];
  #held: number[] = [];
  #complete = false;
  #before: number | undefined;
  #floorId = 0;
  #floorBefore = 0;
  #count = 0;
  #unmatched = new Set<number>();
  #days = new Map<number, string>();
  /** Days by the id of the older row of a break. */
  #breaks = new Map<number, string>();
  #sortedBreaks: DayBreak[] | null = null;

  constructor(dayOf: DayOf) {
    this.#dayOf = dayOf;
  }

  get count(): number {
    return this.#count;
  }
  get held(): number {
    return this.#held.length;
  }
  get matching(): number | null {
    return this.#complete ? this.#count + this.#held.length - this.#unmatched.size : null;
  }
  get cleared(): number {
    return this.#ids.length - this.#count;
  }
  /** How many rows are shown although they no longer match. */
  get unmatched(): number {
    return this.#unmatched.size;
  }
  /** True when the scan reached the oldest message. */
  get complete(): boolean {
    return this.#complete || this.#count < this.#ids.length;
  }
  /** Where the scan goes on, or undefined at the start. */
  get before(): number | undefined {
    return this.#before;
  }
  get newestId(): number {
    return Math.max(this.#ids[0] ?? 0, this.#held[0] ?? 0);
  }

  /** Adds an older page of the scan. */
  append(ids: readonly number[], before: number, complete: boolean): void {
    const last = this.#ids.at(-1) ?? Number.POSITIVE_INFINITY;
    for (const id of ids) if (id < last) this.#ids.push(id);
    this.#before = before;
    this.#complete = complete;
    this.#recount();
  }

  /** Puts ids that match into their place, or holds them; gives how many were new. */
  insert(ids: readonly number[], hold: boolean): number {
    let added = 0;
    for (const id of ids) {
      if (this.knows(id)) continue;
      const list = hold ? this.#held : this.#ids;
      list.splice(descendingIndex(list, id), 0, id);
      added += 1;
    }
    this.#trim();
    this.#recount();
    return added;
  }

  /** A shown row ceased to match: it stays. A held one was never seen and goes. True when that is news. */
  unmatch(id: number): boolean {
    if (this.positionOf(id) === undefined) return this.#cut(this.#held, id);
    const news = !this.#unmatched.has(id);
    this.#unmatched.add(id);
    return news;
  }
  /** Shown rows that match again. True when one of them did not. */
  rematch(ids: readonly number[]): boolean {
    return ids.filter((id) => this.#unmatched.delete(id)).length > 0;
  }
  isUnmatched(id: number): boolean {
    return this.#unmatched.has(id);
  }

  /** Drops the rows that no longer match. */
  refresh(): void {
    this.remove([...this.#unmatched]);
  }

  remove(ids: readonly number[]): void {
    const gone = new Set(ids);
    if (gone.size === 0) return;
    this.#ids = this.#ids.filter((id) => !gone.has(id));
    this.#held = this.#held.filter((id) => !gone.has(id));
    for (const id of gone) {
      this.#unmatched.delete(id);
      this.#days.delete(id);
    }
    this.#breaks.clear();
    this.#ids.forEach((_, index) => {
      this.#mark(index);
    });
    this.#recount();
  }

  /** Says of a fetched row which day it belongs to. */
  seen(row: Entry): void {
    const day = this.#dayOf(row.receivedAt);
    const index = descendingIndex(this.#ids, row.id);
    if (this.#days.get(row.id) !== day) this.#days.set(row.id, day);
    if (this.#ids[index] !== row.id) return;
    this.#mark(index);
    this.#mark(index + 1);
  }

  idAt(position: number): number | undefined {
    return position >= 0 && position < this.#count ? this.#ids[position] : undefined;
  }

  positionOf(id: number): number | undefined {
    const index = descendingIndex(this.#ids, id);
    return index < this.#count && this.#ids[index] === id ? index : undefined;
  }

  isReady(position: number, has: (id: number) => boolean): boolean {
    const id = this.#ids[position];
    return id === undefined || has(id);
  }

  breaks(): readonly DayBreak[] {
    this.#sortedBreaks ??= this.#findBreaks();
    return this.#sortedBreaks;
  }

  admit(): void {
    if (this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    this.insert(held, false);
  }

  clear(): void {
    this.#floorBefore = this.#floorId;
    this.#floorId = Math.max(this.#floorId, this.#ids[0] ?? 0);
    this.#unmatched.clear();
    this.#recount();
  }

  undoClear(): void {
    this.#floorId = this.#floorBefore;
    this.#floorBefore = 0;
    this.#recount();
  }

  unclear(): void {
    this.#floorBefore = 0;
    this.undoClear();
  }

  /** Hides everything up to this id, as the unfiltered list does after Clear. */
  hideUpTo(id: number): void {
    this.#floorId = id;
    this.#recount();
  }

  /** Whether the id is in the list, shown, held or hidden by Clear. */
  knows(id: number): boolean {
    return this.#ids[descendingIndex(this.#ids, id)] === id || this.isHeld(id);
  }
  isHeld(id: number): boolean {
    return this.#held[descendingIndex(this.#held, id)] === id;
  }

  #cut(list: number[], id: number): boolean {
    const index = descendingIndex(list, id);
    if (list[index] !== id) return false;
    list.splice(index, 1);
    return true;
  }

  #trim(): void {
    if (this.#ids.length <= MAX_IDS) return;
    this.#ids.length = MAX_IDS;
    this.#before = this.#ids.at(-1);
    this.#complete = false;
  }

  #recount(): void {
    this.#count = descendingIndex(this.#ids, this.#floorId);
    this.#sortedBreaks = null;
  }

  /** Keeps or drops the break above the row at `index`. Only seen neighbours make one. */
  #mark(index: number): void {
    const older = this.#ids[index];
    const newer = this.#ids[index - 1];
    if (older === undefined || newer === undefined) return;
    const day = this.#days.get(older);
    const above = this.#days.get(newer);
    if (day === undefined || above === undefined || this.#breaks.get(older) === (day === above ? undefined : day))
      return;
    if (day === above) this.#breaks.delete(older);
    else this.#breaks.set(older, day);
    this.#sortedBreaks = null;
  }

  #findBreaks(): DayBreak[] {
    const found: DayBreak[] = [];
    for (const [id, day] of this.#breaks) {
      const position = this.positionOf(id);
      if (position !== undefined && position > 0) found.push({ position, day });
    }
    return found.sort((a, b) => a.position - b.position);
  }
}
