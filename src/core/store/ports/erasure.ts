/** What finds and erases the stored messages of users. */
import type { MessageState, MessageType, Origin } from '../../model/vocabulary.ts';
import type { Changes } from './changes.ts';

/** A message that names a user. */
export interface UserCall {
  readonly id: number;
  readonly userId: string;
  readonly sourceId: number | null;
  readonly requestId: number;
  readonly origin: Origin;
  readonly type: MessageType;
  readonly state: MessageState;
  readonly reason: string | null;
  readonly replays: number;
}

/** What was erased of one message. */
export interface ErasedMessage {
  readonly id: number;
  readonly userId: string | null;
  readonly requestId: number;
  readonly isHeld: boolean;
  readonly attempts: number;
  readonly replays: number;
}

/** The bytes of a request. */
export interface RequestBytes {
  readonly id: number;
  readonly path: string;
  readonly body: Uint8Array;
  readonly encoding: string | null;
}

export interface StoredRequestBytes extends RequestBytes {
  /** 1 for the request of a deletion's notices: one with a source but without a write key. */
  readonly isNotices: 0 | 1;
}

export interface CutRequest extends RequestBytes {
  /** How many calls are missing in these bytes that were there before. */
  readonly cutCalls: number;
}

/** One row of the store as the search for what is left reads it. */
export interface SearchedMessage {
  readonly id: number;
  readonly origin: Origin;
  readonly type: MessageType;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  readonly name: string;
  readonly wire: Uint8Array | null;
}

export interface SearchedResult {
  readonly id: number;
  readonly messageId: number;
  readonly origin: Origin;
  /** Text of what was sent and answered beside the bodies. */
  readonly words: string;
  readonly body: Uint8Array | null;
}

/** An edited body that a replay sent. */
export interface SearchedReplay {
  readonly id: number;
  readonly messageId: number;
  readonly origin: Origin;
  readonly body: Uint8Array;
}

export interface Stretch {
  /** Ids above this one. */
  readonly after: number;
  readonly upTo: number;
  /** Rows read at most. */
  readonly limit: number;
}

export interface ErasureStore {
  /** Ids of the newest message and request; 0 when there is none. */
  newest(): { readonly message: number; readonly request: number };
  /** Messages with a user id, by id. */
  calls(stretch: Stretch): UserCall[];
  /** How many attempts these messages have. */
  attemptsOf(messageIds: readonly number[]): number;
  /**
   * Erases messages with their bodies, attempts, results and replays, and a request with the last of its messages. A
   * message that is not final stays, and is left out of the answer. The newest row of each table stays without its
   * content, because ids only grow and are never reused; an attempt that is open there ends as interrupted.
   */
  erase(messageIds: readonly number[], changes: Changes): ErasedMessage[];
  /** Requests by id. */
  requests(stretch: Stretch): StoredRequestBytes[];
  request(id: number): StoredRequestBytes | undefined;
  /** Replaces the path and the bytes of a request. */
  cut(request: CutRequest, changes: Changes): void;
  /** How many calls were cut out of a request, here or when it came. */
  cutCalls(requestId: number): number;
  /** By id, with their delivered bytes. */
  messages(stretch: Stretch): SearchedMessage[];
  /** Edited bodies that replays sent, by the id of the replay. */
  replays(stretch: Stretch): SearchedReplay[];
  /** What receivers answered, by the id of the attempt. */
  results(stretch: Stretch): SearchedResult[];
  /** Id of the newest attempt; 0 when there is none. */
  newestAttempt(): number;
  /** Overwrites deleted values from now on, or no more. */
  overwrite(on: boolean): void;
  /** Whether free parts of the files may still hold erased values. */
  isSoiled(): boolean;
  /** Notes that free parts of the files may still hold erased values. */
  soil(changes: Changes): void;
  /**
   * Clears them now, by rewriting the files, when the store is not larger than `maxBytes`. False when they are left to
   * the next start: the store is larger, or a reader holds the log.
   */
  clean(maxBytes: number): boolean;
}
