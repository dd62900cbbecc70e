/**
 * One user of an audience or a computed trait: the value that the user has now, and the one that the receivers were
 * told last (decisions, Audiences and deletions). Values are JSON texts: `true` and `false` of an audience, any value of
 * a trait.
 *
 * A sync sends `value` to whoever has one that differs from `sent`. In and out again between two syncs gives back the
 * row as it was, so nothing is sent.
 */

export interface AudienceUser {
  /** Byte for byte as it was given. */
  readonly userId: string;
  /** Null: none. A trait that is lost is not sent, because it cannot be taken back. */
  readonly value: string | null;
  /** Null: nothing yet. */
  readonly sent: string | null;
  /** Wall time since which the user has `value`, epoch milliseconds. */
  readonly since: number;
  /** What a list shows beside the id; never sent. */
  readonly label: string | null;
}

/** Counts of users. `toAdd`, `toRemove` and `toChange` add up to those that the next sync sends. */
export interface UserCounts {
  readonly members: number;
  readonly toAdd: number;
  readonly toRemove: number;
  readonly toChange: number;
}

export const NO_USERS: UserCounts = { members: 0, toAdd: 0, toRemove: 0, toChange: 0 };

export const IN = 'true';
export const OUT = 'false';

export type Membership = 'audience' | 'trait';

/** What the next sync does for a user. */
export type UserChange = 'add' | 'remove' | 'change';

/** Null when nothing is sent. */
export function changeOf(kind: Membership, { value, sent }: Pick<AudienceUser, 'value' | 'sent'>): UserChange | null {
  if (value === null || value === sent) return null;
  if (kind === 'audience') return value === IN ? 'add' : 'remove';
  return sent === null ? 'add' : 'change';
}

export const isMember = (kind: Membership, { value }: Pick<AudienceUser, 'value'>): boolean =>
  kind === 'audience' ? value === IN : value !== null;

/** The row after `value` was found at wall time `at`. Null: no row is needed. */
export function withValue(
  kind: Membership,
  userId: string,
  before: AudienceUser | undefined,
  value: string | null,
  at: number,
  label: string | null = before?.label ?? null,
): AudienceUser | null {
  const sent = before?.sent ?? null;
  // Who was never told to be in has nothing to be told when leaving.
  const now = kind === 'audience' && value !== IN ? (sent === IN ? OUT : null) : value;
  return kept(kind, { userId, value: now, sent, since: before?.value === now ? before.since : at, label });
}

/** The row after the receivers were told `told`. Null: no row is needed any more. */
export function withSent(
  kind: Membership,
  userId: string,
  before: AudienceUser | undefined,
  told: string,
  at: number,
): AudienceUser | null {
  const { value = null, since = at, label = null } = before ?? {};
  // The user left meanwhile: what was just told must be taken back.
  const now = kind === 'audience' && value === null && told === IN ? OUT : value;
  return kept(kind, { userId, value: now, sent: told, since, label });
}

/** An audience forgets who is out and was told so. */
function kept(kind: Membership, user: AudienceUser): AudienceUser | null {
  if (user.value === null && user.sent === null) return null;
  const isOut = (value: string | null): boolean => value === null || value === OUT;
  return kind === 'audience' && isOut(user.value) && user.sent === OUT ? null : user;
}

/** What one row adds to the counts. */
export function countsOf(kind: Membership, user: AudienceUser | null | undefined): UserCounts {
  if (user === null || user === undefined) return NO_USERS;
  const change = changeOf(kind, user);
  return {
    members: Number(isMember(kind, user)),
    toAdd: Number(change === 'add'),
    toRemove: Number(change === 'remove'),
    toChange: Number(change === 'change'),
  };
}

/** `counts` after a row `before` became `after`. */
export function recounted(
  kind: Membership,
  counts: UserCounts,
  before: AudienceUser | null | undefined,
  after: AudienceUser | null | undefined,
): UserCounts {
  const less = countsOf(kind, before);
  const more = countsOf(kind, after);
  return {
    members: counts.members + more.members - less.members,
    toAdd: counts.toAdd + more.toAdd - less.toAdd,
    toRemove: counts.toRemove + more.toRemove - less.toRemove,
    toChange: counts.toChange + more.toChange - less.toChange,
  };
}
