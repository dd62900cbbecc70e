/** The list of all people. */
import type { EveryoneView, PeopleSort, PersonRow } from '../../../contract/persons.ts';
import type { JsonObject } from '../../model/call.ts';
import type { UserCallStore } from '../../store/ports/user-calls.ts';
import { nameOf } from '../person-name.ts';
import type { FindingCounts } from './finding-counts.ts';
import type { IdentityIndex } from './identity-index.ts';
import type { SeenPerson } from './roster.ts';
import { windowOf } from './window-of.ts';

export interface EveryoneAsk {
  /** Part of an id, a name or an email address, in either case; empty for all. */
  readonly search: string;
  /** How many to skip. */
  readonly sort: PeopleSort;
  readonly from: number;
  readonly limit: number;
}

/** `traits` are those of a user id. */
export function everyone(
  { identities, findings }: { readonly identities: IdentityIndex; readonly findings: FindingCounts },
  store: Pick<UserCallStore, 'personCalls'>,
  traits: (userId: string) => JsonObject | null,
  { search, sort, from, limit }: EveryoneAsk,
): EveryoneView {
  const { people } = identities;
  const wanted = search.trim().toLowerCase();
  const isWanted = ({ key }: SeenPerson): boolean =>
    wanted === '' || textsOf(key, traits).some((text) => text.includes(wanted));
  const { rows: shown, matching } = windowOf(people.newestFirst(), isWanted, { by: HIGHEST_FIRST[sort], from, limit });
  const seenAt = new Map(
    store
      .personCalls(shown.flatMap(({ newest, oldest }) => [newest, oldest]))
      .map((call) => [call.id, call.receivedAt]),
  );
  findings.want(shown);
  if (sort === 'findings') findings.wantEveryone();
  const row = ({ key, newest, oldest, calls, findings: found }: SeenPerson): PersonRow => ({
    key,
    name: key.kind === 'user' ? nameOf(traits(key.id)) : null,
    calls,
    findings: found,
    firstSeenAt: seenAt.get(oldest) ?? null,
    lastSeenAt: seenAt.get(newest) ?? null,
  });
  return {
    people: people.size,
    matching: wanted === '' ? people.size : matching(),
    isCounted: shown.every((one) => one.isCounted) && (sort !== 'findings' || people.uncounted === 0),
    uncounted: people.uncounted,
    withFindings: people.withFindings,
    rows: shown.map(row),
  };
}

/** Null: in the order in which they come, the one seen last first. */
const HIGHEST_FIRST: Readonly<Record<PeopleSort, ((person: SeenPerson) => number) | null>> = {
  last_seen: null,
  first_seen: ({ oldest }) => oldest,
  calls: ({ calls }) => calls,
  findings: ({ findings }) => findings ?? -1,
};

function textsOf({ kind, id }: SeenPerson['key'], traits: (userId: string) => JsonObject | null): string[] {
  const known = kind === 'user' ? traits(id) : null;
  const texts = [id, nameOf(known), known?.email];
  return texts.flatMap((text) => (typeof text === 'string' ? text.toLowerCase() : []));
}
