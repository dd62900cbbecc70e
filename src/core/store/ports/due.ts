/** The queue of what is due, as delivery sees it. */

import type { Resting, Standing } from '../../model/moves.ts';
import type { Outcome } from '../../model/vocabulary.ts';

/** A message whose round is due. Only the caller that claimed it may begin its round. */
export interface DueMessage extends Standing<Resting> {
  readonly nextDueAt: number;
  /** Wall time of its receipt, epoch milliseconds. */
  readonly receivedAt: number;
  /** The delivered bytes. Null when they were not read with the claim; the caller then reads them alone. */
  readonly wire: Uint8Array | null;
  /** The newest outcome of each webhook that it was tried at; replays do not count. Null when that cannot be read. */
  readonly outcomes: ReadonlyMap<number, Outcome> | null;
}

/** A place in the order of due time and row id. */
export interface DuePlace {
  readonly dueAt: number;
  readonly id: number;
}

export interface Claim {
  /** Retry-clock time. Messages due later are not claimed. */
  readonly until: number;
  readonly after: DuePlace;
  readonly limit: number;
}

export interface Claimed {
  /** In order of due time and row id. Fewer than the limit when there are no more. */
  readonly messages: readonly DueMessage[];
  /** The earliest due time after `until`. Null when there is none, or when more messages may be due by `until`. */
  readonly nextDueAt: number | null;
}

export interface DueStore {
  /**
   * Claims messages that are due and have no round under way, and reads their bodies and outcomes together. A damaged
   * body does not stop the others: its bytes are null here, and reading it alone reports the damage.
   */
  claim(claim: Claim): Promise<Claimed>;
  /** As {@link claim}, but with any due time and without bodies: for deciding what happens to waiting messages. */
  waiting(after: DuePlace, limit: number): Promise<readonly DueMessage[]>;
  /** The delivered bytes, or null when there are none or they are damaged. */
  wire(messageId: number): Uint8Array | null;
  /** The delivered bytes of a message that must have a body. Null when they are damaged. */
  wireToSend(messageId: number): Uint8Array | null;
  /** As {@link DueMessage.outcomes}, of one message. */
  lastOutcomes(messageId: number): ReadonlyMap<number, Outcome> | null;
  /** The earliest round planned after `now`, or null; paused messages have none. */
  nextRoundAfter(now: number): number | null;
  /** The newest reading of the retry clock in the store, from the last attempt or from calls stored since. */
  newestReading(): number | null;
}
