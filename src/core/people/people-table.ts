/**
 * Everyone with a stored call that names a user. A person is a user id, compared byte for byte; calls without one belong
 * to nobody. Each has a small number, which a later person may get when this one is gone.
 */
import type { JsonObject } from '../model/call.ts';
import { byCodePoints } from '../model/code-points.ts';
import { NONE } from './call-log.ts';
import { grown } from './grown.ts';

/** Numbers of people who are gone are kept back until so many have gathered, or the order is asked for. */
const MANY_GONE = 4_096;

export class PeopleTable {
  readonly #numbers = new Map<string, number>();
  readonly #userIds: (string | null)[] = [];
  readonly #traits: (JsonObject | null)[] = [];
  #newest = new Int32Array(0);
  #calls = new Int32Array(0);
  #order: number[] = [];
  #fresh: number[] = [];
  #gone: number[] = [];
  #free: number[] = [];

  /** How many people there are. */
  get size(): number {
    return this.#numbers.size;
  }

  /** One more than the highest number. */
  get room(): number {
    return this.#userIds.length;
  }

  /** {@link NONE} when nobody has this id. */
  find(userId: string): number {
    return this.#numbers.get(userId) ?? NONE;
  }

  /** Null for a number that nobody has. */
  userId(person: number): string | null {
    return this.#userIds[person] ?? null;
  }

  traits(person: number): JsonObject | null {
    return this.#traits[person] ?? null;
  }

  setTraits(person: number, traits: JsonObject | null): void {
    this.#traits[person] = traits;
  }

  newest(person: number): number {
    return this.#newest[person]!;
  }

  /** The newest row of each person, for the log to rewrite. */
  get newestRows(): Int32Array {
    return this.#newest;
  }

  /** The person's number; a new one for a new user id. */
  of(userId: string): number {
    return this.#numbers.get(userId) ?? this.#add(userId);
  }

  #add(userId: string): number {
    const person = this.#free.pop() ?? this.#userIds.length;
    this.#newest = grown(this.#newest, person + 1);
    this.#calls = grown(this.#calls, person + 1);
    this.#numbers.set(userId, person);
    this.#userIds[person] = userId;
    this.#traits[person] = null;
    this.#newest[person] = NONE;
    this.#calls[person] = 0;
    this.#fresh.push(person);
    return person;
  }

  called(person: number, row: number): void {
    this.#newest[person] = row;
    this.#calls[person]! += 1;
  }

  hasOneCall(person: number): boolean {
    return this.#calls[person] === 1;
  }

  /** One call less. After the last one the person is gone. */
  lostCall(person: number): void {
    this.#calls[person]! -= 1;
    if (this.#calls[person]! > 0) return;
    this.#numbers.delete(this.#userIds[person]!);
    this.#userIds[person] = null;
    this.#traits[person] = null;
    this.#newest[person] = NONE;
    this.#gone.push(person);
    if (this.#gone.length >= MANY_GONE) this.#sort();
  }

  /** Numbers of people in the order of their user ids, which is that of SQLite (by code points). */
  inOrder(): readonly number[] {
    this.#sort();
    return this.#order;
  }

  /** The first place in {@link inOrder} with a user id after this one. */
  placeAfter(userId: string): number {
    const order = this.inOrder();
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (byCodePoints(this.#userIds[order[middle]!]!, userId) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sort(): void {
    if (this.#fresh.length === 0 && this.#gone.length === 0) return;
    const compare = (a: number, b: number): number => byCodePoints(this.#userIds[a]!, this.#userIds[b]!);
    const isHere = (person: number): boolean => this.#userIds[person] !== null;
    const fresh = this.#fresh.filter(isHere).sort(compare);
    const before = this.#gone.length > 0 ? this.#order.filter(isHere) : this.#order;
    this.#order = merged(before, fresh, compare);
    this.#free.push(...this.#gone);
    this.#fresh = [];
    this.#gone = [];
  }
}

function merged(a: readonly number[], b: readonly number[], compare: (a: number, b: number) => number): number[] {
  const all: number[] = [];
  let i = 0;
  for (const one of b) {
    while (i < a.length && compare(a[i]!, one) < 0) all.push(a[i++]!);
    all.push(one);
  }
  while (i < a.length) all.push(a[i++]!);
  return all;
}
