/**
 * Which ids are one person. A person is a user id with the ids that alias calls renamed to it, or an anonymous id that
 * never came with a user id. A call with both kinds of id ties them; an anonymous id can be tied to several people, one
 * after another. 24 bytes a call and the ids themselves.
 */
import type { PersonKey } from '../../../contract/persons.ts';
import type { NamedCall } from '../../store/ports/user-calls.ts';
import { NONE } from '../call-log.ts';
import { grown } from '../grown.ts';
import { Aliases } from './aliases.ts';
import { IdColumn } from './id-column.ts';

/** A person in the list of everyone. */
export interface SeenPerson {
  readonly key: PersonKey;
  /** Row id of the newest call. */
  readonly newest: number;
}

/** An anonymous id and how it belongs to a person. */
export interface AnonymousId {
  readonly id: string;
  /** Calls of this person that carry it. */
  readonly calls: number;
  /** Other people who are tied to it. */
  readonly sharedWith: string[];
}

export interface PersonIds {
  readonly key: PersonKey;
  /** The key first; then what alias calls renamed to it, also ids without a call. */
  readonly userIds: readonly string[];
  readonly anonymousIds: AnonymousId[];
  /** Row ids of messages, ascending. */
  readonly calls: readonly number[];
}

/** Fewer removed rows than this are not worth closing the gaps. */
const WASTE = 10_000;

export class IdentityIndex {
  readonly aliases = new Aliases();
  readonly #waste: number;
  readonly #users = new IdColumn();
  readonly #anonymous = new IdColumn();
  #ids = new Float64Array(0);
  #length = 0;
  #dead = 0;
  /** Grows with every change; {@link people} is made anew for another one. */
  #version = 0;
  #people: { readonly version: number; readonly seen: readonly SeenPerson[] } | null = null;

  constructor(waste = WASTE) {
    this.#waste = waste;
  }

  get version(): number {
    return this.#version;
  }

