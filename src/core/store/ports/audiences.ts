/**
 * Audiences and computed traits with their users, as rows. What the rows mean is in `model/audience-user.ts`; a store
 * only keeps them.
 */
import type { AudienceUser, UserCounts } from '../../model/audience-user.ts';
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

/** Without an id, a new one. */
export type AudienceToSave = Omit<StoredAudience, 'id'> & { readonly id?: number | undefined };

/** Users in the order of their ids' UTF-8 bytes. */
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
  /** Inserts, or updates everything but the kind and the creation time. Returns the id. */
  save(audience: AudienceToSave, changes: Changes): number;
  /** It and its syncs are not listed any more; {@link sweep} removes their rows. False when there was none. */
  remove(id: number, changes: Changes): boolean;
  /** Removes about `limit` rows that belong to removed audiences. True when there may be more. */
  sweep(limit: number, changes: Changes): boolean;

  user(audienceId: number, userId: string): AudienceUser | undefined;
  putUser(audienceId: number, user: AudienceUser, changes: Changes): void;
  removeUser(audienceId: number, userId: string, changes: Changes): void;
  users(window: UserWindow): AudienceUser[];
  counts(audienceId: number): UserCounts;

  /** Stored calls by user, of messages with ids above `after` and up to `upTo` that were not rejected. */
  callsByUser(stretch: {
    readonly after: number;
    readonly upTo: number;
  }): Array<{ readonly userId: string; readonly calls: number }>;
}
