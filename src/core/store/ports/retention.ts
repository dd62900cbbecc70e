/** What storage limits need from a store: removal of the oldest final messages with everything that belongs to them. */
import type { Changes } from './changes.ts';

/** One step of a removal, which starts at the oldest message. */
export interface PurgeStep {
  /** Ids up to this one were already checked. */
  readonly after: number;
  /** How many to remove at most. */
  readonly limit: number;
  /** In addition, removes every message of the step that was received before this wall time. */
  readonly receivedBefore: number;
  /** The last id to check. */
  readonly upTo?: number;
}

export interface Purged {
  readonly removed: number;
  /** Where to continue. Null when every message was checked. */
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
   * message always stays, and so do the messages of the newest attempt and replay. Ids therefore only grow and are
   * never reused.
   */
  purge(step: PurgeStep, changes: Changes): Purged;
}
