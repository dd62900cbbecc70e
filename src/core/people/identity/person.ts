/** Everything that is known of one person, from the calls that name one of its ids. */
import type { Finding, PersonView, Tie } from '../../../contract/persons.ts';
import { isJsonObject } from '../../model/call.ts';
import type { PersonCall, UserCallStore } from '../../store/ports/user-calls.ts';
import { nameOf } from '../person-name.ts';
import { findingsOf, type HandOver } from './findings.ts';
import type { IdentityIndex, PersonIds } from './identity-index.ts';
import { sessionsOf } from './person-calls.ts';
import { traitHistory } from './trait-history.ts';

/** Findings, traits, groups and sessions are those of the newest calls. */
export const LOOKED_CALLS = 2_000;

/** Null when nobody has the id. */
export function personOf(
  index: IdentityIndex,
  store: Pick<UserCallStore, 'personCalls'>,
  id: string,
): PersonView | null {
  const key = index.find(id);
  const ids = key === null ? null : index.person(key);
  if (ids === null) return null;
  const calls = store.personCalls(ids.calls.slice(-LOOKED_CALLS));
  const traits = traitHistory(calls);
  const first = calls.length === ids.calls.length ? calls[0] : store.personCalls(ids.calls.slice(0, 1))[0];
  return {
    key: ids.key,
    name: nameOf(Object.fromEntries(traits.map(({ trait, value }) => [trait, value]))),
    userIds: ids.userIds.map((userId, i) => ({
      id: userId,
      calls: index.callsOfUsers([userId]),
      renamedBy: i === 0 ? null : (index.aliases.of(userId)?.id ?? null),
    })),
    anonymousIds: ids.anonymousIds,
    groups: groupsOf(calls),
    traits,
    sources: sourcesOf(calls),
    sessions: sessionsOf(calls).reverse(),
    findings: findingsIn(index, store, ids, calls),
    firstSeenAt: first?.receivedAt ?? null,
    lastSeenAt: calls.at(-1)?.receivedAt ?? null,
    calls: ids.calls.length,
    callsWithIds: index.callsWith([...ids.userIds, ...ids.anonymousIds.map((one) => one.id)]),
    timeline: calls.map((call) => ({ id: call.id, tie: tieOf(call), receivedAt: call.receivedAt })).reverse(),
  };
}

/** How many findings a person has; 0 for nobody. */
export function findingCount(
  index: IdentityIndex,
  store: Pick<UserCallStore, 'personCalls'>,
  key: PersonIds['key'],
): number {
  const ids = index.person(key);
  return ids === null ? 0 : findingsIn(index, store, ids, store.personCalls(ids.calls.slice(-LOOKED_CALLS))).length;
}

const findingsIn = (
  index: IdentityIndex,
  store: Pick<UserCallStore, 'personCalls'>,
  ids: PersonIds,
  calls: readonly PersonCall[],
): Finding[] => findingsOf({ calls, handOvers: handOversOf(index, store, ids), aliases: aliasesOf(index, ids) });

const tieOf = ({ userId, anonymousId }: PersonCall): Tie =>
  userId === null ? 'anonymous' : anonymousId === null ? 'user' : 'both';

/** Only where this person is one of the two. Left out where the last call of the one before is gone from the store. */
function handOversOf(
  index: IdentityIndex,
  store: Pick<UserCallStore, 'personCalls'>,
  { key, anonymousIds }: PersonIds,
): HandOver[] {
  return anonymousIds
    .filter(({ sharedWith }) => sharedWith.length > 0)
    .flatMap(({ id: anonymousId }) =>
      index
        .handOvers(anonymousId)
        .filter(({ before, after }) => before.id === key.id || after.id === key.id)
        .flatMap(({ before, after, last, first }) => {
          const until = store.personCalls([last])[0]?.receivedAt;
          return until === undefined ? [] : { anonymousId, before: before.id, after: after.id, until, call: first };
        }),
    );
}

const aliasesOf = ({ aliases }: IdentityIndex, { userIds }: PersonIds) => userIds.flatMap((id) => aliases.of(id) ?? []);

function groupsOf(calls: readonly PersonCall[]): PersonView['groups'] {
  const found = new Map<string, PersonView['groups'][number]>();
  for (const { id, type, body } of calls) {
    const groupId = body?.groupId;
    if (type !== 'group' || typeof groupId !== 'string') continue;
    const name = isJsonObject(body?.traits) ? body.traits.name : undefined;
    found.set(groupId, {
      groupId,
      name: typeof name === 'string' ? name : (found.get(groupId)?.name ?? null),
      call: id,
    });
  }
  return [...found.values()].reverse();
}

/** Most calls first. */
function sourcesOf(calls: readonly PersonCall[]): Array<{ sourceId: number | null; calls: number }> {
  const counts = new Map<number | null, number>();
  for (const { sourceId } of calls) counts.set(sourceId, (counts.get(sourceId) ?? 0) + 1);
  return [...counts].map(([sourceId, count]) => ({ sourceId, calls: count })).sort((a, b) => b.calls - a.calls);
}
