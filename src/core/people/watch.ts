/**
 * What is followed for one rule or one computed trait: a state for each person, brought up to date when a call of the
 * person comes or goes, or when time changes it.
 */
import type { CallColumn } from './call-column.ts';
import { type CallLog, NONE } from './call-log.ts';
import { grown } from './grown.ts';
import type { PeopleTable } from './people-table.ts';

/** With more changes than this nobody remembers them one by one. */
const MANY_MOVES = 10_000;

/** Who changed since the last time, as far as it is remembered. */
export interface Moves {
  /** Everyone may have. */
  readonly everyone: boolean;
  readonly userIds: readonly string[];
  /** There are more to take. */
  readonly more: boolean;
}

/** What a watch reads. */
export interface WatchData {
  readonly log: CallLog;
  readonly people: PeopleTable;
}

export abstract class Watch {
  readonly data: WatchData;
  /** One for each kind of call that it looks at. */
  readonly columns: readonly CallColumn[];
  /** People with a lower number were counted, or `null` when all were. */
  countedTo: number | null = 0;
  #changesAt = new Float64Array(0);
  /** No person changes by time before this; it may be too early. */
  #nextChange = Number.POSITIVE_INFINITY;
  /** User ids of those who changed since they were taken; null before the first time, and when they were too many. */
  #moved: Set<string> | null = null;

  constructor(data: WatchData, columns: readonly CallColumn[]) {
    this.data = data;
    this.columns = columns;
  }

  /** Brings one person up to date at `now`. Returns when time alone changes it next, or Infinity. */
  abstract evaluate(person: number, now: number): number;

  /** The person is gone. */
  abstract drop(person: number): void;

  /** Whether its columns are full, so that people can be counted. */
  get canCount(): boolean {
    return this.columns.every(({ isFull }) => isFull);
  }

  get isCounted(): boolean {
    return this.countedTo === null;
  }

  /** The retry-clock time from which {@link passTime} may have something to do. */
  get nextChange(): number {
    return this.#nextChange;
  }

  update(person: number, now: number): void {
    const changesAt = this.evaluate(person, now);
    this.#changesAt = grown(this.#changesAt, person + 1, Number.POSITIVE_INFINITY);
    this.#changesAt[person] = changesAt;
    this.#nextChange = Math.min(this.#nextChange, changesAt);
  }

  forget(person: number): void {
    if (person < this.#changesAt.length) this.#changesAt[person] = Number.POSITIVE_INFINITY;
    this.drop(person);
  }

  /** For subclasses: the person's membership or value has changed. */
  noteMove(person: number): void {
    if (this.#moved !== null && this.#moved.size >= MANY_MOVES) this.#moved = null;
    this.#moved?.add(this.data.people.userId(person)!);
  }

  /** At most `limit` who changed since they were taken last. Asked only when everyone is counted. */
  takeMoves(limit: number): Moves {
    if (this.#moved === null) {
      this.#moved = new Set();
      return { everyone: true, userIds: [], more: false };
    }
    const userIds: string[] = [];
    for (const userId of this.#moved) {
      if (userIds.length === limit) break;
      userIds.push(userId);
      this.#moved.delete(userId);
    }
    return { everyone: false, userIds, more: this.#moved.size > 0 };
  }

  /** Nobody takes them any more, or everyone is counted again. */
  forgetMoves(): void {
    this.#moved = null;
  }

  /** Brings up to date whoever time has changed. A pass over a million people takes about a millisecond. */
  passTime(now: number): void {
    if (now < this.#nextChange) return;
    let next = Number.POSITIVE_INFINITY;
    for (let person = 0; person < this.#changesAt.length; person += 1) {
      if (this.#changesAt[person]! <= now) this.#changesAt[person] = this.evaluate(person, now);
      next = Math.min(next, this.#changesAt[person]!);
    }
    this.#nextChange = next;
  }

  /** Calls `take` for each row of the person that a column takes, newest arrival first. */
  eachRow(person: number, take: (column: number, row: number) => void): void {
    const { log, people } = this.data;
    for (let row = people.newest(person); row !== NONE; row = log.previous(row)) {
      if (log.person(row) !== person) continue;
      const kind = log.kind(row);
      for (let i = 0; i < this.columns.length; i += 1) {
        const column = this.columns[i]!;
        if (column.takes(kind) && column.has(row)) take(i, row);
      }
    }
  }
}
