/** What the watch reads of a store: committed rows, in the few questions that its rules ask. */
import type { MessageState, Outcome, ReplayEnd, SentBody } from '../../src/core/model/vocabulary.ts';

export interface MessageRow {
  readonly id: number;
  readonly messageId: string;
  readonly sourceId: number | null;
  readonly state: MessageState;
  readonly round: number;
  /** Retry-clock times, epoch milliseconds. */
  readonly due: number | null;
  readonly first: number | null;
  readonly end: number | null;
  readonly cells: string;
  /** Wall times of its receipt and of its end. */
  readonly received: number;
  readonly finished: number | null;
}

export interface AttemptRow {
  readonly id: number;
  /** Row ids. */
  readonly message: number;
  readonly replay: number | null;
  readonly webhook: number;
  readonly slot: number;
  readonly url: string;
  readonly round: number;
  /** Retry-clock time of its start, and wall time. */
  readonly clock: number;
  readonly started: number;
  /** Null while it is open. */
  readonly outcome: Outcome | null;
  readonly status: number | null;
}

export interface ReplayRow {
  readonly id: number;
  readonly sent: SentBody;
  /** The bytes of an edited one. */
  readonly body: Buffer | null;
  readonly finished: number | null;
  /** Retry-clock time of its next round. */
  readonly next: number | null;
  readonly ended: ReplayEnd | null;
}

export interface ReceivedRow {
  readonly body: Buffer;
  readonly encoding: string | null;
  readonly position: number;
}

export interface CommittedRows {
  message(id: number): MessageRow | undefined;
  /** By id. */
  messages(): readonly MessageRow[];
  /** Messages that were due at `now` on the retry clock, are not paused and have no attempt open. */
  overdue(now: number): ReadonlyArray<{ readonly id: number; readonly due: number }>;
  /** The delivered bytes, sound or not. */
  wire(message: number): Buffer | null;
  /** The request that brought it, and its place in the batch, from 0. */
  request(message: number): ReceivedRow;
  /** Attempts of a message's rounds, or of one round, by id; not those of replays. */
  attemptsOf(message: number, round?: number): readonly AttemptRow[];
  /** Attempts without an outcome, by id. */
  openAttempts(): readonly AttemptRow[];
  openReplays(): number;
  replay(id: number): ReplayRow | undefined;
  /** Each with the outcomes of its attempts. */
  replays(): ReadonlyArray<ReplayRow & { readonly outcomes: ReadonlyArray<Outcome | null> }>;
  /** The counts by state that the store keeps; null when it keeps none. */
  keptCounts(): ReadonlyMap<string, number> | null;
  /** What is wrong with the store itself, or null. */
  damage(): string | null;

  // Done to the store by something other than the engine.

  /** Replaces stored bytes that must not change. */
  alterWire(message: number, wire: Buffer): void;
  stopByHand(message: MessageRow, finishedAt: number): void;
}
