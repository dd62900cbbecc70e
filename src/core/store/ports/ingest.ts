/** What ingest asks of a store: keep what was received, once. */
import type { NewMessage, NewRequest, StoredMessage } from '../../model/records.ts';
import type { RequestRecord } from '../../model/stored.ts';
import type { Changes } from './changes.ts';

/** The same messageId from the same source within this time is stored once (decisions, Ingest). */
export const DEDUPE_MS = 24 * 60 * 60 * 1000;

/** Calls of unknown write keys that are kept, over all keys (decisions, Ingest). */
export const MAX_HELD_CALLS = 1000;

/** Calls of one request (decisions, Ingest). */
export const MAX_CALLS = 2_500;

/** A request, all its calls, and what holds for them. */
export interface Arrived {
  readonly request: NewRequest;
  readonly messages: readonly NewMessage[];
  /** Whether a messageId that came within {@link DEDUPE_MS} is counted on the first one and not stored again. */
  readonly dedupe: boolean;
  /** Retry-clock time at which queued messages are due. */
  readonly dueAt: number;
}

export interface IngestStore {
  /**
   * Resolves after the commit, in the order of `messages`. Rejects with StoreNotWritableError; then nothing of the
   * request is stored. The calls of a refused request that came again within {@link DEDUPE_MS} are counted on its first
   * rows. A request that brings only repeats leaves nothing but their counts.
   */
  storeRequest(arrived: Arrived): Promise<readonly StoredMessage[]>;
  /** Messages with this id from this source, rejected ones apart; counts no further than 100. */
  rowsOf(messageId: string, sourceId: number | undefined): number;
}

/** Calls of unknown write keys, kept until their key has a source. */
export interface HeldStore {
  /** Oldest first. */
  requestsOf(writeKey: string): RequestRecord[];
  /** Ids of the calls of a request that are still held. */
  messagesOf(requestId: number): number[];
  /** Those of `ids` that are held go; their request goes with the last of its calls. */
  remove(ids: readonly number[], changes: Changes): void;
}
