import type { Header } from './header.ts';
import type { Outcome } from './vocabulary.ts';

/**
 * Why there was no connection, the certificate was refused, or the rest of an answer was not read; stable codes shown
 * in the interface.
 */
export type AttemptReason =
  // no_connection
  | 'dns_failed'
  | 'connection_refused'
  | 'connection_reset'
  | 'connection_closed'
  | 'unreachable'
  | 'invalid_response'
  | 'headers_too_large'
  | 'tls_failed'
  | 'unsupported_url'
  | 'connection_error'
  // with a status: too much followed the headers
  | 'answer_too_large'
  // refused_certificate
  | 'self_signed'
  | 'self_signed_in_chain'
  | 'unknown_ca'
  | 'certificate_expired'
  | 'certificate_not_yet_valid'
  | 'wrong_host'
  | 'certificate_invalid';

/** Milliseconds spent in each phase; null where the phase did not happen (a kept connection, an early end). */
export interface Phases {
  /** Waiting for a free sender of this webhook. Filled by the dispatcher; not part of the 5 s. */
  readonly queueMs: number | null;
  readonly dnsMs: number | null;
  readonly tcpMs: number | null;
  readonly tlsMs: number | null;
  readonly certificateMs: number | null;
  readonly sendMs: number | null;
  readonly waitMs: number | null;
  readonly readMs: number | null;
}

/** The certificate that a server presented. Dates are ISO 8601. */
export interface CertificateInfo {
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly names: string;
  readonly fingerprint256: string;
}

/** Everything known about one finished attempt. */
export interface AttemptResult {
  readonly outcome: Outcome;
  readonly reason: AttemptReason | null;
  /** The error's own words (an errno, a TLS error code, a parser message), or null. */
  readonly detail: string | null;
  /** HTTP status when complete headers arrived, else null. */
  readonly status: number | null;
  readonly statusText: string;
  /**
   * Request headers exactly as written to the socket, Host, Connection and Content-Length included; empty when
   * nothing was written.
   */
  readonly requestHeaders: readonly Header[];
  readonly responseHeaders: readonly Header[];
  /** At most {@link MAX_RESPONSE_BODY_BYTES}, never decompressed. */
  readonly responseBody: Uint8Array;
  /** Bytes of body that arrived before the attempt ended. */
  readonly responseBytes: number;
  /** True when the body was longer than what was kept, or did not arrive whole. */
  readonly responseCut: boolean;
  readonly phases: Phases;
  /** Real milliseconds from asking for the connection to the end. */
  readonly durationMs: number;
  readonly certificate: CertificateInfo | null;
}

/** How much of a response body is kept (decisions, Delivery). */
export const MAX_RESPONSE_BODY_BYTES = 64 * 1024;

/**
 * How much of an answer is read, in bytes on the wire: interim answers, status line, headers, chunk sizes
 * and extensions, trailers and body. A body reaches {@link MAX_RESPONSE_BODY_BYTES} first, unless its chunks are tiny.
 */
export const MAX_ANSWER_BYTES = 256 * 1024;

/** The outcome that a status stands for, once status line and headers are complete. */
export function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status <= 299) return 'accepted';
  if (status === 408 || status === 429) return 'throttled';
  if (status >= 500 && status <= 599) return 'failed';
  if (status >= 100 && status <= 499) return 'declined';
  return 'no_connection';
}
