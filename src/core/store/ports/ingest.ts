/** What ingest needs from a store: to keep each received call once. */
import type { NewMessage, NewRequest, StoredMessage } from '../../model/records.ts';
import type { RequestRecord } from '../../model/stored.ts';
import type { Changes } from './changes.ts';

/** The same messageId from the same source within this time is stored once (decisions, Ingest). */
export const DEDUPE_MS = 24 * 60 * 60 * 1000;

/** Calls of unknown write keys that are kept, over all keys (decisions, Ingest). */
export const MAX_HELD_CALLS = 1000;

/** Calls of one request (decisions, Ingest). */
export const MAX_CALLS = 2_500;

/** A request, all its calls, and how to store them. */
export interface Arrived {
  readonly request: NewRequest;
  readonly messages: readonly NewMessage[];
  /** Whether a messageId that repeats within {@link DEDUPE_MS} is counted on the first row and not stored again. */
  readonly dedupe: boolean;
  /** Retry-clock time at which queued messages are due. */
  readonly dueAt: number;
}

/** Writes more in the transaction that has just stored these messages. */
export type AlsoWritten = (stored: readonly StoredMessage[], changes: Changes) => void;

export interface IngestStore {
  /**
   * Resolves after the commit, in the order of `messages`. Rejects with StoreNotWritableError; nothing of the request
   * is stored then. When a refused request is repeated within {@link DEDUPE_MS}, its calls are counted on its first
   * rows. A request with only repeats leaves nothing but their counts. `also` writes more in the same transaction; it is
   * called again when the transaction is repeated.
   */
  storeRequest(arrived: Arrived, also?: AlsoWritten): Promise<readonly StoredMessage[]>;
  /** As {@link storeRequest}, in the transaction of a caller that writes other rows with it. */
  storeIn(arrived: Arrived, changes: Changes): readonly StoredMessage[];
  /** How many messages have this id and source, not counting rejected ones. Stops at 100. */
  rowsOf(messageId: string, sourceId: number | undefined): number;
  /** Whether a message has this id, from any source and at any time. Rejected ones do not count. */
  hasMessage(messageId: string): boolean;
}

/** Calls of unknown write keys, kept until their key has a source. */
export interface HeldStore {
  /** Oldest first. */
  requestsOf(writeKey: string): RequestRecord[];
  /** Ids of the calls of a request that are still held. */
  messagesOf(requestId: number): number[];
  /** Removes the held calls among `ids`, and each request with the last of its calls. */
  remove(ids: readonly number[], changes: Changes): void;
}
