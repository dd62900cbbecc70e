/** What lists read. Small rows only. */
import type { ListFilter } from '../../model/filter.ts';
import type { CountedKey, ValueCount } from '../../model/filter-counted.ts';
import type { MessageRecord } from '../../model/stored.ts';
import type { MessageState } from '../../model/vocabulary.ts';

/** A request as it was received. */
export interface ReceivedBytes {
  /** Request target. */
  readonly path: string;
  readonly body: Uint8Array;
  /** Content encoding, or null. */
  readonly encoding: string | null;
  /** Error code of the whole request, or null. */
  readonly code: string | null;
}

/** Decodes a request once. Returns what reads the bytes of the call at a position, from 0. */
export type ReceivedCalls = (request: ReceivedBytes) => (position: number) => Uint8Array;

/** A search for matching messages with ids below `before` and above `after`, in bounded steps, newest first. */
export interface Scan {
  readonly filter: ListFilter;
  readonly before: number;
  readonly after: number;
  /** Called after each step. The scan stops when it returns false. */
  keepGoing(): boolean;
}

export interface IdPage {
  /** Newest first. */
  readonly ids: number[];
  /** The `before` of the next page. */
  readonly scannedTo: number;
  readonly more: boolean;
}

export interface CountPage {
  readonly counts: Partial<Record<MessageState, number>>;
  readonly scannedTo: number;
  readonly more: boolean;
}

/** Stops after the step in which it has `most` different values. */
export interface ValueScan extends Scan {
  readonly key: CountedKey;
  readonly most: number;
}

export interface ValuePage {
  /** Each value once; events that differ in case alone may come as several. */
  readonly counts: ValueCount[];
  readonly scannedTo: number;
  readonly more: boolean;
}

export interface StateCount {
  readonly state: MessageState;
  readonly n: number;
}

/** Unreadable rows of a damaged store are left out. */
export interface ListStore {
  /** At most `count` messages in ascending order, from `firstId` or the next existing id. */
  window(firstId: number, count: number): MessageRecord[];
  message(id: number): MessageRecord | undefined;
  /** In the order of `ids`, without those that are gone. */
  messages(ids: Iterable<number>): MessageRecord[];
  /** At most `limit` ids that match. */
  ids(scan: Scan & { readonly limit: number }): IdPage;
  /** How many match, by state. */
  tally(scan: Scan): CountPage;
  /** The values of a key among the messages that match, and how many messages have each. */
  values(scan: ValueScan): ValuePage;
  /** How many there are in each state. Updated in every transaction. */
  counts(): StateCount[];
  /** Null when there is no message. */
  idRange(): { readonly first: number; readonly last: number } | null;
  /** Ascending. */
  allIds(): Iterable<number>;
}
