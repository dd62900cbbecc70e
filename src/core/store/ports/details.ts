/** What the detail of one message reads, and the list of attempts. */
import type { AttemptRecord, LineUpRecord, ReplayRecord, RequestRecord } from '../../model/stored.ts';

/** An attempt with the messageId of its message. */
export interface ListedAttempt extends AttemptRecord {
  readonly message: string;
}

/** Damaged parts of a message look as if they were not kept. The other parts are returned. */
export interface DetailStore {
  request(id: number): RequestRecord | undefined;
  /** Row ids of the messages with this messageId, oldest first. */
  idsOf(messageId: string): number[];
  /** The delivered bytes. */
  wire(messageId: number): Uint8Array | null;
  /** Oldest first. */
  attemptsOf(messageId: number): AttemptRecord[];
  attempt(id: number): AttemptRecord | undefined;
  responseBody(attemptId: number): Uint8Array | null;
  replaysOf(messageId: number): ReplayRecord[];
  replay(id: number): ReplayRecord | undefined;
  /**
   * The line-ups in force for attempts `first` to `last`, in order. Line-ups from before they were recorded are
   * missing.
   */
  lineUps(first: number, last: number): LineUpRecord[];
  /** At most `limit` attempts with an id above `after`, oldest first. With `messageId`, only those of one message. */
  attemptsAfter(page: {
    readonly after: number;
    readonly messageId?: string | undefined;
    readonly limit: number;
  }): ListedAttempt[];
  /** The newest attempts that have ended, of all webhooks, newest first. */
  recentAttempts(limit: number): AttemptRecord[];
}
