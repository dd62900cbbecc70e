/** What the detail of one message reads, and the list of attempts. */
import type { AttemptRecord, LineUpRecord, ReplayRecord, RequestRecord } from '../../model/stored.ts';

/** An attempt with the messageId of its message. */
export interface ListedAttempt extends AttemptRecord {
  readonly message: string;
}

/** What is damaged of a message is shown as if it were not kept; the rest of it is shown. */
export interface DetailStore {
  request(id: number): RequestRecord | undefined;
  /** The delivered bytes. */
  wire(messageId: number): Uint8Array | null;
  /** Oldest first. */
  attemptsOf(messageId: number): AttemptRecord[];
  attempt(id: number): AttemptRecord | undefined;
  responseBody(attemptId: number): Uint8Array | null;
  replaysOf(messageId: number): ReplayRecord[];
  replay(id: number): ReplayRecord | undefined;
  /** Those with which the attempts from `first` to `last` were made, in order; those too old to be known are left out. */
  lineUps(first: number, last: number): LineUpRecord[];
  /** At most `limit` with an id above `after`, oldest first; of one message where `messageId` is given. */
  attemptsAfter(page: {
    readonly after: number;
    readonly messageId?: string | undefined;
    readonly limit: number;
  }): ListedAttempt[];
  /** The newest that have ended, over all webhooks, newest first. */
  recentAttempts(limit: number): AttemptRecord[];
}
