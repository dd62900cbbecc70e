/** The queue of what is due, as delivery sees it. */
import type { Outcome } from '../../model/attempt.ts';
import type { Resting, Standing } from '../../model/moves.ts';

/** A message whose round is due. Whoever was given it may begin its round, and nobody else. */
export interface DueMessage extends Standing<Resting> {
  readonly nextDueAt: number;
  /** Wall time of its receipt, epoch milliseconds. */
  readonly receivedAt: number;
  /** The delivered bytes; null when they were not read together with the others, and are asked for alone. */
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
  /** Retry-clock time: what is due later is not asked for. */
  readonly until: number;
  readonly after: DuePlace;
  readonly limit: number;
}

export interface Claimed {
  /** In order of due time and row id. Fewer than the limit when there are no more. */
  readonly messages: readonly DueMessage[];
  /** The earliest due time after `until`; null when there is none, or when there may be more up to `until`. */
  readonly nextDueAt: number | null;
}

export interface DueStore {
  /**
   * Gives messages that are due and have no round under way, with their bytes and outcomes read together. A damaged
   * body stops none of the others: it is left out and found damaged when it is asked for alone.
   */
  claim(claim: Claim): Promise<Claimed>;
  /** As {@link claim}, whenever they are due and without their bytes: to see what becomes of them. */
  waiting(after: DuePlace, limit: number): Promise<readonly DueMessage[]>;
  /** The delivered bytes, or null when there are none or they are damaged. */
  wire(messageId: number): Uint8Array | null;
  /** The delivered bytes of a message that must have some; null when they are damaged. */
  wireToSend(messageId: number): Uint8Array | null;
  /** As {@link DueMessage.outcomes}, of one message. */
  lastOutcomes(messageId: number): ReadonlyMap<number, Outcome> | null;
  /** The earliest round planned after `now`, or null; paused messages have none. */
  nextRoundAfter(now: number): number | null;
  /** The newest reading of the retry clock that the store shows: of the last attempt, or of calls taken since. */
  newestReading(): number | null;
}
