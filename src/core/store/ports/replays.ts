/** What replays write. */
import type { ReplayJobRecord } from '../../model/stored.ts';
import type { ReplayEnd, SentBody } from '../../model/vocabulary.ts';
import type { FinishedAttempt, NewAttempt } from './rounds.ts';

export type ReplayAttempt = Omit<NewAttempt, 'messageId' | 'replayId'>;

export interface NewReplay {
  readonly messageId: number;
  /** Wall time, epoch milliseconds. */
  readonly createdAt: number;
  /** The first ones. */
  readonly attempts: readonly ReplayAttempt[];
  /** Ids of all targets; those of the attempts when left out. */
  readonly targets?: readonly number[];
  /** Retry-clock time after which no attempt begins. Null, or left out, when nothing is tried again. */
  readonly retryUntil?: number | null;
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

export interface ReplayKey {
  readonly replayId: number;
  readonly messageId: number;
}

export interface ReplayStore {
  /**
   * Resolves once the replay and its attempts are committed. Null when its message was removed or erased meanwhile;
   * nothing was written then.
   */
  open(replay: NewReplay): Promise<OpenReplay | null>;
  finishAttempt(messageId: number, attempt: FinishedAttempt): Promise<void>;
  /** Its next round is due at `nextAt` on the retry clock. */
  wait(replay: ReplayKey & { readonly nextAt: number }): Promise<void>;
  /**
   * Further attempts of an open replay, as row ids; it no longer waits. Null when it has ended or its message was
   * removed or erased meanwhile; nothing was written then.
   */
  goOn(replay: ReplayKey & { readonly attempts: readonly ReplayAttempt[] }): Promise<readonly number[] | null>;
  /** A replay that has ended stays as it is. */
  finish(replay: ReplayKey & { readonly finishedAt: number; readonly ended: ReplayEnd }): Promise<void>;
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
