/** What clients see of audiences and syncs. */
import type {
  AudienceKind,
  AudienceRow,
  DryCall,
  MemberRow,
  PendingRow,
  SyncCallRow,
  SyncEvent,
  SyncPlan,
  SyncRow,
} from '../../contract/audiences.ts';
import { type AudienceUser, changeOf, isMember } from '../model/audience-user.ts';
import type { ComputedKind } from '../model/vocabulary.ts';
import type { StoredAudience } from '../store/ports/audiences.ts';
import type { PlannedCall, StoredCall, StoredSync } from '../store/ports/syncs.ts';
import { type CallFields, makeCalls } from './calls.ts';
import { ledgerOf } from './ledger.ts';
import type { Known } from './roster.ts';
import { changeOfCall } from './sync-plan.ts';
import type { SyncRun } from './sync-run.ts';
import type { Syncs } from './syncs.ts';

export function syncPlanOf({ syncWhen, everyMs }: Pick<StoredAudience, 'syncWhen' | 'everyMs'>): SyncPlan {
  if (syncWhen !== 'every') return { when: syncWhen };
  return { when: 'every', everyMs: everyMs as Extract<SyncPlan, { when: 'every' }>['everyMs'] };
}

export function audienceRow(
  { audience, counts }: Known,
  syncs: Syncs,
  { synced, isCounted }: { readonly synced: number; readonly isCounted: boolean },
): AudienceRow {
  const { id, kind, name, property, definition, nextSyncAt, track, createdAt } = audience;
  const newest = syncs.newest(id);
  return {
    id,
    kind,
    name,
    property,
    propertyLocked: newest !== undefined,
    by: definition === null ? 'hand' : 'computed',
    computes: kind === 'trait' && definition !== null ? (JSON.parse(definition) as { kind: ComputedKind }).kind : null,
    counts: { ...counts },
    isCounted,
    sync: syncPlanOf(audience),
    nextSyncClock: nextSyncAt,
    track,
    lastSync: newest === undefined ? null : syncRow(newest, syncs.run(id)),
    syncs: synced,
    createdAt,
  };
}

/** `run` is given while the sync is not done. */
export function syncRow(sync: StoredSync, run: SyncRun | undefined): SyncRow {
  const isOwn = run?.sync.id === sync.id;
  const { id, audienceId, n, state, startedAt, endedAt, startedBy, expected, sent, added, removed, changed } = sync;
  const frozen = { expected, sent, delivered: sync.delivered ?? 0, failed: sync.failed ?? 0, open: [] };
  return {
    id,
    audienceId,
    n,
    kind: n === 1 ? 'first' : 'changes',
    state,
    startedAt,
    endedAt,
    startedBy,
    ledger: isOwn ? run.ledger : ledgerOf(frozen),
    added,
    removed,
    changed,
    waitsFor: isOwn ? run.waitsFor : [],
  };
}

export const eventsOf = (sync: StoredSync): SyncEvent[] => sync.events as SyncEvent[];

const parsed = (json: string | null): unknown => (json === null ? null : (JSON.parse(json) as unknown));

export const pendingRow =
  (kind: AudienceKind) =>
  (user: AudienceUser): PendingRow => ({
    userId: user.userId,
    label: user.label,
    change: changeOf(kind, user)!,
    sent: parsed(user.sent),
    value: parsed(user.value),
    since: user.since,
  });

export const memberRow =
  (kind: AudienceKind) =>
  (user: AudienceUser): MemberRow => ({
    userId: user.userId,
    label: user.label,
    value: parsed(user.value),
    since: user.since,
    told: changeOf(kind, user) === null,
  });

/** Members whose id or label has `search` in it, in any case. */
export const matches =
  (kind: AudienceKind, search: string) =>
  (user: AudienceUser): boolean => {
    if (!isMember(kind, user)) return false;
    const text = search.toLowerCase();
    return user.userId.toLowerCase().includes(text) || (user.label?.toLowerCase().includes(text) ?? false);
  };

export const syncCallRow =
  (kind: AudienceKind) =>
  (call: StoredCall): SyncCallRow => ({
    position: call.position,
    userId: call.userId,
    change: changeOfCall(kind, call),
    type: call.type,
    messageId: call.messageId,
    outcome: call.outcome,
    reason: call.reason,
  });

/** The calls as they would be sent now; made by the code that sends. */
export function dryCalls(
  calls: readonly PlannedCall[],
  fields: CallFields & { readonly audience: StoredAudience },
): DryCall[] {
  const { messages } = makeCalls(calls, fields);
  return calls.map((call, i) => ({
    position: call.position,
    userId: call.userId,
    change: changeOfCall(fields.audience.kind, call),
    body: Buffer.from(messages[i]!.wire ?? '').toString(),
  }));
}
