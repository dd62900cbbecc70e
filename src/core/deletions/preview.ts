/** The preview of a request: users by sources, with the sums that the request would come to. Pure. */
import {
  DELETION_LIMITS,
  type DeletionPreview,
  type EraseCounts,
  type NearId,
  type PreviewCell,
  type PreviewSource,
  type PreviewUser,
} from '../../contract/deletions.ts';
import { type PlannedSource, reasonOf } from './plan.ts';
import { type Found, type FoundUser, folded } from './user-calls.ts';

/** Other ids that one id is compared with. */
const MAX_NEAR = 3;

export interface PreviewFacts {
  /** As given, duplicates included. */
  readonly lines: readonly string[];
  readonly found: Found;
  readonly sources: readonly PlannedSource[];
  readonly isSuppressed: (userId: string) => boolean;
  /** The name trait of an identify call. */
  readonly nameOf: (identify: number) => string | null;
  readonly erase: EraseCounts;
}

/** The places of each different id, from 1, in the order in which the ids come first. */
export function linesById(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [i, userId] of lines.entries()) {
    const before = places.get(userId);
    if (before === undefined) places.set(userId, [i + 1]);
    else before.push(i + 1);
  }
  return places;
}

export function previewOf(facts: PreviewFacts): DeletionPreview {
  const { lines, found, sources, erase } = facts;
  const places = linesById(lines);
  const users = [...places.keys()].map((userId) => ({ userId, user: found.users.get(userId)! }));
  const nearOf = nearFinder(found);
  const known = users.filter(({ user }) => user.calls.size > 0).length;
  const near = users.filter(({ userId, user }) => user.calls.size === 0 && nearOf(userId).length > 0).length;
  const totals = sources.map((source) => sourceTotals(source, users));
  const calls = sum(totals.map((source) => source.calls));
  return {
    lines: lines.length,
    ids: users.length,
    known,
    near,
    unknown: users.length - known - near,
    duplicates: lines.length - users.length,
    sources: totals,
    users: shown(users).map(({ userId, user }) =>
      previewUser(user, { userId, lines: places.get(userId)!, near: nearOf(userId) }, facts),
    ),
    calls,
    callsWithDestination: sum(totals.map((source) => (source.destinationOn ? source.calls : 0))),
    notices: sum(totals.map((source) => source.notices)),
    usersErased: users.filter(({ user }) => user.messages.length > 0).length,
    erase,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function sourceTotals(
  { silent, ...source }: PlannedSource,
  users: ReadonlyArray<{ readonly user: FoundUser }>,
): PreviewSource {
  const calls = users.map(({ user }) => user.calls.get(source.sourceId) ?? 0);
  const notices = silent === null ? calls.filter((n) => n > 0).length : 0;
  return { ...source, calls: sum(calls), notices };
}

/** Of too many, those without calls come first: they are what a person has to look at. */
function shown<T extends { readonly user: FoundUser }>(users: readonly T[]): readonly T[] {
  if (users.length <= DELETION_LIMITS.rows) return users;
  const isKnown = ({ user }: T): number => (user.calls.size > 0 ? 1 : 0);
  return users.toSorted((a, b) => isKnown(a) - isKnown(b)).slice(0, DELETION_LIMITS.rows);
}

function previewUser(
  user: FoundUser,
  given: Pick<PreviewUser, 'userId' | 'lines' | 'near'>,
  facts: PreviewFacts,
): PreviewUser {
  const cells = facts.sources.map(
    (source): PreviewCell => ({
      sourceId: source.sourceId,
      calls: user.calls.get(source.sourceId) ?? 0,
      reason: reasonOf(source, user),
    }),
  );
  return {
    ...given,
    calls: sum(cells.map(({ calls }) => calls)),
    name: user.identify === null ? null : facts.nameOf(user.identify),
    suppressed: facts.isSuppressed(given.userId),
    cells,
    notices: cells.filter(({ reason }) => reason === null).length,
  };
}

/** Finds ids that differ from one only in spaces or case: other ones in the store, and known ones among the given. */
function nearFinder({ near, users }: Found): (userId: string) => NearId[] {
  const given = new Map<string, Map<string, number>>();
  for (const [userId, { calls }] of users) {
    if (calls.size === 0) continue;
    const key = folded(userId);
    given.set(key, (given.get(key) ?? new Map()).set(userId, sum([...calls.values()])));
  }
  return (userId) => {
    const key = folded(userId);
    return [...(near.get(key) ?? []), ...(given.get(key) ?? [])]
      .filter(([other]) => other !== userId)
      .map(([other, calls]): NearId => ({ userId: other, calls, differsIn: difference(userId, other) }))
      .sort((a, b) => b.calls - a.calls || (a.userId < b.userId ? -1 : 1))
      .slice(0, MAX_NEAR);
  };
}

function difference(one: string, other: string): NearId['differsIn'] {
  if (one.toLowerCase() === other.toLowerCase()) return 'case';
  return one.replace(/\s+/gu, '') === other.replace(/\s+/gu, '') ? 'spaces' : 'spaces_and_case';
}
