/** What ingest needs from the rest of the core. */
import type { IngestSettings, Source, StoredMessage } from '../model/records.ts';
import type { BodyShape } from '../model/rules.ts';
import type { Clock, Ids, Logger } from '../ports.ts';
import type { Arrived } from '../store/ports/ingest.ts';
import type { Regulate } from './regulations.ts';

export interface IngestStore {
  /** True while the store is at its limits and holds nothing that it may remove. Absent: never true. */
  full?(): boolean;
  /** What `GET /health` reports as wrong with the store, or null; null when absent. */
  trouble?(): 'store_not_writable' | 'store_damaged' | null;
  /**
   * Stores what was received, once. Rejects with a {@link StoreNotWritableError}, and then has stored nothing of it.
   */
  storeRequest(arrived: Arrived): Promise<readonly StoredMessage[]>;
}

export { StoreNotWritableError } from '../ports.ts';

/** The workspace as ingest sees it; every value is current at the time of the call. */
export interface IngestWorkspace {
  sourceByKey(writeKey: string): Source | undefined;
  /** Makes a source for a key under `acceptAnyKey`; undefined once it has made 50. */
  createSource(writeKey: string): Promise<Source | undefined>;
  settings(): IngestSettings;
  destination(): { readonly enabled: boolean; readonly body: BodyShape; readonly webhookCount: number };
  /** The users whose calls are rejected, exactly as they are compared; nobody when absent. */
  suppressed?(): ReadonlySet<string>;
  /** Full port of the http listener, for the browser settings answer. */
  port(): number;
  /** Whether pages of this origin may read answers. Pages on this machine always may; when absent, no others. */
  allowsOrigin?(origin: string): boolean;
}

/** A request as it was stored. */
export interface StoredRequest extends Arrived {
  /** One for each of its messages. */
  readonly stored: readonly StoredMessage[];
}

/** Called after ingest has stored or answered; it drives counters and hands queued messages to delivery. */
export interface IngestObserver {
  /** Runs in the turn of the commit. */
  stored(request: StoredRequest): void;
  answered(summary: {
    readonly status: number;
    readonly code: string | null;
    readonly calls: number;
    readonly rejected: number;
  }): void;
}

/** What ingest is made of. */
export interface IngestParts {
  readonly store: IngestStore;
  readonly workspace: IngestWorkspace;
  readonly observer: IngestObserver;
  readonly clock: Clock;
  /** Retry-clock time. */
  clockNow(): number;
  /** Carries out a deletion request that came over HTTP; when absent there are none. */
  regulate?: Regulate;
  readonly ids: Ids;
  readonly logger: Logger;
  /** The port of the https listener, or null while it does not run. */
  httpsPort?(): number | null;
  /** The folder of the browser library that the snippets of pages load, or null for the installed one. */
  browserSdkFolder?(): string | null;
}
