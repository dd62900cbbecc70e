/** What the room of audiences needs from the rest of the core. */
import type { SyncWait } from '../../contract/audiences.ts';
import type { StoredRequest } from '../ingest/ports.ts';
import type { BodyShape } from '../model/rules.ts';
import type { NotSendingReason } from '../model/vocabulary.ts';
import type { Clock, Ids, Logger, Timers } from '../ports.ts';
import type { AudienceStore, StoredAudience } from '../store/ports/audiences.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { DetailStore } from '../store/ports/details.ts';
import type { IngestStore } from '../store/ports/ingest.ts';
import type { ListStore } from '../store/ports/lists.ts';
import type { SyncStore } from '../store/ports/syncs.ts';
import type { MembersOf } from './members-of.ts';

/** Users of whom nothing is said; it changes with time. `size` may be too large. */
export interface UserSet {
  readonly size: number;
  has(userId: string): boolean;
  [Symbol.iterator](): Iterator<string>;
}

export interface TraitSender {
  readonly sourceId: number;
  readonly name: string;
  readonly calls: number;
}

export interface AudiencesDeps {
  readonly store: AudienceStore;
  readonly syncs: SyncStore;
  readonly ingest: Pick<IngestStore, 'storeIn'>;
  readonly details: Pick<DetailStore, 'attemptsOf'>;
  readonly lists: Pick<ListStore, 'idRange'>;
  readonly write: Writer['write'];
  /** A write that is retried while the store cannot be written. */
  persist<T>(ask: () => Promise<T>): Promise<T>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly logger: Logger;
  /** The retry clock: schedules follow it. */
  readonly retryClock: { now(): number; realDelay(at: number): number };
  /** The destination as it is now. */
  destination(): { readonly enabled: boolean; readonly body: BodyShape; readonly webhookCount: number };
  /** Users who are told nothing: suppressed ones, and those who are being erased. */
  suppressed(): UserSet;
  /** Why delivery sends nothing at all right now; empty while it sends. */
  standstills(): readonly NotSendingReason[];
  /** Called in the turn of the commit: counts the messages and hands them to delivery, as ingest does. */
  stored(request: StoredRequest): void;
  /** Called when something that clients see has changed. */
  changed(): void;
  /** For each trait the sources that send it in identify calls of their own, most calls first; null while that is not known. */
  sendersOf(traits: readonly string[]): Promise<ReadonlyArray<readonly TraitSender[]> | null>;
  /** Computes rules and traits over stored traffic. */
  readonly membersOf: MembersOf;
}

export type { StoredAudience, SyncWait };
