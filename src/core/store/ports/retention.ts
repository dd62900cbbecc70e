/** What storage limits ask of a store: the oldest final messages go, with all that belongs to them. */
import type { Changes } from './changes.ts';

/** One step of removing, from the oldest message on. */
export interface PurgeStep {
  /** Ids up to here were looked at before. */
  readonly after: number;
  /** At most so many are removed. */
  readonly limit: number;
  /** Beside those, every one received before this wall time, within the step. */
  readonly receivedBefore: number;
  /** No id above this is looked at. */
  readonly upTo?: number;
}

export interface Purged {
  readonly removed: number;
  /** Where to go on; null when every message was looked at. */
  readonly lookedAt: number | null;
}

export interface RetentionStore {
  /** Id of the newest message; 0 when there is none. */
  newestId(): number;
  /** When the oldest message was received, or null. */
  oldestReceivedAt(): number | null;
  /** Bytes in use. */
  bytes(): number;
  /**
   * Never removes a message that still waits, has an open attempt or was changed in this transaction. The newest
   * message always stays, and those of the newest attempt and replay: ids only grow, none comes twice.
   */
  purge(step: PurgeStep, changes: Changes): Purged;
}
