/**
 * Mistakes in the identity of a person, each with the call that made it. Every finding is a fact about stored calls; the
 * words for it are in `contract/finding-words.ts`.
 */
import type { Finding } from '../../../contract/persons.ts';
import { previousIdOf } from '../../model/body.ts';
import { isJsonObject } from '../../model/call.ts';
import type { PersonCall } from '../../store/ports/user-calls.ts';
import type { Alias } from './aliases.ts';
import { happenedAt, traitsOf } from './person-calls.ts';

/** Two equal events that happened within so much time are one too many. */
export const TWICE_MS = 100;

/** An anonymous id that went over from one person to another. */
export interface HandOver {
  readonly anonymousId: string;
  readonly before: string;
  readonly after: string;
  readonly until: number;
  /** The first call of the one after. */
  readonly call: number;
}

export interface FindingFacts {
  /** In the order of arrival. */
  readonly calls: readonly PersonCall[];
  readonly handOvers: readonly HandOver[];
  /** Alias calls in force between the ids of this person. */
  readonly aliases: readonly Alias[];
}

/** In the order of the calls that made them, the newest first. */
export function findingsOf({ calls, handOvers, aliases }: FindingFacts): Finding[] {
  const all: Finding[] = [
    ...lateIdentifies(calls),
    ...handOvers.map((one): Finding => ({ kind: 'shared_anonymous_id', ...one })),
    ...changedTypes(calls),
    ...emails(calls),
    ...twice(calls),
    ...loops(aliases),
    ...selfAliases(calls),
  ];
  return all.sort((a, b) => b.call - a.call);
}

function lateIdentifies(calls: readonly PersonCall[]): Finding[] {
  const found: Finding[] = [];
  const waiting = new Map<string, PersonCall[]>();
  for (const call of calls) {
    const { anonymousId, userId } = call;
    if (anonymousId === null) continue;
    const before = waiting.get(anonymousId) ?? [];
    if (userId === null) {
      waiting.set(anonymousId, [...before, call]);
      continue;
    }
    waiting.delete(anonymousId);
    if (before.some(({ type }) => type === 'track'))
      found.push({
        kind: 'identify_after_track',
        call: call.id,
        anonymousId,
        userId,
        anonymousCalls: before.length,
      });
  }
  return found;
}

function changedTypes(calls: readonly PersonCall[]): Finding[] {
  const found: Finding[] = [];
  const seen = new Map<string, { readonly value: unknown; readonly calls: number }>();
  for (const call of calls)
    for (const [trait, value] of traitsOf(call)) {
      // A null says that there is no value, and a value of any type may follow.
      if (value === null) continue;
      const before = seen.get(trait);
      if (before !== undefined && jsonType(before.value) !== jsonType(value)) {
        found.push({ kind: 'trait_type', call: call.id, trait, was: before.value, is: value, calls: before.calls });
        seen.set(trait, { value, calls: 1 });
      } else seen.set(trait, { value, calls: (before?.calls ?? 0) + 1 });
    }
  return found;
}

/** Of a value that is not null. */
export const jsonType = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function emails(calls: readonly PersonCall[]): Finding[] {
  const first = new Map<string, number>();
  for (const { id, userId } of calls)
    if (userId !== null && EMAIL.test(userId) && !first.has(userId)) first.set(userId, id);
  return [...first].map(([userId, call]) => ({ kind: 'email_as_user_id', call, userId }));
}

function twice(calls: readonly PersonCall[]): Finding[] {
  const found: Finding[] = [];
  const newest = new Map<string, PersonCall>();
  for (const call of calls) {
    if (call.type !== 'track' || call.body === null) continue;
    const same = JSON.stringify([call.event, call.userId, call.anonymousId, call.body.properties], inOneOrder);
    const before = newest.get(same);
    newest.set(same, call);
    if (before === undefined) continue;
    const ms = Math.abs(happenedAt(call) - happenedAt(before));
    if (ms <= TWICE_MS) found.push({ kind: 'twice', call: call.id, event: call.event, first: before.id, ms });
  }
  return found;
}

/** Two libraries write the keys of one object in different orders. */
const inOneOrder = (_key: string, value: unknown): unknown =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** Each loop once, at the call that closed it. */
function loops(aliases: readonly Alias[]): Finding[] {
  const next = new Map(aliases.map((alias) => [alias.from, alias]));
  const found = new Map<number, Finding>();
  for (const alias of aliases) {
    const path = [alias];
    for (let one = next.get(alias.to); one !== undefined && !path.includes(one); one = next.get(one.to)) path.push(one);
    if (path.at(-1)!.to !== alias.from) continue;
    const closing = path.reduce((newest, one) => (one.id > newest.id ? one : newest));
    if (closing !== path.at(-1)) continue;
    found.set(closing.id, {
      kind: 'alias_loop',
      call: closing.id,
      ids: [...path.map(({ from }) => from), closing.to],
    });
  }
  return [...found.values()];
}

/** An id that was renamed to itself is the shortest loop. It renames nothing, so it is no alias in force; the newest counts. */
function selfAliases(calls: readonly PersonCall[]): Finding[] {
  const newest = new Map<string, number>();
  for (const { id, type, userId, body } of calls)
    if (type === 'alias' && userId !== null && previousIdOf(body) === userId) newest.set(userId, id);
  return [...newest].map(([id, call]) => ({ kind: 'alias_loop', call, ids: [id, id] }));
}
