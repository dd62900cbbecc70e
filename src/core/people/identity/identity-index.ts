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
import { Roster, type Seen } from './roster.ts';
import { Touched } from './touched.ts';

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
/** So many calls of an anonymous id are looked at for its owner when one more comes. */
const LOOKED_ROWS = 64;

const isSame = (a: PersonKey, b: PersonKey): boolean => a.kind === b.kind && a.id === b.id;

export class IdentityIndex {
  readonly aliases = new Aliases();
  readonly #waste: number;
  readonly #lookedRows: number;
  readonly #users = new IdColumn();
  readonly #anonymous = new IdColumn();
  #ids = new Float64Array(0);
  #length = 0;
  #dead = 0;
  readonly #people = new Roster();
  readonly #touched = new Touched();

  constructor({ waste = WASTE, lookedRows = LOOKED_ROWS } = {}) {
    this.#waste = waste;
    this.#lookedRows = lookedRows;
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
      this.#rename(previousId, () => this.aliases.add({ id, from: previousId, to: userId }));
    this.#note(id, row, userId, anonymousId);
  }

  /** Everyone with one of these ids, after the change, may be somebody else. */
  #rename(from: string, change: () => void): void {
    this.#touched.renamed(from);
    const before = this.aliases.of(from);
    if (before !== undefined) this.#touched.renamed(before.to);
    change();
  }

  /** Whom the new call belongs to. */
  #note(id: number, row: number, userId: string | null, anonymousId: string | null): void {
    if (userId === null) {
      const owner = this.#lastOwner(anonymousId!, this.#lookedRows);
      return owner === null ? this.#touched.anonymous(anonymousId!) : this.#people.bump(owner, id);
    }
    const key = this.#keyOf(userId);
    this.#people.bump(key, id);
    if (anonymousId === null) return;
    const before = this.#ownerBefore(anonymousId, row);
    if (before === null || isSame(before.owner, key)) return;
    // It went over to this person, which is a finding of both.
    this.#people.recount(before.owner);
    if (!before.hasCalls) return;
    this.#touched.person(before.owner);
    this.#touched.person(key);
  }

  /**
   * Whom the newest calls of an anonymous id before this row belonged to, and whether some of them have no user id: they
   * are those of the next person who has one. Null without such calls.
   */
  #ownerBefore(anonymousId: string, row: number): { readonly owner: PersonKey; readonly hasCalls: boolean } | null {
    let hasCalls = false;
    for (const other of this.#anonymous.rowsOf(anonymousId)) {
      if (other === row) continue;
      const userId = this.#users.at(other);
      if (userId !== null) return { owner: this.#keyOf(userId), hasCalls };
      hasCalls = true;
    }
    return hasCalls ? { owner: this.#untied(anonymousId), hasCalls } : null;
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) {
      const row = this.#find(id);
      if (row === NONE || this.#isGone(row)) continue;
      this.#noteRemoved(this.#users.at(row), this.#anonymous.at(row));
      this.#users.clear(row);
      this.#anonymous.clear(row);
      const alias = this.aliases.at(id);
      if (alias !== undefined) this.#rename(alias.from, () => this.aliases.remove(id));
      this.#dead += 1;
    }
    if (this.#dead > this.#waste && this.#dead > this.#length - this.#dead) this.#compact();
  }

  #noteRemoved(userId: string | null, anonymousId: string | null): void {
    if (userId !== null) this.#touched.person(this.#keyOf(userId));
    if (anonymousId === null) return;
    this.#touched.anonymous(anonymousId);
    this.#touched.person(this.#untied(anonymousId));
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

  /** Everyone as they are now. What the calls before changed in many people at once is worked out here. */
  get people(): Roster {
    this.settle();
    return this.#people;
  }

  /** How many people must be looked at again before {@link people} is true. */
  get unsettled(): number {
    return this.#touched.size;
  }

  /** Works out who has changed, so that the next one who asks does not wait for it. */
  settle(): void {
    if (this.#touched.size === 0) return;
    const all = this.#touched.take(
      (id) => this.aliases.family(this.aliases.root(id)),
      (anonymousId) => this.#ownersOf(anonymousId),
    );
    for (const key of all) this.#people.set(key, this.#seen(key));
  }

  /** Null when the calls of this key belong to another one, or nobody has it. */
  #seen(key: PersonKey): Seen | null {
    const owner = key.kind === 'user' ? this.#keyOf(key.id) : this.#lastOwner(key.id);
    const calls = isSame(owner, key) ? this.person(key)?.calls : undefined;
    return calls === undefined ? null : { newest: calls.at(-1)!, oldest: calls[0]!, calls: calls.length };
  }

  /** Everyone who has a call of an anonymous id. */
  #ownersOf(anonymousId: string): PersonKey[] {
    return this.#owned(anonymousId).map(({ owner }) => owner);
  }

  #keyOf(userId: string): PersonKey {
    return { kind: 'user', id: this.aliases.root(userId) };
  }

  /**
   * Whom the newest calls of an anonymous id belong to: the last person that it was tied to. Null where the last `most`
   * calls do not say it.
   */
  #lastOwner(anonymousId: string): PersonKey;
  #lastOwner(anonymousId: string, most: number): PersonKey | null;
  #lastOwner(anonymousId: string, most = Number.POSITIVE_INFINITY): PersonKey | null {
    let left = most;
    for (const row of this.#anonymous.rowsOf(anonymousId)) {
      const userId = this.#users.at(row);
      if (userId !== null) return this.#keyOf(userId);
      if (left === 0) return null;
      left -= 1;
    }
    return this.#untied(anonymousId);
  }

  /** Whom the calls of an anonymous id belong to that never came with a user id. */
  #untied(anonymousId: string): PersonKey {
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
      if (isSame(owner, key)) {
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
