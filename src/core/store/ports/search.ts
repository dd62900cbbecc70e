/** What the search index reads of a store, and the file in which it keeps itself. */
import type { ReceivedBytes } from './lists.ts';

/** The received bytes of a request, with the places of its calls that are asked for. */
export interface SearchedRequest extends ReceivedBytes {
  /** Places of messages in the request, from 0. */
  readonly positions: readonly number[];
}

/** Everything that a search can find in some messages. */
export interface SearchTexts {
  /** Messages that hold something. */
  readonly messages: number;
  /** Names, ids, delivered bodies and stored responses. */
  readonly texts: ReadonlyArray<string | Uint8Array>;
  readonly requests: readonly SearchedRequest[];
}

export interface SearchedResponse {
  readonly messageId: number;
  readonly body: Uint8Array;
}

/** Read-only, and from any thread. Each method is one short read, so that it holds up no checkpoint. */
export interface SearchSource {
  /** Null when the store has none. It tells one store from another. */
  storeId(): string | null;
  oldestId(): number;
  newestId(): number;
  /**
   * Of the messages from one id to another, both included, with their stored responses of `shortest` bytes or more. Null
   * where a page is damaged.
   */
  texts(first: number, last: number, shortest: number): SearchTexts | null;
  /**
   * How many messages that hold something there are in each group of `size` ids, by the number of the group.
   * None where a page is damaged.
   */
  counts(first: number, last: number, size: number): ReadonlyMap<number, number>;
  /** Attempts up to this one have their results. */
  newestSettled(): number;
  /** Stored responses of `shortest` bytes or more of the attempts with ids above `after` and up to `upTo`. */
  responses(after: number, upTo: number, shortest: number): SearchedResponse[];
  /** Numbers of the groups of `size` ids in which there are messages of attempts above `after`. */
  groupsTried(after: number, size: number): number[];
  close(): void;
}

/** How far the index has come. */
export interface SearchMarks {
  readonly storeId: string | null;
  /** Blocks below this one are in the index. */
  readonly nextBlock: number;
  /** Responses up to this attempt are in the index. */
  readonly attempt: number;
}

/** One block of the newest segment, which is not turned yet. */
export interface OpenBlock {
  readonly block: number;
  readonly signature: Uint8Array;
}

/** Messages that were counted in each block of a segment. */
export interface SegmentCounts {
  readonly segment: number;
  readonly counts: Uint8Array;
}

export interface SegmentPart {
  readonly segment: number;
  readonly part: number;
  readonly bytes: Uint8Array;
}

/** What one transaction writes. */
export interface SearchBatch {
  readonly marks: SearchMarks;
  readonly blocks: readonly OpenBlock[];
  readonly counts: readonly SegmentCounts[];
  readonly parts: readonly SegmentPart[];
  /** Open blocks and whole segments below these numbers go. */
  readonly dropBlocks: number;
  readonly dropSegments: number;
}

/**
 * The file of the index. It is made of the store and can be made again, so a damaged one is deleted. Every method may throw;
 * then the file is of no use.
 */
export interface SearchFile {
  /** Null when the file is new. */
  marks(): SearchMarks | null;
  blocks(): OpenBlock[];
  counts(): SegmentCounts[];
  part(segment: number, part: number): Uint8Array | undefined;
  save(batch: SearchBatch): void;
  /** Overwrites what was removed and empties the log, so that the files hold only what the index holds. */
  settle(): void;
  /** Bytes of the file. */
  bytes(): number;
  close(): void;
}

export interface SearchStores {
  readonly source: SearchSource;
  /** Opens the file, or makes it. A file that cannot be used is deleted first, but not one that is {@link isLocked}. */
  openFile(): SearchFile;
  /** The error says that another program has locked the file or the store: nothing is wrong with either. */
  isLocked(error: unknown): boolean;
  /** Deletes the file. It must be closed. */
  deleteFile(): void;
}
