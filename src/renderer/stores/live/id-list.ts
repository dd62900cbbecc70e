/**
 * A filtered list: a snapshot of matching ids, newest first, extended by `before` as the user scrolls. Rows that start
 * to match are inserted by id. Rows that stop matching stay, dimmed, until the next action (design/ui, section 8, rule
 * 6).
 */
import { DayBreaks } from './day-breaks.ts';
import { DescendingIds } from './descending-ids.ts';
import type { DayBreak, DayOf, Entry, LiveList } from './list.ts';

/** A list that follows for hours drops its oldest ids. They are read again when the user scrolls to them. */
export const MAX_IDS = 200_000;

export class IdList implements LiveList {
  readonly #dayOf: DayOf;
  /** The shown ids, followed by those that Clear hides. */
  readonly #ids = new DescendingIds();
  readonly #held = new DescendingIds();
  readonly #unmatched = new Set<number>();
  readonly #days = new Map<number, string>();
  /** Keyed by id. */
  readonly #breaks = new DayBreaks();
  /** Ids that the user hid one by one, and those among them that would be in the list. */
  #hideable: ReadonlySet<number> = new Set();
  readonly #hidden = new Set<number>();
  #complete = false;
  #before: number | undefined;
  /** Ids up to this one are hidden by Clear. */
  #floorId = 0;
  #floorBefore = 0;
  /** How many ids are shown. */
  #count = 0;

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
  get hidden(): number {
    let count = 0;
    for (const id of this.#hidden) if (id > this.#floorId) count += 1;
    return count;
  }
  get clearedId(): number {
    return this.#floorId;
  }
  get newestShownId(): number {
    return this.idAt(0) ?? 0;
  }
  /** How many rows are shown although they no longer match. */
  get unmatched(): number {
    return this.#unmatched.size;
  }
  /** True when the scan reached the oldest message. */
  get complete(): boolean {
    return this.#complete || this.#count < this.#ids.length;
  }
  /** Where the scan continues, or undefined at the start. */
  get before(): number | undefined {
    return this.#before;
  }
  get newestId(): number {
    return Math.max(this.#ids.newest ?? 0, this.#held.newest ?? 0);
  }

  /** Adds an older page of the scan. */
  append(ids: readonly number[], before: number, complete: boolean): void {
    this.#ids.append(this.#withoutHidden(ids));
    this.#before = before;
    this.#complete = complete;
    this.#recount();
  }

  /** Inserts matching ids, or holds them. Returns how many were new. */
  insert(ids: readonly number[], hold: boolean): number {
    const fresh = new Set(this.#withoutHidden(ids.filter((id) => !this.knows(id))));
    for (const id of fresh) (hold ? this.#held : this.#ids).add(id);
    this.#trim();
    this.#recount();
    return fresh.size;
  }

  /**
   * A row stopped matching. A shown row stays; a held one was never seen and is dropped. True when the list changed.
   */
  unmatch(id: number): boolean {
    this.#hidden.delete(id);
    if (this.positionOf(id) === undefined) return this.#held.delete(id);
    const news = !this.#unmatched.has(id);
    this.#unmatched.add(id);
    return news;
  }
  /** Shown rows match again. True when the list changed. */
  rematch(ids: readonly number[]): boolean {
    return ids.filter((id) => this.#unmatched.delete(id)).length > 0;
  }
  isUnmatched(id: number): boolean {
    return this.#unmatched.has(id);
  }

  /** Hides these rows and shows all others. */
  hide(ids: ReadonlySet<number>): void {
    const back = [...this.#hidden].filter((id) => !ids.has(id));
    for (const id of back) this.#hidden.delete(id);
    this.#hideable = ids;
    const away = [...ids].filter((id) => this.#ids.has(id) || this.#held.has(id));
    this.remove(away);
    for (const id of away) this.#hidden.add(id);
    this.insert(back, false);
  }

  /** Drops the rows that no longer match. */
  refresh(): void {
    this.remove([...this.#unmatched]);
  }

  remove(ids: readonly number[]): void {
    const gone = new Set(ids);
    if (gone.size === 0) return;
    this.#ids.deleteAll(gone);
    this.#held.deleteAll(gone);
    for (const id of gone) {
      this.#unmatched.delete(id);
      this.#hidden.delete(id);
      this.#days.delete(id);
    }
    this.#breaks.clear();
    for (let index = 1; index < this.#ids.length; index += 1) this.#compareWithNewer(index);
    this.#recount();
  }

  /** Notes which day a row belongs to. */
  seen(row: Entry): void {
    this.#days.set(row.id, this.#dayOf(row.receivedAt));
    const index = this.#ids.indexOf(row.id);
    if (index === undefined) return;
    this.#compareWithNewer(index);
    this.#compareWithNewer(index + 1);
  }

  idAt(position: number): number | undefined {
    return position >= 0 && position < this.#count ? this.#ids.at(position) : undefined;
  }

  /** How many shown rows are newer than this id. */
  countAbove(id: number): number {
    return Math.min(this.#count, this.#ids.countAbove(id));
  }
  positionOf(id: number): number | undefined {
    const index = this.#ids.indexOf(id);
    return index !== undefined && index < this.#count ? index : undefined;
  }

  isReady(position: number, has: (id: number) => boolean): boolean {
    const id = this.#ids.at(position);
    return id === undefined || has(id);
  }

  breaks(): readonly DayBreak[] {
    return this.#breaks.sorted((id) => this.positionOf(id));
  }

  admit(): void {
    if (this.#held.length > 0) this.insert(this.#held.takeAll(), false);
  }

  clear(): void {
    this.#floorBefore = this.#floorId;
    this.#unmatched.clear();
    this.hideUpTo(Math.max(this.#floorId, this.#ids.newest ?? 0));
  }
  undoClear(): void {
    this.hideUpTo(this.#floorBefore);
    this.#floorBefore = 0;
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
    return this.#ids.has(id) || this.isHeld(id) || this.#hidden.has(id);
  }
  isHeld(id: number): boolean {
    return this.#held.has(id);
  }

  /** Keeps hidden ids aside. */
  #withoutHidden(ids: readonly number[]): readonly number[] {
    if (this.#hideable.size === 0) return ids;
    for (const id of ids) if (this.#hideable.has(id)) this.#hidden.add(id);
    return ids.filter((id) => !this.#hideable.has(id));
  }

  #trim(): void {
    if (this.#ids.length <= MAX_IDS) return;
    this.#ids.truncate(MAX_IDS);
    this.#before = this.#ids.oldest;
    this.#complete = false;
  }

  #recount(): void {
    this.#count = this.#ids.countAbove(this.#floorId);
    this.#breaks.moved();
  }

  #compareWithNewer(index: number): void {
    const older = this.#ids.at(index);
    const newer = this.#ids.at(index - 1);
    if (older !== undefined && newer !== undefined)
      this.#breaks.compare(older, this.#days.get(older), this.#days.get(newer));
  }
}
