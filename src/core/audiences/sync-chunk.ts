/** One chunk of a sync, in one transaction: the request, its messages, the calls' row ids, and what the users were told. */
import { failpoint } from '../failpoint.ts';
import { NO_USERS, type UserCounts } from '../model/audience-user.ts';
import type { NewMessage, StoredMessage } from '../model/records.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { Arrived } from '../store/ports/ingest.ts';
import type { PlannedCall, StoredSync } from '../store/ports/syncs.ts';
import { makeCalls } from './calls.ts';
import type { AudiencesDeps, StoredAudience } from './deps.ts';
import { type Roster, summed } from './roster.ts';
import { leaveOut } from './sync-plan.ts';

export interface Chunk {
  readonly calls: readonly PlannedCall[];
  readonly arrived: Arrived;
  readonly stored: readonly StoredMessage[];
  readonly counts: UserCounts;
}

export interface ChunkDeps extends Pick<AudiencesDeps, 'syncs' | 'ingest' | 'destination' | 'suppressed'> {
  readonly roster: Pick<Roster, 'told'>;
}

/** The sync as it is before the chunk, and what the chunk is made of. */
export interface ChunkPlan {
  readonly sync: StoredSync;
  readonly audience: StoredAudience;
  readonly limit: number;
  /** Wall time. */
  readonly at: number;
  /** Retry-clock time at which the messages are due. */
  readonly dueAt: number;
}

/** Stores the next calls. Users who were suppressed since the plan was made are left out; null when nobody is left. */
export function storeNext(
  deps: ChunkDeps,
  { sync: begun, ...plan }: ChunkPlan,
  changes: Changes,
): { readonly sync: StoredSync; readonly chunk: Chunk | null } {
  const { syncs, suppressed } = deps;
  const { audience, limit, at } = plan;
  const next = () => syncs.calls({ syncId: begun.id, after: begun.sent, limit, only: 'all' });
  let sync = begun;
  let calls = next();
  for (;;) {
    const gone = calls.filter(({ userId }) => suppressed().has(userId));
    if (gone.length === 0) break;
    sync = leaveOut(syncs, { sync, kind: audience.kind }, gone, at, changes);
    calls = next();
  }
  if (calls.length > 0) return storeChunk(deps, { sync, ...plan }, calls, changes);
  syncs.save(sync, changes);
  return { sync, chunk: null };
}

function storeChunk(
  deps: ChunkDeps,
  { sync: begun, audience, at, dueAt }: ChunkPlan,
  calls: readonly PlannedCall[],
  changes: Changes,
): { readonly sync: StoredSync; readonly chunk: Chunk } {
  const { ingest, syncs, roster, destination } = deps;
  const { token, id: syncId } = begun;
  const made = makeCalls(calls, { audience, token, at, destination: destination() });
  const arrived: Arrived = { ...made, dedupe: false, dueAt };
  const stored = ingest.storeIn(arrived, changes);
  let counts = NO_USERS;
  for (const [i, call] of calls.entries()) {
    syncs.sent({ syncId, position: call.position, messageId: stored[i]!.id }, changes);
    if (call.type === 'identify') counts = summed(counts, roster.told(audience, call, at, changes));
  }
  const sync = { ...begun, sent: begun.sent + calls.length };
  syncs.save(sync, changes);
  failpoint('sync_chunk_written');
  return { sync, chunk: { calls, arrived, stored, counts } };
}

export const isQueued = ({ state }: NewMessage): boolean => state === 'queued';
