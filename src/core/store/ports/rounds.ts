/** What delivery writes of a round: attempts that begin and end, and the moves of its message. */
import type { Outcome } from '../../model/attempt.ts';
import type { Move, Standing } from '../../model/moves.ts';
import type { StoredResult } from '../../model/stored.ts';

export interface NewAttempt {
  readonly messageId: number;
  /** Null for an attempt of a round. */
  readonly replayId: number | null;
  readonly webhookId: number;
  readonly slot: number;
  readonly webhookName: string;
  readonly url: string;
  readonly round: number;
  /** Wall time, epoch milliseconds. */
  readonly startedAt: number;
  /** Retry-clock time. */
  readonly clockAt: number;
}

/** The end of an attempt; one that has ended already stays as it is. */
export interface FinishedAttempt {
  /** Row id of the attempt. */
  readonly id: number;
  readonly outcome: Outcome;
  readonly status: number | null;
  readonly durationMs: number;
  readonly result: StoredResult;
  readonly body: Uint8Array;
}

/** What is written of one message's round in one transaction. */
export interface RoundWrite {
  readonly finished: readonly FinishedAttempt[];
  /** One after the other; those after one that did not take place do not either. */
  readonly moves: readonly Move[];
  /** Written only if every move took place. */
  readonly opened: readonly NewAttempt[];
}

export interface RoundWritten {
  /** The move that found its message elsewhere; null when all took place. */
  readonly lost: Move | null;
  /** Row ids of the attempts that were opened; none when a move was lost. */
  readonly attemptIds: readonly number[];
}

/** A message's standing, with what those are told who hear of its moves. */
export interface StoredStanding extends Standing {
  /** Wall time of its receipt. */
  readonly receivedAt: number;
}

export interface RoundStore {
  /**
   * Resolves after the commit. `take` is asked for the write when its transaction is made, so that what came in
   * meanwhile rides along, and again where the transaction has to be made once more. `rows` is about how many rows it
   * writes. Rejects with StoreNotWritableError, or StoreDamagedError where a page is damaged; then nothing was written.
   */
  write(take: () => RoundWrite, rows: number): Promise<RoundWritten>;
  /** Answers for each move whether it took place: its message may have been moved by someone else meanwhile. */
  apply(moves: readonly Move[]): Promise<readonly boolean[]>;
  standing(messageId: number): StoredStanding | undefined;
  /** Writes a little, to find out whether that works again: an empty transaction succeeds on a full disk. */
  probe(now: number): Promise<void>;
}
