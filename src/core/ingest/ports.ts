/** What ingest needs from the rest of the core. */
import type { IngestSettings, Source, StoredMessage } from '../model/records.ts';
import type { BodyShape } from '../model/rules.ts';
import type { Arrived } from '../store/ports/ingest.ts';

export interface IngestStore {
  /** True while nothing more may be stored: the limits are reached, and nothing may go. Never when absent. */
  full?(): boolean;
  /** What `GET /health` says is wrong with the store, or null. Nothing when absent. */
  trouble?(): 'store_not_writable' | 'store_damaged' | null;
  /** Keeps what was received, once. Rejects with a {@link StoreNotWritableError}; then nothing of it is stored. */
  storeRequest(arrived: Arrived): Promise<readonly StoredMessage[]>;
}

export { StoreNotWritableError } from '../ports.ts';

/** The workspace as ingest sees it; every value is current at the time of the call. */
export interface IngestWorkspace {
  sourceByKey(writeKey: string): Source | undefined;
  /** Makes a source for a key under `acceptAnyKey`; undefined when 50 were made already. */
  createSource(writeKey: string): Promise<Source | undefined>;
  settings(): IngestSettings;
  destination(): { readonly enabled: boolean; readonly body: BodyShape; readonly webhookCount: number };
  /** Full port of the http listener, for the browser settings answer. */
  port(): number;
  /** Whether pages of this origin may read answers; pages on this machine always may. None else when absent. */
  allowsOrigin?(origin: string): boolean;
}

/** A request as it was stored. */
export interface StoredRequest extends Arrived {
  /** One for each of its messages. */
  readonly stored: readonly StoredMessage[];
}

/** What goes on from ingest: counters, and delivery of what is queued. */
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
