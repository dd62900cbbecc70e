/** Which message has which rank (oldest = 0), for the known ranks near the screen. */
import { DayBreaks } from './day-breaks.ts';
import { countBelow, type DayOf, type Entry } from './list.ts';

/** How many ranks are kept by id; about 650 screens of 30 rows. */
export const MAX_KNOWN_RANKS = 20_000;
/** Eviction goes down to this share, so that it does not run on every answer. */
const KEEP_SHARE = 0.75;

interface Known {
  readonly id: number;
  readonly day: string;
}

export class KnownRanks {
  /** Keyed by rank. */
  readonly breaks = new DayBreaks();
  readonly #dayOf: DayOf;
  #rows = new Map<number, Known>();
  #rankOf = new Map<number, number>();
  /** Ranks that were fetched since something was removed or missed. The other known ones are fetched again. */
  readonly #certain = new Set<number>();

  constructor(dayOf: DayOf) {
    this.#dayOf = dayOf;
  }

  idAt(rank: number): number | undefined {
    return this.#rows.get(rank)?.id;
  }
  rankOf(id: number): number | undefined {
    return this.#rankOf.get(id);
  }
  isCertain(rank: number): boolean {
    return this.#certain.has(rank);
  }

  put(rank: number, { id, receivedAt }: Entry): void {
    const before = this.#rankOf.get(id);
    if (before !== undefined && before !== rank) this.#forget(before);
    const other = this.#rows.get(rank);
    if (other !== undefined && other.id !== id) this.#rankOf.delete(other.id);
    this.#rows.set(rank, { id, day: this.#dayOf(receivedAt) });
    this.#rankOf.set(id, rank);
    this.#certain.add(rank);
    this.#compareWithNewer(rank);
    this.#compareWithNewer(rank - 1);
  }

  /** Marks known rows to be fetched again. They stay on screen until then. */
  doubtAll(): void {
    this.#certain.clear();
  }

  /** The store has fewer rows now. */
  forgetFrom(total: number): void {
    for (const rank of this.#rows.keys()) if (rank >= total) this.#forget(rank);
  }

  /** Removes these ids (ascending). The ranks above them move down, and all are fetched again. */
  remove(gone: readonly number[]): void {
    const goneIds = new Set(gone);
    const left = [...this.#rows].filter(([, row]) => !goneIds.has(row.id));
    this.#rows = new Map(left.map(([rank, row]) => [rank - countBelow(gone, row.id), row]));
    this.#rankOf = new Map([...this.#rows].map(([rank, row]) => [row.id, rank]));
    this.doubtAll();
    this.breaks.clear();
    for (const rank of this.#rows.keys()) this.#compareWithNewer(rank);
  }

  /** Forgets the ranks farthest from this one once there are too many. */
  evict(centre: number): void {
    if (this.#rows.size <= MAX_KNOWN_RANKS) return;
    const byDistance = [...this.#rows.keys()].sort((a, b) => Math.abs(b - centre) - Math.abs(a - centre));
    for (const rank of byDistance.slice(0, Math.ceil(this.#rows.size - MAX_KNOWN_RANKS * KEEP_SHARE)))
      this.#forget(rank);
  }

  #compareWithNewer(rank: number): void {
    this.breaks.compare(rank, this.#rows.get(rank)?.day, this.#rows.get(rank + 1)?.day);
  }

  #forget(rank: number): void {
    const row = this.#rows.get(rank);
    if (row !== undefined) this.#rankOf.delete(row.id);
    this.#rows.delete(rank);
    this.#certain.delete(rank);
  }
}
