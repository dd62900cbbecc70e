/**
 * One pass over all stored calls: how far it has read, whom it has found, and what is followed about them. New calls are
 * read by it too, so that it stays up to date once it has come to the end.
 */
import type { ClockStretch } from '../model/clock-history.ts';
import { type Slice, UNIT } from '../model/slice.ts';
import type { UserCallStore } from '../store/ports/user-calls.ts';
import { FollowedDefinitions } from './followed.ts';
import { FindingCounts } from './identity/finding-counts.ts';
import { IdentityIndex } from './identity/identity-index.ts';
import { PeopleIndex } from './people-index.ts';

/** So many changes of people are worked out at once, so that nobody waits for the work of many pages. */
const MOST_UNSETTLED = 64;

export class PeoplePass {
  readonly index: PeopleIndex;
  readonly identities = new IdentityIndex();
  readonly findings: FindingCounts;
  readonly followed: FollowedDefinitions;
  readonly #store: UserCallStore;
  /** Messages up to this one are read. */
  #readTo = 0;
  /** The first reading ends at this message; null once it has. */
  #until: number | null = 0;

  constructor(store: UserCallStore, history: readonly ClockStretch[]) {
    this.#store = store;
    this.findings = new FindingCounts(this.identities, store);
    this.index = new PeopleIndex((ids) => store.bodies(ids));
    this.index.setHistory(history);
    this.followed = new FollowedDefinitions(this.index);
  }

  /** Sets where the first reading ends. */
  begin(until: number): void {
    this.#until = until;
  }

  /** While the stored calls are read nobody is counted. */
  get isReading(): boolean {
    return this.#until !== null;
  }

  /** Of the first reading, from 0 to 1. */
  get progress(): number {
    if (this.#until === null) return 1;
    return this.#until === 0 ? 0 : Math.min(1, this.#readTo / this.#until);
  }

  remove(ids: readonly number[]): void {
    this.index.remove(ids);
    this.identities.remove(ids);
  }

  /** Whether a message up to this one is not read yet. */
  isBehind(newest: number): boolean {
    return this.#readTo < newest;
  }

  /** Brings what is counted up to `now`. While the store is read there is nothing to bring up to date. */
  settle(now: number): void {
    if (!this.isReading) this.index.settle(now);
  }

  /** Reads the calls up to `newest` that it does not know. Returns whether there is more to read. */
  read(newest: number, now: number, slice: Slice): boolean {
    let isOver = false;
    while (this.isBehind(newest) && !isOver) {
      const { calls, named, readTo } = this.#store.page(this.#readTo, newest, UNIT);
      for (const call of calls) this.index.add(call);
      for (const call of named) this.identities.add(call);
      if (this.identities.unsettled >= MOST_UNSETTLED) this.identities.settle();
      this.#readTo = readTo;
      this.#noteEnd(now);
      isOver = slice.isOver();
    }
    this.#noteEnd(now);
    this.settle(now);
    return this.isBehind(newest);
  }

  #noteEnd(now: number): void {
    if (this.#until === null || this.#readTo < this.#until) return;
    this.#until = null;
    this.index.countFromStart(now);
  }

  /** Counts what is not counted yet. Returns false when there is nothing to do. */
  count(slice: Slice): boolean {
    return !this.isReading && (this.index.work(slice) || this.findings.work(slice));
  }
}
