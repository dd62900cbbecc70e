/** Syncs of audiences and computed traits, with the plan and the outcome of each call. */
import type { MessageState } from '../../model/vocabulary.ts';
import type { Changes } from './changes.ts';

export type StoredSyncState = 'preparing' | 'running' | 'stopped' | 'done';

export interface StoredSync {
  readonly id: number;
  readonly audienceId: number;
  /** 1 for the first sync of its audience. */
  readonly n: number;
  readonly state: StoredSyncState;
  /** Part of the messageId of each of its calls. */
  readonly token: string;
  readonly startedBy: 'person' | 'change' | 'clock';
  /** Epoch milliseconds, as is `endedAt`. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Calls in all; null while it prepares. */
  readonly expected: number | null;
  /** Calls whose messages are stored: positions 1 to `sent`. */
  readonly sent: number;
  /** Users in its plan, by what they are told. */
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

/** Without an id, a new one. */
export type SyncToSave = Omit<StoredSync, 'id'> & { readonly id?: number | undefined };

export interface PlannedCall {
  /** From 1. */
  readonly position: number;
  /** Empty when the user was erased. */
  readonly userId: string;
  readonly type: 'identify' | 'track';
  /** JSON of the value that it tells. */
  readonly value: string;
  /** JSON of what was told before; null for nothing. */
  readonly before: string | null;
}

export interface StoredCall extends PlannedCall {
  /** Row id of its message; null until it is sent. */
  readonly messageId: number | null;
  readonly outcome: 'delivered' | 'failed' | null;
  /** Of a failed call. */
  readonly reason: string | null;
}

export interface SettledCall {
  readonly syncId: number;
  readonly position: number;
  readonly outcome: 'delivered' | 'failed';
  readonly reason: string | null;
}

/** Null for all audiences, for either kind. */
export interface WhoseSyncs {
  readonly audienceId: number | null;
  readonly kind: 'audience' | 'trait' | null;
}

export interface CallWindow {
  readonly syncId: number;
  /** The position before the window. */
  readonly after: number;
  readonly limit: number;
  readonly only: 'all' | 'failed';
}

/** Syncs of removed audiences are not listed. */
export interface SyncStore {
  sync(id: number): StoredSync | undefined;
  byNumber(audienceId: number, n: number): StoredSync | undefined;
  /** Newest first, with ids below `before`. */
  list(window: WhoseSyncs & { readonly before: number | null; readonly limit: number }): StoredSync[];
  count(whose: WhoseSyncs): number;
  /** Those that are not done, oldest first. */
  open(): StoredSync[];
  /** Inserts or updates. Returns the id. */
  save(sync: SyncToSave, changes: Changes): number;

  /** Of an audience; null before its first sync. */
  oldestNumber(audienceId: number): number | null;
  /**
   * Removes the oldest syncs of an audience, with numbers up to `upTo`, at most `limit`. Those that are not done, or
   * still have calls, stay. Returns how many went.
   */
  removeOld(old: { audienceId: number; upTo: number; limit: number }, changes: Changes): number;

  addCalls(syncId: number, calls: readonly PlannedCall[], changes: Changes): void;
  /** Removes about `limit` calls of a plan. True when there may be more. */
  removeCalls(syncId: number, limit: number, changes: Changes): boolean;
  /** Removes one call of a plan. The one at position `last` comes into its place. */
  takeOut(call: { syncId: number; position: number; last: number }, changes: Changes): void;
  /** By position. */
  calls(window: CallWindow): StoredCall[];
  /** Calls with a message and no outcome, by position. */
  openCalls(syncId: number): Array<{ readonly position: number; readonly messageId: number }>;
  sent(call: { syncId: number; position: number; messageId: number }, changes: Changes): void;
  /** Removes the user from one call, and values that may tell who it was. Its position and its outcome stay. */
  anonymise(call: { syncId: number; position: number }, changes: Changes): void;
  settle(settled: SettledCall, changes: Changes): void;
  outcomes(syncId: number): { readonly delivered: number; readonly failed: number };
  /** Failed calls by reason, most first. */
  failures(syncId: number): Array<{ readonly reason: string; readonly count: number }>;

  /** The states of these messages; those that are not stored are left out. */
  statesOf(messageIds: readonly number[]): Map<number, MessageState>;
}
