/** The status of the engine: its listeners, its counts, its room, and why nothing is sent. */
import type { MessageState } from '../core/model/vocabulary.ts';
import type { NotSendingReasonName } from './not-sending.ts';

export interface ListenerView {
  /** `stopped` before start and after stop. */
  state: 'listening' | 'port_in_use' | 'failed' | 'stopped';
  port: number;
  message: string | null;
  /** Name and process id of the program that has the port, where known. */
  holder: string | null;
}

/** The optional https listener of ingest. */
export interface HttpsView extends ListenerView {
  /** Whether it is turned on. `state` says whether it listens. */
  enabled: boolean;
  /** The local authority that signed its certificate; null until it exists. */
  authority: AuthorityView | null;
  /** How many connections failed since the start, and the newest reason. */
  refused: {
    count: number;
    lastAt: number;
    reason: 'authority_not_trusted' | 'plain_http' | 'handshake_failed';
  } | null;
}

export interface AuthorityView {
  /** SHA-256, upper-case hex pairs with colons. */
  fingerprint256: string;
  validTo: number;
  /** Absolute path of the certificate. */
  file: string;
}

export interface StatusView {
  listener: ListenerView;
  https: HttpsView;
  /** Clients that spoke TLS to the http port since the start, or null. */
  tlsHellos: { count: number; lastAt: number } | null;
  /** Contract texts since the start that were neither a call nor an answer, or null. Each ended its connection. */
  badTexts: { count: number; lastAt: number } | null;
  /** Moves since the start that found their message in another state (docs/errors.md, `move_lost`). */
  lostMoves: number;
  /** True while the store can be written. */
  storeWritable: boolean;
  /** Every reason why nothing, or not everything, is sent, most pressing first; empty while delivery runs. */
  notSending: NotSendingReasonName[];
  counts: Record<MessageState, number>;
  /** All stored messages. */
  total: number;
  /** In use in the store's file. */
  storeBytes: number;
  storage: StorageView;
  inFlight: number;
  /** Retry-clock time of the next planned round, or null. */
  nextDueAt: number | null;
  /** Messages received in the last 60 s. */
  perMinute: number;
  requestsSeen: number;
  rejectedSeen: number;
}

/** The storage limits. The oldest final messages are removed first; a waiting message never is. */
export interface StorageView {
  maxMessages: number;
  maxBytes: number;
  maxAgeDays: number;
  /** True while ingest answers 429, because the limits are reached and nothing may be removed. */
  full: boolean;
}
