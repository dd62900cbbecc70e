/** The list of all people. */
import type { EveryoneView, PersonRow } from '../../../contract/persons.ts';
import type { JsonObject } from '../../model/call.ts';
import type { UserCallStore } from '../../store/ports/user-calls.ts';
import { nameOf } from '../person-name.ts';
import type { IdentityIndex, SeenPerson } from './identity-index.ts';

export interface EveryoneAsk {
  /** Part of an id, a name or an email address, in either case; empty for all. */
  readonly search: string;
  /** How many to skip. */
  readonly from: number;
  readonly limit: number;
}

/** The one seen last first. `traits` are those of a user id. */
export function everyone(
  index: IdentityIndex,
  store: Pick<UserCallStore, 'personCalls'>,
  traits: (userId: string) => JsonObject | null,
  { search, from, limit }: EveryoneAsk,
): EveryoneView {
  const all = index.people();
  const wanted = search.trim().toLowerCase();
  const matching =
    wanted === '' ? all : all.filter(({ key }) => textsOf(key, traits).some((text) => text.includes(wanted)));
  const shown = matching.slice(from, from + limit);
  const seenAt = new Map(
    store.personCalls(shown.map(({ newest }) => newest)).map((call) => [call.id, call.receivedAt]),
  );
  const row = ({ key, newest }: SeenPerson): PersonRow => ({
    key,
    name: key.kind === 'user' ? nameOf(traits(key.id)) : null,
    calls: index.person(key)?.calls.length ?? 0,
    lastSeenAt: seenAt.get(newest) ?? null,
  });
  return { people: all.length, matching: matching.length, rows: shown.map(row) };
}

function textsOf({ kind, id }: SeenPerson['key'], traits: (userId: string) => JsonObject | null): string[] {
  const known = kind === 'user' ? traits(id) : null;
  const texts = [id, nameOf(known), known?.email];
  return texts.flatMap((text) => (typeof text === 'string' ? text.toLowerCase() : []));
}
