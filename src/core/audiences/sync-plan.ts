/**
 * The plan of a sync: who is told what, in chunks of one transaction each, and what is taken out of it again. Suppressed
 * users are not in it: they stay pending, so that the next sync tells them once the suppression is lifted.
 */
import type { ChangeKind, SyncEvent } from '../../contract/audiences.ts';
import { changeOf, type Membership, NO_USERS, recounted, type UserCounts } from '../model/audience-user.ts';
import type { Timers } from '../ports.ts';
import type { AudienceStore, StoredAudience } from '../store/ports/audiences.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { PlannedCall, StoredSync, SyncStore } from '../store/ports/syncs.ts';
import type { UserSet } from './deps.ts';
import { pendingOf, summed } from './roster.ts';

/** Users of one transaction of the plan. */
export const PLAN_ROWS = 1_000;
/** Users that are looked up in one turn. */
const LOOKED_UP = 500;

export interface Plan {
  /** The last user in it. */
  readonly after: string | null;
  readonly calls: number;
  /** Calls that suppressed users would have got. */
  readonly leftOut: number;
  readonly counts: UserCounts;
}

export const EMPTY_PLAN: Plan = { after: null, calls: 0, leftOut: 0, counts: NO_USERS };

export interface PlanDeps {
  readonly store: Pick<AudienceStore, 'users'>;
  readonly syncs: Pick<SyncStore, 'addCalls'>;
  suppressed(): UserSet;
}

const COUNTED_AS = { add: 'toAdd', remove: 'toRemove', change: 'toChange' } as const;
const SUMMED_AS = { add: 'added', remove: 'removed', change: 'changed' } as const;

/** The calls that a user gets. */
export const typesOf = ({ track }: Pick<StoredAudience, 'track'>): ReadonlyArray<PlannedCall['type']> =>
  track ? ['identify', 'track'] : ['identify'];

/** Writes one part of the plan. `isLast` when nobody is left. */
export function planStep(
  { store, syncs, suppressed }: PlanDeps,
  { audience, syncId }: { readonly audience: StoredAudience; readonly syncId: number },
  plan: Plan,
  changes: Changes,
): { readonly plan: Plan; readonly isLast: boolean } {
  const users = store.users({ audienceId: audience.id, after: plan.after, limit: PLAN_ROWS, only: 'pending' });
  const types = typesOf(audience);
  const calls: PlannedCall[] = [];
  let { counts, leftOut } = plan;
  for (const user of users) {
    const { userId, sent: before, value } = user;
    if (suppressed().has(userId)) {
      leftOut += types.length;
      continue;
    }
    counts = summed(counts, { ...NO_USERS, [COUNTED_AS[changeOf(audience.kind, user)!]]: 1 });
    for (const type of types)
      calls.push({ position: plan.calls + calls.length + 1, userId, type, value: value!, before });
  }
  syncs.addCalls(syncId, calls, changes);
  const after = users.at(-1)?.userId ?? plan.after;
  return { plan: { after, calls: plan.calls + calls.length, leftOut, counts }, isLast: users.length < PLAN_ROWS };
}

/** The sync once its plan is whole. One without calls is done. */
export function plannedSync(sync: StoredSync, plan: Plan, at: number, series: StoredSync['series']): StoredSync {
  const { calls, leftOut, counts } = plan;
  const { toAdd: added, toRemove: removed, toChange: changed } = counts;
  const begun = { ...sync, state: 'running' as const, expected: calls, added, removed, changed };
  const planned = leftOut === 0 ? begun : withLeftOut(begun, leftOut, at);
  return calls === 0 ? doneSync(planned, 0, 0, at, series) : planned;
}

/** With its ledger frozen, so that it stays when its messages are removed. */
export function doneSync(
  sync: StoredSync,
  delivered: number,
  failed: number,
  at: number,
  series: StoredSync['series'],
): StoredSync {
  const event: SyncEvent = { at, what: 'done', by: null, sent: sync.sent };
  return { ...sync, state: 'done', endedAt: at, delivered, failed, events: [...sync.events, event], series };
}

/** What a planned call does for its user. */
export const changeOfCall = (kind: Membership, { value, before }: PlannedCall): ChangeKind =>
  changeOf(kind, { value, sent: before }) ?? 'change';

/**
 * Takes calls out of the part of a plan that is not sent. The last calls of the plan come into their places, so that
 * positions stay 1 to `expected`. Returns the sync as it is then; the caller saves it.
 */
