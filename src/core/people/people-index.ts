/**
 * Everyone in memory, and what is followed about them. It knows neither threads nor clocks: calls, removals and the time
 * are passed in. After {@link PeopleIndex.settle} every answer is what a fresh look at all stored calls would give.
 */
import type { JsonObject } from '../model/call.ts';
import { isJsonObject } from '../model/call.ts';
import { type ClockStretch, clockAtWall, happenedAt } from '../model/clock-history.ts';
import { type Slice, UNIT } from '../model/slice.ts';
import { parseTimestamp } from '../model/timestamp.ts';
import type { UserCall, UserCallStore } from '../store/ports/user-calls.ts';
import { CallColumn, type ColumnSpec, columnKey } from './call-column.ts';
import { CallLog, NONE } from './call-log.ts';
import { IDENTIFY, Kinds } from './kinds.ts';
import { PeopleTable } from './people-table.ts';
import { TraitSenders } from './trait-senders.ts';
import type { Watch, WatchData } from './watch.ts';

/** Rows that one unit looks through for calls whose bodies it needs: a rare event is in few of them. */
const ROWS = 4_096;

export class PeopleIndex {
  readonly data: WatchData;
  readonly kinds = new Kinds();
  readonly senders = new TraitSenders();
  readonly #bodies: UserCallStore['bodies'];
  readonly #columns = new Map<string, CallColumn>();
  readonly #watches = new Set<Watch>();
  readonly #dirty = new Set<number>();
  #history: readonly ClockStretch[] = [];
  #now = 0;

  /** `waste`: the gaps of removed calls are closed when there are more than this, and more than calls. */
  constructor(bodies: UserCallStore['bodies'], waste?: number) {
    this.data = { log: new CallLog(waste), people: new PeopleTable() };
    this.#bodies = bodies;
  }

  /** Retry-clock time of the last {@link settle}. */
  get now(): number {
    return this.#now;
  }

  /** What the retry clock showed at past wall times; holds for calls that are added from now on. */
  setHistory(history: readonly ClockStretch[]): void {
    this.#history = history;
  }

