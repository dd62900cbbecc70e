/**
 * Audiences, computed traits and their syncs, as rows. What the rows mean is in `model/audience-user.ts`; a store only
 * keeps them. Windows are in the order of the ids' UTF-8 bytes.
 */
import type { AudienceUser, UserCounts } from '../../model/audience-user.ts';
import type { MessageState } from '../../model/vocabulary.ts';
import type { Changes } from './changes.ts';

export interface StoredAudience {
  readonly id: number;
  readonly kind: 'audience' | 'trait';
  readonly name: string;
  readonly property: string;
  /** JSON of the rule or definition; null for a list. */
  readonly definition: string | null;
  readonly syncWhen: 'hand' | 'change' | 'every';
  /** Retry-clock milliseconds between two scheduled syncs; null unless `every`. */
  readonly everyMs: number | null;
  /** Retry-clock time of the next scheduled sync, or null. */
  readonly nextSyncAt: number | null;
  readonly track: boolean;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

export type StoredSyncState = 'preparing' | 'running' | 'stopped' | 'done';

export interface StoredSync {
  readonly id: number;
  readonly audienceId: number;
  readonly n: number;
  readonly state: StoredSyncState;
  readonly token: string;
  readonly startedBy: 'person' | 'change' | 'clock';
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Calls in all; null while it prepares. */
  readonly expected: number | null;
  /** Calls whose messages are stored: positions 1 to `sent`. */
  readonly sent: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** Frozen when it is done, null until then. */
  readonly delivered: number | null;
  readonly failed: number | null;
  /** JSON values, which only the room of audiences interprets. */
  readonly events: readonly unknown[];
  readonly series: readonly unknown[];
}

export interface PlannedCall {
  /** From 1. */
  readonly position: number;
  readonly userId: string;
  readonly type: 'identify' | 'track';
  /** JSON of the value that it tells. */
  readonly value: string;
  /** JSON of what was told before; null for nothing. */
  readonly before: string | null;
}

export interface StoredCall extends PlannedCall {
  readonly messageId: number | null;
  readonly outcome: 'delivered' | 'failed' | null;
  readonly reason: string | null;
}

export interface UserWindow {
  readonly audienceId: number;
  /** The user id before the window; null for the first. */
  readonly after: string | null;
  readonly limit: number;
  /** `pending`: users to whom the next sync sends something. */
  readonly only: 'all' | 'pending';
}

export interface AudienceStore {
  /** By id, without removed ones. */
  all(): StoredAudience[];
  /** Inserts without `id`, else updates everything but the kind and the creation time. Returns the id. */
  save(audience: Omit<StoredAudience, 'id'> & { readonly id?: number | undefined }, changes: Changes): number;
  /** It and its syncs are not listed any more; {@link sweep} removes their rows. False when there was none. */
  remove(id: number, changes: Changes): boolean;
  /** Removes at most about `limit` rows of removed audiences. True when there may be more. */
  sweep(limit: number, changes: Changes): boolean;

  user(audienceId: number, userId: string): AudienceUser | undefined;
  putUser(audienceId: number, user: AudienceUser, changes: Changes): void;
  removeUser(audienceId: number, userId: string, changes: Changes): void;
  users(window: UserWindow): AudienceUser[];
  counts(audienceId: number): UserCounts;

  sync(id: number): StoredSync | undefined;
  /** Newest first, with ids below `before`; of one audience or of all. */
  syncs(window: {
    readonly audienceId: number | null;
    readonly kind: 'audience' | 'trait' | null;
    readonly before: number | null;
    readonly limit: number;
  }): StoredSync[];
  /** How many syncs there are; of one audience or of all. */
  countSyncs(audienceId: number | null, kind: 'audience' | 'trait' | null): number;
  syncByNumber(audienceId: number, n: number): StoredSync | undefined;
  /** Those that are not done, oldest first. */
  openSyncs(): StoredSync[];
  /** Inserts without `id`, else updates. Returns the id. */
  saveSync(sync: Omit<StoredSync, 'id'> & { readonly id?: number | undefined }, changes: Changes): number;

  addCalls(syncId: number, calls: readonly PlannedCall[], changes: Changes): void;
  /** Removes the plan of a sync, at most about `limit` rows. True when there may be more. */
  removeCalls(syncId: number, limit: number, changes: Changes): boolean;
  /** By position, above `after`. */
  calls(window: {
    readonly syncId: number;
    readonly after: number;
    readonly limit: number;
    readonly only: 'all' | 'failed';
  }): StoredCall[];
  /** Calls with a message and no outcome, by position. */
  openCalls(syncId: number): Array<{ readonly position: number; readonly messageId: number }>;
  sentCall(syncId: number, position: number, messageId: number, changes: Changes): void;
  settleCall(
    settled: {
      readonly syncId: number;
      readonly position: number;
      readonly outcome: 'delivered' | 'failed';
      readonly reason: string | null;
    },
    changes: Changes,
  ): void;
  outcomes(syncId: number): { readonly delivered: number; readonly failed: number };
  /** Failed calls by reason, most first. */
  failures(syncId: number): Array<{ readonly reason: string; readonly count: number }>;

  /** The states of these messages; those that are not stored are left out. */
  statesOf(messageIds: readonly number[]): Map<number, MessageState>;
  /** Calls by user, of messages with ids above `after` and up to `upTo` that were not rejected. */
  callsByUser(stretch: {
    readonly after: number;
    readonly upTo: number;
  }): Array<{ readonly userId: string; readonly calls: number }>;
}