export function leaveOut(
  syncs: Pick<SyncStore, 'takeOut'>,
  { sync, kind }: { readonly sync: StoredSync; readonly kind: Membership },
  calls: readonly PlannedCall[],
  at: number,
  changes: Changes,
): StoredSync {
  let left = sync;
  // From the end, so that none of those that come into a place is to be taken out itself.
  for (const call of calls.toSorted((a, b) => b.position - a.position)) {
    const expected = left.expected!;
    syncs.takeOut({ syncId: sync.id, position: call.position, last: expected }, changes);
    const counted = SUMMED_AS[changeOfCall(kind, call)];
    left = { ...left, expected: expected - 1, [counted]: left[counted] - Number(call.type === 'identify') };
  }
  return calls.length === 0 ? left : withLeftOut(left, calls.length, at);
}

/**
 * The call that is sent next: {@link leaveOut} as the next chunk of `limit` calls will do it, without writing it.
 * Undefined when none is left, and when so many are left out that a look would take too long.
 */
export function nextCallOf(
  { syncs, suppressed }: { readonly syncs: Pick<SyncStore, 'calls'>; suppressed(): UserSet },
  { id: syncId, sent, expected }: Pick<StoredSync, 'id' | 'sent' | 'expected'>,
  limit: number,
): PlannedCall | undefined {
  const read = (after: number, rows: number): PlannedCall[] => syncs.calls({ syncId, after, limit: rows, only: 'all' });
  const silent = suppressed();
  const chunk = read(sent, silent.size === 0 ? 1 : limit);
  let last = expected ?? 0;
  const least = last - LOOKED_UP;
  while (last > least) {
    const gone = chunk.flatMap(({ userId }, at) => (silent.has(userId) ? [at] : []));
    if (gone.length === 0) return chunk[0];
    for (const at of gone.toReversed()) {
      const isInChunk = last <= sent + chunk.length;
      const moved = isInChunk ? chunk.pop() : read(last - 1, 1)[0];
      if (moved !== undefined && at < chunk.length) chunk[at] = { ...moved, position: sent + at + 1 };
      last -= 1;
    }
  }
  return undefined;
}

/** Calls of these users behind the sent ones, by position. Works in steps. */
export async function unsentOf(
  syncs: Pick<SyncStore, 'calls'>,
  { id: syncId, sent }: Pick<StoredSync, 'id' | 'sent'>,
  users: ReadonlySet<string>,
  timers: Pick<Timers, 'soon'>,
): Promise<PlannedCall[]> {
  const found: PlannedCall[] = [];
  for (let after = sent; ; await new Promise<void>((resolve) => timers.soon(resolve))) {
    const calls = syncs.calls({ syncId, after, limit: LOOKED_UP, only: 'all' });
    found.push(...calls.filter(({ userId }) => users.has(userId)));
    if (calls.length < LOOKED_UP) return found;
    after = calls.at(-1)!.position;
  }
}

type LeftOut = Extract<SyncEvent, { readonly what: 'left_out' }>;

/** One event in all, so that a long sync does not collect many. */
function withLeftOut(sync: StoredSync, calls: number, at: number): StoredSync {
  const events = sync.events as SyncEvent[];
  const isSame = (event: SyncEvent): event is LeftOut => event.what === 'left_out';
  const before = events.find(isSame)?.calls ?? 0;
  const event: SyncEvent = { at, what: 'left_out', by: null, sent: sync.sent, calls: before + calls };
  return { ...sync, events: [...events.filter((one) => !isSame(one)), event] };
}

/** Users of the pending ones who are suppressed, by what they would be told. Works in steps. */
export async function suppressedCounts(
  store: Pick<AudienceStore, 'user' | 'users'>,
  { id, kind }: Pick<StoredAudience, 'id' | 'kind'>,
  { suppressed, pending }: { readonly suppressed: UserSet; readonly pending: UserCounts },
  timers: Pick<Timers, 'soon'>,
): Promise<UserCounts> {
  let counts = NO_USERS;
  if (suppressed.size === 0 || pendingOf(pending) === 0) return counts;
  const pause = (): Promise<void> => new Promise((resolve) => timers.soon(resolve));
  if (suppressed.size <= pendingOf(pending)) {
    let looked = 0;
    for (const userId of [...suppressed]) {
      counts = recounted(kind, counts, null, store.user(id, userId));
      looked += 1;
      if (looked % LOOKED_UP === 0) await pause();
    }
    return counts;
  }
  for (let after: string | null = null; ; await pause()) {
    const users = store.users({ audienceId: id, after, limit: LOOKED_UP, only: 'pending' });
    for (const user of users) if (suppressed.has(user.userId)) counts = recounted(kind, counts, null, user);
    if (users.length < LOOKED_UP) return counts;
    after = users.at(-1)!.userId;
  }
}
