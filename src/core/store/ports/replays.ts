/** What replays write. */
import type { FinishedAttempt, NewAttempt } from './rounds.ts';

export interface NewReplay {
  readonly messageId: number;
  /** Wall time, epoch milliseconds. */
  readonly createdAt: number;
  /** One per webhook. */
  readonly attempts: ReadonlyArray<Omit<NewAttempt, 'messageId' | 'replayId'>>;
}

export interface OpenReplay {
  /** Row ids. */
  readonly replayId: number;
  readonly attemptIds: readonly number[];
}

export interface ReplayStore {
  /**
   * Resolves once the replay and its attempts are committed. Null when its message was removed or erased meanwhile;
   * nothing was written then.
   */
  open(replay: NewReplay): Promise<OpenReplay | null>;
  finishAttempt(messageId: number, attempt: FinishedAttempt): Promise<void>;
  finish(replay: { readonly replayId: number; readonly messageId: number; readonly finishedAt: number }): Promise<void>;
}
