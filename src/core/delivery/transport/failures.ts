import errors from 'undici/lib/core/errors.js';
import type { AttemptReason } from '../../model/attempt.ts';

/** Why an attempt ended without complete headers. */
export interface Failure {
  readonly outcome: 'no_connection' | 'refused_certificate';
  readonly reason: AttemptReason;
  readonly detail: string;
}

const MAX_DETAIL_LENGTH = 500;

/** Advice about Node's command line, which the user of an application cannot follow. */
const NODE_ADVICE = /; if the root CA is installed locally.*/;

const REASON_OF_CODE: Readonly<Record<string, AttemptReason>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  ENOTFOUND: 'dns_failed',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EPROTO: 'tls_failed',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_response',
  // undici asserts what its parser hands over. A receiver that trips an assertion sent malformed data.
  ERR_ASSERTION: 'invalid_response',
};

const REASON_OF_CODE_START: readonly (readonly [start: string, reason: AttemptReason])[] = [
  ['EAI_', 'dns_failed'],
  ['HPE_', 'invalid_response'],
  ['ERR_SSL_', 'tls_failed'],
  ['ERR_TLS_', 'tls_failed'],
];

export function noConnection(reason: AttemptReason, detail: string): Failure {
  return { outcome: 'no_connection', reason, detail: oneLine(detail) };
}

/** What an error of the socket, of TLS or of the HTTP parser means for the attempt. */
export function failureOf(error: unknown): Failure {
  return noConnection(reasonOf(error), detailOf(error));
}

/** The error's own words on one line, its code in front when the message lacks it. */
export function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const code = codeOf(error);
  // OpenSSL messages name source files; only `reason` is readable.
  const words = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
  return oneLine(words.includes(code) ? words : `${code}: ${words}`).replace(NODE_ADVICE, '');
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function reasonOf(error: unknown): AttemptReason {
  const code = codeOf(error);
  if (code === 'UND_ERR_SOCKET') return isClosing(error) ? 'connection_closed' : 'invalid_response';
  const known = REASON_OF_CODE[code] ?? REASON_OF_CODE_START.find(([start]) => code.startsWith(start))?.[1];
  // Only some of the parser's errors carry a code.
  return known ?? (error instanceof errors.HTTPParserError ? 'invalid_response' : 'connection_error');
}

function isClosing(error: unknown): boolean {
  return error instanceof Error && /closed/.test(error.message);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_DETAIL_LENGTH);
}
