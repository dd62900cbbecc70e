/** Recovers at start what a crash left under way, and resumes paused messages when a webhook is on. */
import type { Changes } from './changes.ts';

export interface RecoveryStore {
  /**
   * After a crash: open attempts become `interrupted`, their messages are due at `now` on the retry clock, open replays
   * and jobs end at the wall time `finishedAt`. A final message stays final. Returns how many attempts were open.
   */
  recover(now: number, finishedAt: number, changes: Changes): number;
  /** Resumes paused messages: due at the time that they kept, or else at `now`. */
  resumePaused(now: number, changes: Changes): void;

  // In a damaged store, each message is recovered and resumed by its own write.

  /** False when due messages are found by a walk through all messages, around unreadable ones. */
  readonly areDueTimesTrusted: boolean;
  /** Holds until the next start. */
  distrustDueTimes(): void;
  /** Ids of the readable attempts and messages that {@link recover} would change. */
  leftOpen(): { readonly attempts: readonly number[]; readonly messages: readonly number[] };
  interruptOne(attemptId: number, changes: Changes): void;
  /** A webhook accepted the message but the move could not be written: the message is delivered, never sent again. */
  recoverOne(id: number, now: number, finishedAt: number, changes: Changes): void;
  /** Jobs of replays too, which become `interrupted`. */
  finishOpenReplays(finishedAt: number, changes: Changes): void;
  /** The readable paused messages. */
  pausedIds(): readonly number[];
  resumeOne(id: number, now: number, changes: Changes): void;
}
