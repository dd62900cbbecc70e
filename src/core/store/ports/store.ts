/** A whole store: all of its ports, and how an engine opens, watches and closes it. */
import type { Clock, Logger, Sealer, Timers } from '../../ports.ts';
import type { AudienceStore } from './audiences.ts';
import type { Changes, Writer } from './changes.ts';
import type { DeletionStore } from './deletions.ts';
import type { DetailStore } from './details.ts';
import type { DueStore } from './due.ts';
import type { ErasureStore } from './erasure.ts';
import type { HeldStore, IngestStore } from './ingest.ts';
import type { ListStore, ReceivedCalls } from './lists.ts';
import type { MetricsStore } from './metrics.ts';
import type { ReceiverStore } from './receivers.ts';
import type { RecoveryStore } from './recovery.ts';
import type { ReplayStore } from './replays.ts';
import type { RetentionStore } from './retention.ts';
import type { RoundStore } from './rounds.ts';
import type { SearchStores } from './search.ts';
import type { SourceEventStore } from './source-events.ts';
import type { SuppressionStore } from './suppressions.ts';
import type { SyncStore } from './syncs.ts';
import type { UserCallStore } from './user-calls.ts';
import type { WorkspaceStore } from './workspace.ts';

/** Every port of a store. A store is whatever keeps the promises of each (`tests/store`). */
export interface StorePorts {
  readonly writer: Writer;
  readonly ingest: IngestStore;
  readonly held: HeldStore;
  readonly lists: ListStore;
  readonly details: DetailStore;
  readonly workspace: WorkspaceStore;
  readonly due: DueStore;
  readonly rounds: RoundStore;
  readonly replays: ReplayStore;
  readonly recovery: RecoveryStore;
  readonly retention: RetentionStore;
  readonly metrics: MetricsStore;
  readonly receivers: ReceiverStore;
  readonly sourceEvents: SourceEventStore;
  readonly audiences: AudienceStore;
  readonly syncs: SyncStore;
  readonly deletions: DeletionStore;
  readonly erasure: ErasureStore;
  readonly suppressions: SuppressionStore;
}

/** What a store reports by itself. */
export interface StoreEvents {
  /** After each commit, before the promises of its jobs resolve. */
  committed(changes: Changes): void;
  /** When writing stops or starts to work. */
  writable(writable: boolean): void;
}

/** An open store. */
export interface Store {
  readonly ports: StorePorts;
  /** `known` is true once a part of the store was found to be damaged. */
  readonly damage: { readonly known: boolean };
  /** True when secrets of an earlier version may still be in free parts of the files. */
  readonly unscrubbed: boolean;
  /** Listeners run in the order of joining. */
  onCommitted(listener: StoreEvents['committed']): void;
  onWritable(listener: StoreEvents['writable']): void;
  /** `listener` runs when the store is found to be damaged. */
  onDamaged(listener: () => void): void;
  /** A handle of its own for reading, which sees what is committed. Throws where the store cannot be opened again. */
  openUserCalls(): UserCallStore;
  /** As {@link openUserCalls}, with the file of the search index. */
  openSearch(): SearchStores;
  /** Deletes the file of the search index, which must be closed. */
  deleteSearch(): void;
  /** Ends what works for the store in other threads. Call it before {@link close}. Harmless when repeated. */
  endThreads(): Promise<void>;
  /** Commits all requested writes, then closes the store. */
  close(): void;
}

/** A pass of a {@link Checkpointer}, in pages. */
export interface CheckpointPass {
  /** Pages of the log. */
  readonly log: number;
  /** Of these, how many are in the main file. */
  readonly moved: number;
}

/** Moves the store's log into its main file, from another thread than the engine's. */
export interface Checkpointer {
  /** Begins a pass. */
  pass(): void;
  /** Resolves when the file is closed. Harmless when repeated. */
  stop(): Promise<void>;
}

export interface CheckpointEvents {
  /** A pass has ended. Null when it failed. */
  passed(pass: CheckpointPass | null): void;
  /** The thread ended unasked. */
  ended(): void;
}

export type OpenCheckpointer = (events: CheckpointEvents) => Checkpointer;

/** What a store needs to open. */
export interface StoreNeeds {
  /** Absolute path of the workspace folder. A store that is no file ignores it. */
  readonly workspace: string;
  /** True when the user wants to open the store even if it is not the one that was here before. */
  readonly accept?: boolean | undefined;
  readonly clock: Pick<Clock, 'wall'>;
  readonly timers: Timers;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly receivedCalls: ReceivedCalls;
  /** Without it the store moves its log within commits. A store that is no file ignores it. */
  readonly openCheckpointer?: OpenCheckpointer | undefined;
}

/** Throws a StoreOpenError; then nothing is held. */
export type OpenStore = (needs: StoreNeeds) => Store;
