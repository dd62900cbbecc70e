/** Deletion requests, their users and their notices. Times are epoch milliseconds. */
import type { SourceKind } from '../../model/records.ts';
import type { MessageState, NoNoticeReason } from '../../model/vocabulary.ts';
import type { Changes } from './changes.ts';

/** A source as it was when the request was made. */
export interface DeletionSourceRecord {
  readonly sourceId: number;
  readonly name: string;
  /** Null for a source that was removed. */
  readonly kind: SourceKind | null;
  readonly destinationOn: boolean;
}

/** What was erased. */
export interface ErasedCounts {
  readonly messages: number;
  readonly attempts: number;
  readonly replays: number;
  readonly heldCalls: number;
  readonly receiverEntries: number;
  /** Rows of users in audiences and computed traits. */
  readonly memberships: number;
  /** Calls cut out of requests that stay. */
  readonly cutCalls: number;
}

/** What a look through the store found. */
export interface SearchRecord {
  readonly finishedAt: number;
  readonly bytes: number;
  readonly found: number;
  readonly messages: readonly number[];
  readonly files: 'cleared' | 'next_start';
}

export interface DeletionRecord {
  readonly id: number;
  readonly createdAt: number;
  readonly users: number;
  readonly sources: readonly DeletionSourceRecord[];
  readonly erase: boolean;
  readonly suppress: boolean;
  readonly forget: boolean;
  /** The newest message and request when it was made. */
  readonly upTo: number;
  readonly upToRequest: number;
  /** Messages up to this id were looked at. */
  readonly lookedAt: number;
  readonly erased: ErasedCounts;
  readonly erasedAt: number | null;
  readonly search: SearchRecord | null;
  /** When everything but the delivery of its notices was done. */
  readonly finishedAt: number | null;
  readonly forgottenAt: number | null;
}

/** A user and a source that knows it. */
export interface NewNotice {
  /** Place of the user among the ids, from 1. */
  readonly position: number;
  readonly sourceId: number;
  readonly calls: number;
  /** Null when a notice is sent. */
  readonly reason: NoNoticeReason | null;
}

export interface NewDeletion
  extends Pick<
    DeletionRecord,
    'createdAt' | 'sources' | 'erase' | 'suppress' | 'forget' | 'upTo' | 'upToRequest' | 'lookedAt'
  > {
  readonly userIds: readonly string[];
  readonly notices: readonly NewNotice[];
}

export interface NoticeRecord extends NewNotice {
  readonly requestId: number;
  /** Row id; null until it is stored. */
  readonly messageId: number | null;
  /** Final state of its message; null while it is open. */
  readonly outcome: MessageState | null;
}

export interface DeletionUserRecord {
  readonly position: number;
  readonly userId: string | null;
  readonly erased: number;
}

/** A notice that is not stored yet. */
export interface UnsentNotice {
  readonly position: number;
  readonly sourceId: number;
  readonly userId: string;
}

/** How many notices of a source stand where. */
export interface NoticeTally {
  readonly sourceId: number;
  readonly reason: NoNoticeReason | null;
  /** The outcome, else the state of the message now; null until it is stored. */
  readonly state: MessageState | null;
  readonly n: number;
}

/** A notice whose message is stored and has no outcome yet. */
export interface OpenNotice {
  readonly requestId: number;
  readonly sourceId: number;
  readonly messageId: number;
}

/** Where the message of a notice stands. */
export interface NoticeStanding {
  readonly id: number;
  readonly state: MessageState;
  readonly nextDueAt: number | null;
}

export interface DeletionStore {
  /** Returns its id. */
  add(deletion: NewDeletion, changes: Changes): number;
  get(id: number): DeletionRecord | undefined;
  /** Newest first, with ids below `before`. */
  list(page: { readonly before: number; readonly limit: number }): DeletionRecord[];
  count(): number;
  /** Ids of requests that are not finished, oldest first. */
  unfinished(): number[];
  /** Ids of finished requests that are to forget their users and have not yet. */
  unforgotten(): number[];

  /** By position, above `after`. With `failedOnly`, those with a notice that ended without a delivery. */
  users(page: {
    readonly id: number;
    readonly after: number;
    readonly limit: number;
    readonly failedOnly?: boolean;
  }): DeletionUserRecord[];
  /** Of users from `first` to `last`. */
  notices(range: { readonly id: number; readonly first: number; readonly last: number }): NoticeRecord[];
  tally(id: number): NoticeTally[];

  /** By source, then position: at most `limit`, all of one source. */
  unsent(id: number, limit: number): UnsentNotice[];
  sent(
    notice: { readonly id: number; readonly position: number; readonly sourceId: number; readonly messageId: number },
    changes: Changes,
  ): void;
  /** By message. */
  open(): OpenNotice[];
  /** Those of these messages that are stored. */
  standings(messageIds: readonly number[]): NoticeStanding[];
  /** One that has an outcome keeps it. */
  end(messageId: number, outcome: MessageState, changes: Changes): void;

  /** Replaces what is given. */
  progress(
    id: number,
    progress: Partial<Pick<DeletionRecord, 'lookedAt' | 'erased' | 'erasedAt' | 'search' | 'finishedAt'>>,
    changes: Changes,
  ): void;
  /** Adds to the number of erased messages of a user. */
  erasedOf(user: { readonly id: number; readonly position: number; readonly messages: number }, changes: Changes): void;
  /** Removes the ids of its users. Returns the messages of its notices. */
  forget(id: number, at: number, changes: Changes): number[];
}
