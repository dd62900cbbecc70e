/** What the conformance suite is given of a store: its ports, and a way to put rows into it whatever made them. */
import type {
  AttemptRecord,
  LineUpRecord,
  MessageRecord,
  ReplayRecord,
  RequestRecord,
} from '../../src/core/model/stored.ts';
import type { Changes, Writer } from '../../src/core/store/ports/changes.ts';
import type { DetailStore } from '../../src/core/store/ports/details.ts';
import type { DueStore } from '../../src/core/store/ports/due.ts';
import type { HeldStore, IngestStore } from '../../src/core/store/ports/ingest.ts';
import type { ListStore } from '../../src/core/store/ports/lists.ts';
import type { MetricsStore } from '../../src/core/store/ports/metrics.ts';
import type { ReceiverStore } from '../../src/core/store/ports/receivers.ts';
import type { RecoveryStore } from '../../src/core/store/ports/recovery.ts';
import type { ReplayStore } from '../../src/core/store/ports/replays.ts';
import type { RetentionStore } from '../../src/core/store/ports/retention.ts';
import type { RoundStore } from '../../src/core/store/ports/rounds.ts';
import type { SourceEventStore } from '../../src/core/store/ports/source-events.ts';
import type { WorkspaceStore } from '../../src/core/store/ports/workspace.ts';
import type { TurningSealer } from './turning-sealer.ts';

/** Puts rows that belong together, or not, straight into the store. */
export interface Arrange {
  request(request: RequestRecord): void;
  message(message: MessageRecord, wire?: Uint8Array | null): void;
  /** Its delivered bytes are not those any more that were stored. */
  damageBody(messageId: number): void;
  attempt(attempt: AttemptRecord, responseBody?: Uint8Array | null): void;
  replay(replay: ReplayRecord): void;
  lineUp(lineUp: LineUpRecord): void;
  /** No messages any more, and nothing that belongs to them. */
  clear(): void;
}

export interface StoreUnderTest {
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
  readonly arrange: Arrange;
  /** What the store seals with. */
  readonly sealer: TurningSealer;
  /** What each commit has changed, oldest first. */
  readonly commits: readonly Changes[];
}

/** Opens an empty store, which is closed after the test. */
export type OpenStore = () => StoreUnderTest;

/** Runs `job` in a transaction of its own. */
export async function commit<T>({ writer }: StoreUnderTest, job: (changes: Changes) => T): Promise<T> {
  const done = writer.write(job);
  writer.flush();
  return await done;
}
