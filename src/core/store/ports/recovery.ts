/** What a start makes of what the last life left under way, and what becomes of paused messages when a webhook is on. */
import type { Changes } from './changes.ts';

export interface RecoveryStore {
  /**
   * After a crash: open attempts become `interrupted`, their messages are due at `now` on the retry clock, open replays
   * end at the wall time `finishedAt`. A final message stays final. Returns how many attempts were open.
   */
  recover(now: number, finishedAt: number, changes: Changes): number;
  /** Paused messages wait for their round again: until the time that they kept, else due at `now`. */
  resumePaused(now: number, changes: Changes): void;

  // Around damage each message is recovered and resumed by a write of its own.

  /** False when what is due is found by walking through the messages, around what cannot be read. */
  readonly areDueTimesTrusted: boolean;
  /** For the rest of this life. */
  distrustDueTimes(): void;
  /** Ids of the attempts and messages that {@link recover} would change, as far as they can be read. */
  leftOpen(): { readonly attempts: readonly number[]; readonly messages: readonly number[] };
  interruptOne(attemptId: number, changes: Changes): void;
  /** A message that was accepted though its move could not be written is delivered, never sent again. */
  recoverOne(id: number, now: number, finishedAt: number, changes: Changes): void;
  finishOpenReplays(finishedAt: number, changes: Changes): void;
  /** Paused messages, as far as they can be read. */
  pausedIds(): readonly number[];
  resumeOne(id: number, now: number, changes: Changes): void;
}