  /** A call without any id is left out, and so is one that is here already. */
  add({ id, userId, anonymousId, previousId }: NamedCall): void {
    if (id <= (this.#ids[this.#length - 1] ?? 0) && this.#length > 0) return;
    if (userId === null && anonymousId === null) return;
    const row = this.#length;
    this.#ids = grown(this.#ids, row + 1);
    this.#ids[row] = id;
    this.#length += 1;
    this.#users.push(row, userId);
    this.#anonymous.push(row, anonymousId);
    if (previousId !== null && userId !== null && previousId !== userId)
      this.aliases.add({ id, from: previousId, to: userId });
    this.#version += 1;
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) {
      const row = this.#find(id);
      if (row === NONE || this.#isGone(row)) continue;
      this.#users.clear(row);
      this.#anonymous.clear(row);
      this.aliases.remove(id);
      this.#dead += 1;
      this.#version += 1;
    }
    if (this.#dead > this.#waste && this.#dead > this.#length - this.#dead) this.#compact();
  }

  #isGone(row: number): boolean {
    return this.#users.at(row) === null && this.#anonymous.at(row) === null;
  }

  #find(id: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ids[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low < this.#length && this.#ids[low] === id ? low : NONE;
  }

  #compact(): void {
    this.#users.unlink();
    this.#anonymous.unlink();
    let to = 0;
    for (let from = 0; from < this.#length; from += 1) {
      if (this.#isGone(from)) continue;
      this.#ids[to] = this.#ids[from]!;
      this.#users.move(from, to);
      this.#anonymous.move(from, to);
      to += 1;
    }
    this.#length = to;
    this.#dead = 0;
  }

  /** Everyone, the one seen last first. */
  people(): readonly SeenPerson[] {
    if (this.#people?.version !== this.#version) this.#people = { version: this.#version, seen: this.#inOrder() };
    return this.#people.seen;
  }

  #inOrder(): SeenPerson[] {
    const found = new Map<string, SeenPerson>();
    /** By anonymous id: whom the next newer call of it belongs to. */
    const newer = new Map<string, PersonKey>();
    for (let row = this.#length - 1; row >= 0; row -= 1) {
      if (this.#isGone(row)) continue;
      const userId = this.#users.at(row);
      const anonymousId = this.#anonymous.at(row);
      const key = userId !== null ? this.#keyOf(userId) : (newer.get(anonymousId!) ?? this.#lastOwner(anonymousId!));
      if (anonymousId !== null) newer.set(anonymousId, key);
      const text = `${key.kind} ${key.id}`;
      if (!found.has(text)) found.set(text, { key, newest: this.#ids[row]! });
    }
    return [...found.values()];
  }

  #keyOf(userId: string): PersonKey {
    return { kind: 'user', id: this.aliases.root(userId) };
  }

  /** Whom the newest calls of an anonymous id belong to: the last person that it was tied to. */
  #lastOwner(anonymousId: string): PersonKey {
    for (const row of this.#anonymous.rowsOf(anonymousId)) {
      const userId = this.#users.at(row);
      if (userId !== null) return this.#keyOf(userId);
    }
    const renamed = this.aliases.of(anonymousId);
    return renamed === undefined ? { kind: 'anonymous', id: anonymousId } : this.#keyOf(renamed.to);
  }

  /** The person behind a user id, or else behind an anonymous one; null when nobody has it. */
  find(id: string): PersonKey | null {
    if (this.#users.has(id)) return this.#keyOf(id);
    if (this.#anonymous.has(id)) return this.#lastOwner(id);
    return this.aliases.of(id) === undefined && this.aliases.into(id).length === 0 ? null : this.#keyOf(id);
  }

  /** Calls that name one of these user ids. */
  callsOfUsers(userIds: readonly string[]): number {
    return userIds.reduce((sum, id) => sum + this.#users.count(id), 0);
  }

  /** Calls that carry one of these ids, whoever they belong to. */
  callsWith(ids: readonly string[]): number {
    const rows = new Set<number>();
    for (const id of ids)
      for (const column of [this.#users, this.#anonymous]) for (const row of column.rowsOf(id)) rows.add(row);
    return rows.size;
  }

  /** Null when nobody has this key. */
  person(key: PersonKey): PersonIds | null {
    const rows = new Set<number>();
    const userIds = key.kind === 'user' ? this.aliases.family(key.id) : [];
    for (const userId of userIds) for (const row of this.#users.rowsOf(userId)) rows.add(row);
    const anonymousIds = [...this.#anonymousIdsOf(key, userIds, rows)].map((id) => this.#anonymousId(id, key, rows));
    if (rows.size === 0) return null;
    const calls = [...rows].sort((a, b) => a - b).map((row) => this.#ids[row]!);
    return { key, userIds, anonymousIds: anonymousIds.filter((one) => one.calls > 0), calls };
  }

  #anonymousIdsOf(key: PersonKey, userIds: readonly string[], rows: ReadonlySet<number>): Set<string> {
    const found = new Set<string>(key.kind === 'anonymous' ? [key.id] : []);
    for (const row of [...rows].sort((a, b) => a - b)) {
      const id = this.#anonymous.at(row);
      if (id !== null) found.add(id);
    }
    for (const id of userIds) if (this.#anonymous.has(id)) found.add(id);
    return found;
  }

  /** Adds to `rows` what belongs to the person without naming a user. */
  #anonymousId(id: string, key: PersonKey, rows: Set<number>): AnonymousId {
    const others = new Set<string>();
    let calls = 0;
    for (const { row, owner } of this.#owned(id)) {
      if (owner.kind === key.kind && owner.id === key.id) {
        rows.add(row);
        calls += 1;
      } else others.add(owner.id);
    }
    return { id, calls, sharedWith: [...others] };
  }

  /**
   * The calls of an anonymous id, oldest first, with whom each belongs to: one without a user id belongs to the person
   * of the next call that has one, because people sign in; after the last such call, to that person.
   */
  #owned(id: string): Array<{ readonly row: number; readonly owner: PersonKey }> {
    let owner = this.#lastOwner(id);
    const owned: Array<{ readonly row: number; readonly owner: PersonKey }> = [];
    for (const row of this.#anonymous.rowsOf(id)) {
      const userId = this.#users.at(row);
      if (userId !== null) owner = this.#keyOf(userId);
      owned.push({ row, owner });
    }
    return owned.reverse();
  }

  /** Where an anonymous id went over from one person to another, oldest first. */
  handOvers(
    id: string,
  ): Array<{ readonly before: PersonKey; readonly after: PersonKey; readonly last: number; readonly first: number }> {
    const owned = this.#owned(id);
    return owned.flatMap(({ row, owner }, i) => {
      const before = owned[i - 1];
      if (before === undefined || before.owner.id === owner.id) return [];
      return [{ before: before.owner, after: owner, last: this.#ids[before.row]!, first: this.#ids[row]! }];
    });
  }
}
