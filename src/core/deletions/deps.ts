/** What deletions need from the rest of the core. */
import type { StoredRequest } from '../ingest/ports.ts';
import type { Source } from '../model/records.ts';
import type { BodyShape } from '../model/rules.ts';
import type { Clock, Ids, Logger, Timers } from '../ports.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { DeletionStore } from '../store/ports/deletions.ts';
import type { DetailStore } from '../store/ports/details.ts';
import type { ErasureStore } from '../store/ports/erasure.ts';
import type { IngestStore } from '../store/ports/ingest.ts';
import type { ListStore } from '../store/ports/lists.ts';
import type { Suppressions } from './suppressions.ts';

/** The logs of the receivers. */
export interface ReceiverLogs {
  /** How many requests of these users are kept; removes them when `forGood`. 0 while the receivers do not run. */
  erase(userIds: readonly string[], forGood: boolean): Promise<number>;
}

/** Audiences, computed traits and their syncs. */
export interface AudienceRows {
  /** In how many of them these users are, each counted once. */
  count(userIds: readonly string[]): Promise<number>;
  /** Removes these users from all of them. Says in how many they were. */
  erase(userIds: ReadonlySet<string>): Promise<number>;
  /** How many of their rows and rules mention a user, and how many bytes were looked through. */
  look(mentions: (json: string) => boolean): Promise<{ readonly bytes: number; readonly rows: number }>;
}

/** What rules keep in memory. */
export interface PeopleMemory {
  /** Calls of these users, of messages up to `upTo`, that are still remembered. 0 while no rule is followed. */
  callsOf(userIds: readonly string[], upTo: number): Promise<number>;
}

/** The search index. */
export interface IndexFiles {
  /** Resolves when no file of it holds anything of messages that are gone. */
  forget(): Promise<void>;
}

export interface DeletionsDeps {
  readonly deletions: DeletionStore;
  readonly erasure: ErasureStore;
  readonly ingest: Pick<IngestStore, 'storeIn'>;
  readonly lists: Pick<ListStore, 'message' | 'messages'>;
  readonly details: Pick<DetailStore, 'wire'>;
  readonly write: Writer['write'];
  /** A write that is retried while the store cannot be written. */
  persist<T>(ask: () => Promise<T>): Promise<T>;
  readonly suppressions: Suppressions;
  readonly receivers: ReceiverLogs;
  readonly audiences: AudienceRows;
  readonly people: PeopleMemory;
  readonly index: IndexFiles;
  sources(): readonly Source[];
  destination(): { readonly enabled: boolean; readonly webhookCount: number; readonly body: BodyShape };
  /** Messages were stored: counts them and hands them to delivery, as ingest does. */
  stored(request: StoredRequest): void;
  /** Ends the retries of a message. */
  stopMessage(id: number): Promise<boolean>;
  readonly clock: Clock;
  /** Retry-clock time. */
  clockNow(): number;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Called when what clients see has changed. */
  changed(): void;
  /** Bytes of a store that an erase rewrites at once; a default when left out. */
  readonly rewrittenAtOnce?: number;
}
