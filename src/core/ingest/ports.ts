/** What ingest needs from the rest of the core. */
import type { IngestSettings, NewMessage, NewRequest, Source, StoredMessage } from '../model/records.ts';
import type { BodyShape } from '../model/rules.ts';

export interface IngestStore {
  /** True while nothing more may be stored: the limits are reached, and nothing may go. Never when absent. */
  full?(): boolean;
  /** What `GET /health` says is wrong with the store, or null. Nothing when absent. */
  trouble?(): 'store_not_writable' | 'store_damaged' | null;
  /**
   * Resolves once the request and all its messages are committed and synced, in the order of `messages`.
   * Rejects with a {@link StoreNotWritableError}; then nothing of the request is stored.
   * Duplicates within 24 h (same source, same messageId) are counted on the first one when `dedupe` is true.
   */
  storeRequest(
    request: NewRequest,
    messages: readonly NewMessage[],
    dedupe: boolean,
  ): Promise<readonly StoredMessage[]>;
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

/** Told after each answered request; drives counters and hands queued messages to delivery. */
export interface IngestObserver {
  stored(messages: readonly NewMessage[], ids: readonly StoredMessage[]): void;
  answered(summary: {
    readonly status: number;
    readonly code: string | null;
    readonly calls: number;
    readonly rejected: number;
  }): void;
}
