/** What replays write. */
import type { ReplayJobRecord } from '../../model/stored.ts';
import type { SentBody } from '../../model/vocabulary.ts';
import type { FinishedAttempt, NewAttempt } from './rounds.ts';

export interface NewReplay {
  readonly messageId: number;
  /** Wall time, epoch milliseconds. */
  readonly createdAt: number;
  /** One per target. */
  readonly attempts: ReadonlyArray<Omit<NewAttempt, 'messageId' | 'replayId'>>;
  /** The delivered bytes, signed, when left out. */
  readonly sent?: SentBody;
  readonly signed?: boolean;
  /** The bytes sent, when they are kept nowhere else. */
  readonly body?: Uint8Array | null;
  /** Counted there in the same transaction. */
  readonly jobId?: number | null;
}

export interface OpenReplay {
  /** Row ids. */
  readonly replayId: number;
  readonly attemptIds: readonly number[];
}

export type NewReplayJob = Pick<ReplayJobRecord, 'createdAt' | 'total' | 'targets' | 'rate'>;
export type EndedReplayJob = Pick<ReplayJobRecord, 'id' | 'state' | 'problem'> & { readonly finishedAt: number };

export interface ReplayStore {
  /**
   * Resolves once the replay and its attempts are committed. Null when its message was removed or erased meanwhile;
   * nothing was written then.
   */
  open(replay: NewReplay): Promise<OpenReplay | null>;
  finishAttempt(messageId: number, attempt: FinishedAttempt): Promise<void>;
  finish(replay: { readonly replayId: number; readonly messageId: number; readonly finishedAt: number }): Promise<void>;
  /** The bytes of an edited replay. Null when it sent stored bytes, or was erased. */
  bodyOf(replayId: number): Uint8Array | null;

  /** Resolves with its row id. Of older jobs, the newest few stay. */
  openJob(job: NewReplayJob): Promise<number>;
  /** A message of the job is not replayed. */
  skip(jobId: number, why: 'removed' | 'damaged'): Promise<void>;
  /** A job that has ended stays as it is. */
  endJob(job: EndedReplayJob): Promise<void>;
  newestJob(): ReplayJobRecord | null;
}
