/** What lists read: small rows only. */
import type { ListFilter } from '../../model/filter.ts';
import type { MessageRecord } from '../../model/stored.ts';
import type { MessageState } from '../../model/vocabulary.ts';

/** A look at the messages below id `before` and above id `after` that match. It goes in bounded steps, newest first. */
export interface Scan {
  readonly filter: ListFilter;
  readonly before: number;
  readonly after: number;
  /** Asked after each step; the scan stops there when it says no. */
  keepGoing(): boolean;
}

export interface IdPage {
  /** Newest first. */
  readonly ids: number[];
  /** Where the next page begins, as its `before`. */
  readonly scannedTo: number;
  readonly more: boolean;
}

export interface CountPage {
  readonly counts: Partial<Record<MessageState, number>>;
  readonly scannedTo: number;
  readonly more: boolean;
}

export interface StateCount {
  readonly state: MessageState;
  readonly n: number;
}

/** What cannot be read of a damaged store is left out. */
export interface ListStore {
  /** At most `count` messages, ascending, from the one with `firstId` or the next there is. */
  window(firstId: number, count: number): MessageRecord[];
  message(id: number): MessageRecord | undefined;
  /** In the order of `ids`, without those that are gone. */
  messages(ids: Iterable<number>): MessageRecord[];
  /** At most `limit` ids that match. */
  ids(scan: Scan & { readonly limit: number }): IdPage;
  /** How many match, by state. */
  tally(scan: Scan): CountPage;
  /** How many there are in each state, kept with every transaction. */
  counts(): StateCount[];
  /** Null when there is no message. */
  idRange(): { readonly first: number; readonly last: number } | null;
  /** Ascending. */
  allIds(): Iterable<number>;
}