  /** Ids ascend; a call that is here already is left out. */
  add({ id, type, event, userId, sourceId, receivedAt, body }: UserCall): void {
    const { log, people } = this.data;
    if (id <= log.newestId) return;
    const person = people.of(userId);
    const kind = this.kinds.of(type, event);
    const timestamp = typeof body?.timestamp === 'string' ? parseTimestamp(body.timestamp) : null;
    const arrivedAt = clockAtWall(this.#history, receivedAt);
    const at = happenedAt(this.#history, receivedAt, timestamp);
    const time = Math.min(receivedAt, timestamp ?? receivedAt);
    const shape = kind === IDENTIFY ? this.senders.add(sourceId, body) : NONE;
    const row = log.push({ id, at, arrivedAt, time, person, kind, shape }, people.newest(person));
    people.called(person, row);
    this.kinds.count(kind, 1);
    if (kind === IDENTIFY) people.setTraits(person, withTraits(people.traits(person), body));
    for (const column of this.#columns.values()) if (column.takes(kind)) column.fill(row, body);
    this.#dirty.add(person);
  }

  /** Takes back the calls of removed messages. Traits that they brought become what the others say. */
  remove(ids: readonly number[]): void {
    const { log, people } = this.data;
    const lostIdentify = new Set<number>();
    for (const id of ids) {
      const row = log.find(id);
      if (row === NONE) continue;
      const person = log.person(row);
      const kind = log.kind(row);
      log.remove(row);
      for (const column of this.#columns.values()) if (column.takes(kind)) column.fill(row, null);
      this.kinds.count(kind, -1);
      this.senders.remove(log.shape(row));
      // Before the id is gone, which says who left.
      if (people.hasOneCall(person)) this.#forget(person);
      else {
        this.#dirty.add(person);
        if (kind === IDENTIFY) lostIdentify.add(person);
      }
      people.lostCall(person);
    }
    for (const person of lostIdentify) if (people.userId(person) !== null) this.#readTraits(person);
    if (log.wasteful && [...this.#columns.values()].every(({ isFull }) => isFull)) this.#compact();
  }

  #forget(person: number): void {
    this.#dirty.delete(person);
    for (const watch of this.#watches) watch.forget(person);
  }

  #readTraits(person: number): void {
    const { log, people } = this.data;
    const ids: number[] = [];
    for (let row = people.newest(person); row !== NONE; row = log.previous(row))
      if (log.person(row) === person && log.kind(row) === IDENTIFY) ids.push(log.id(row));
    const bodies = this.#bodies(ids);
    let traits: JsonObject | null = null;
    for (const id of ids.reverse()) traits = withTraits(traits, bodies.get(id) ?? null);
    people.setTraits(person, traits);
  }

  #compact(): void {
    const columns = [...this.#columns.values()];
    this.data.log.compact((from, to) => {
      for (const column of columns) column.moved(from, to);
    }, this.data.people.newestRows);
  }

  /** The bodies that can be read, by message id. */
  bodiesOf(ids: readonly number[]): ReadonlyMap<number, JsonObject> {
    return this.#bodies(ids);
  }

  // What is followed

  /** The columns for these, shared with whoever wants the same. */
  columnsFor(specs: readonly ColumnSpec[]): CallColumn[] {
    return specs.map((spec) => {
      const key = columnKey(spec);
      const known = this.#columns.get(key);
      if (known !== undefined) return known;
      const kind = spec.event === null ? null : this.kinds.ofEvent(spec.event);
      const column = new CallColumn(spec, kind, this.data.log.length);
      this.#columns.set(key, column);
      return column;
    });
  }

  /** Forgets columns that nothing uses. */
  dropColumns(): void {
    const used = new Set([...this.#watches].flatMap(({ columns }) => columns));
    for (const [key, column] of this.#columns) if (!used.has(column)) this.#columns.delete(key);
  }

  /** Begins to follow. {@link work} does the counting. */
  watch(watch: Watch): void {
    this.#watches.add(watch);
  }

  unwatch(watch: Watch): void {
    this.#watches.delete(watch);
  }

  /** One slice of counting what is not counted yet, of one unit at least. Returns false when there is nothing to do. */
  work(slice: Slice): boolean {
    do if (!this.#workUnit()) return false;
    while (!slice.isOver());
    return true;
  }

  #workUnit(): boolean {
    for (const watch of this.#watches) {
      if (watch.isCounted) continue;
      const column = watch.columns.find(({ isFull }) => !isFull);
      if (column === undefined) this.#countPeople(watch);
      else this.#fill(column);
      return true;
    }
    return false;
  }

  /** Reads the bodies of calls that came before the column. */
  #fill(column: CallColumn): void {
    const { log } = this.data;
    const rows: number[] = [];
    let row = column.filledTo;
    const end = Math.min(column.since, row + ROWS);
    for (; row < end && rows.length < UNIT; row += 1)
      if (log.person(row) !== NONE && column.takes(log.kind(row))) rows.push(row);
    column.filledTo = row;
    if (rows.length === 0) return;
    const bodies = this.#bodies(rows.map((one) => log.id(one)));
    for (const one of rows) column.fill(one, bodies.get(log.id(one)) ?? null);
  }

  #countPeople(watch: Watch): void {
    const { people } = this.data;
    const from = watch.countedTo ?? 0;
    const to = Math.min(people.room, from + UNIT);
    for (let person = from; person < to; person += 1)
      if (people.userId(person) !== null) watch.update(person, this.#now);
    watch.countedTo = to < people.room ? to : null;
  }

  /** Counts nobody as up to date: after many calls were added, {@link work} counts everyone once and in steps. */
  countFromStart(now: number): void {
    this.#now = Math.max(this.#now, now);
    this.#dirty.clear();
    for (const watch of this.#watches) {
      watch.countedTo = 0;
      watch.forgetMoves();
    }
  }

  /** How much of a watch is counted, from 0 to 1. Reading bodies takes most of the time. */
  progressOf({ columns, countedTo }: Watch): number {
    if (countedTo === null) return 1;
    const toFill = columns.filter(({ needsBodies }) => needsBodies);
    const filled = toFill.map(({ filledTo, since }) => (since === 0 ? 1 : Math.min(1, filledTo / since)));
    const counted = countedTo / Math.max(1, this.data.people.room);
    const parts = [...filled, counted];
    return parts.reduce((sum, part) => sum + part, 0) / parts.length;
  }

  /** Brings every counted watch up to `now`, which is never less than before. Returns those that may have changed. */
  settle(now: number): void {
    this.#now = Math.max(this.#now, now);
    for (const watch of this.#watches) {
      if (!watch.canCount) continue;
      watch.passTime(this.#now);
      for (const person of this.#dirty) watch.update(person, this.#now);
    }
    this.#dirty.clear();
  }

  /** Retry-clock time at which {@link settle} has something to do again; Infinity for never. */
  get nextChange(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const watch of this.#watches) next = Math.min(next, watch.nextChange);
    return next;
  }
}

/** Traits of an identify call over those known so far; a trait counts as a whole. */
function withTraits(traits: JsonObject | null, body: JsonObject | null): JsonObject | null {
  const more = body?.traits;
  if (!isJsonObject(more)) return traits ?? (body === null ? null : {});
  return traits === null ? more : { ...traits, ...more };
}
