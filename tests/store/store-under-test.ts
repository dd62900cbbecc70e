/** What the conformance suite is given of a store: its ports, and a way to put rows into it whatever made them. */
import type {
  AttemptRecord,
  LineUpRecord,
  MessageRecord,
  ReplayRecord,
  RequestRecord,
} from '../../src/core/model/stored.ts';
import type { Changes } from '../../src/core/store/ports/changes.ts';
import type { StorePorts } from '../../src/core/store/ports/store.ts';
import type { UserCallStore } from '../../src/core/store/ports/user-calls.ts';
import type { TurningSealer } from './turning-sealer.ts';

/** Puts rows that belong together, or not, straight into the store. */
export interface Arrange {
  request(request: RequestRecord): void;
  message(message: MessageRecord, wire?: Uint8Array | null): void;
  /** Its delivered bytes are not those any more that were stored. */
  damageBody(messageId: number): void;
  attempt(attempt: AttemptRecord, responseBody?: Uint8Array | null): void;
  replay(replay: ReplayRecord, editedBody?: Uint8Array | null): void;
  lineUp(lineUp: LineUpRecord): void;
  /** No messages any more, and nothing that belongs to them. */
  clear(): void;
}

export interface StoreUnderTest extends StorePorts {
  /** A handle of its own for reading, closed after the test. */
  openUserCalls(): UserCallStore;
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
