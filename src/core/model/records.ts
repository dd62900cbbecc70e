/** Plain records that pass between ingest, store and delivery. Times are epoch milliseconds. */

import type { Header } from './header.ts';
import type { Note } from './message.ts';
import type { DeliveryRules } from './rules.ts';
import type { StaticHeader } from './static-headers.ts';
import type { CallType, MessageState, Origin } from './vocabulary.ts';

export type SourceKind = 'server' | 'web' | 'mobile';

export interface Source {
  readonly id: number;
  readonly name: string;
  readonly writeKey: string;
  readonly kind: SourceKind;
  readonly enabled: boolean;
  /** Whether the Webhooks destination is enabled for this source. */
  readonly webhooks: boolean;
  /** Names of track events that do not go to Webhooks. */
  readonly eventsOff: ReadonlySet<string>;
  readonly createdAt: number;
}

export interface Webhook {
  readonly id: number;
  /** 1 to 5: its place in the list and its cell in every row. */
  readonly slot: number;
  readonly name: string;
  readonly url: string;
  readonly headers: readonly StaticHeader[];
  readonly enabled: boolean;
  readonly createdAt: number;
}

export interface DestinationSettings extends DeliveryRules {
  readonly enabled: boolean;
  /** True while a person holds all delivery. */
  readonly paused: boolean;
  /** Absolute path of a file of PEM certificates to trust beside the known authorities, or null. */
  readonly caFile: string | null;
}

export interface IngestSettings {
  readonly mode: 'segment' | 'strict';
  readonly acceptAnyKey: boolean;
  readonly dedupe: boolean;
  /** True: every timestamp is corrected by the time of sending, as Segment does. False: only those of a wrong clock. */
  readonly correctEveryTimestamp: boolean;
}

/** One HTTP request as it was received; the raw bytes are the truth. */
export interface NewRequest {
  readonly receivedAt: number;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
  /** The body as received on the wire, still encoded. */
  readonly body: Uint8Array;
  readonly encoding: string | null;
  /** Decoded size in bytes. */
  readonly decodedBytes: number;
  readonly writeKey: string | null;
  readonly sourceId: number | null;
  readonly status: number;
  /** Error code of the whole request, or null. */
  readonly code: string | null;
  /** Equal for every try of a refused request, which is stored once; null for other requests. */
  readonly fingerprint?: Uint8Array | null;
  /** Calls that were cut out of the body, because their users are suppressed; none when left out. */
  readonly cutCalls?: number;
}

/** One call of a request, ready to be stored. */
export interface NewMessage {
  readonly messageId: string;
  /** Place in the batch, from 0. */
  readonly position: number;
  readonly origin: Origin;
  /** `unknown` only for rejected calls. */
  readonly type: CallType | 'unknown';
  /** What the list shows as event: the event, page name, trait keys … */
  readonly name: string;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  readonly state: Extract<MessageState, 'rejected' | 'not_selected' | 'queued'>;
  /** RejectReason or NotSelectedReason. */
  readonly reason: string | null;
  /** Words for the person, e.g. "41.2 KB". */
  readonly reasonDetail: string | null;
  /** Bytes of the call as compact JSON. */
  readonly size: number;
  readonly notes: readonly Note[];
  /** Delivered body, built once; null when rejected. */
  readonly wire: Uint8Array | null;
}

/** What the writer returns for each message of a committed request. */
export interface StoredMessage {
  /** Row id: grows with arrival. */
  readonly id: number;
  /**
   * True when the store already had the message, or the refused request that brought it, within 24 h. `id` is then
   * that of the first.
   */
  readonly duplicate: boolean;
}
