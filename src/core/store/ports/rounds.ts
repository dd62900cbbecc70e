/** What delivery writes of a round: attempts that begin and end, and the moves of its message. */

import type { Move, Standing } from '../../model/moves.ts';
import type { AttemptRecord, StoredResult } from '../../model/stored.ts';
import type { Outcome } from '../../model/vocabulary.ts';
import type { Changes } from './changes.ts';

/** An attempt that begins. */
export type NewAttempt = Omit<AttemptRecord, 'id' | 'outcome' | 'status' | 'durationMs' | 'result'>;

/** The end of an attempt. One that has already ended stays as it is. */
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
  /** Applied in order. After the first that does not take place, the rest do not either. */
  readonly moves: readonly Move[];
  /** Written only if every move took place. */
  readonly opened: readonly NewAttempt[];
}

export interface RoundWritten {
  /** The move that found the message in another state. Null when all took place. */
  readonly lost: Move | null;
  /** Row ids of the attempts that were opened; none when a move was lost. */
  readonly attemptIds: readonly number[];
}

/** Where a message stands, with the fields that reports of its moves need. */
export interface StoredStanding extends Standing {
  /** Wall time of its receipt. */
  readonly receivedAt: number;
}

export interface RoundStore {
  /**
   * Resolves after the commit. The store calls `take` for the write when it makes the transaction, so that the write
   * includes what came in meanwhile. It calls `take` again when it must repeat the transaction. `rows` is about how
   * many rows it writes. Rejects with StoreNotWritableError, or StoreDamagedError when a page is damaged; nothing was
   * written then.
   */
  write(take: () => RoundWrite, rows: number): Promise<RoundWritten>;
  /** As {@link write}, in a transaction under way. */
  writeIn(write: RoundWrite, changes: Changes): RoundWritten;
  /** Resolves with whether each move took place. Someone else may have moved the message meanwhile. */
  apply(moves: readonly Move[]): Promise<readonly boolean[]>;
  standing(messageId: number): StoredStanding | undefined;
  /**
   * Makes a small write, to find out whether writing works again. An empty transaction would succeed on a full disk.
   */
  probe(now: number): Promise<void>;
}
