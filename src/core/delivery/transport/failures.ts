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
};

const REASON_OF_CODE_START: readonly (readonly [start: string, reason: AttemptReason])[] = [
  ['EAI_', 'dns_failed'],
  ['ERR_SSL_', 'tls_failed'],
  ['ERR_TLS_', 'tls_failed'],
];

export function noConnection(reason: AttemptReason, detail: string): Failure {
  return { outcome: 'no_connection', reason, detail: oneLine(detail) };
}

/** What an error of the socket or of TLS means for the attempt. */
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
  const known = REASON_OF_CODE[code] ?? REASON_OF_CODE_START.find(([start]) => code.startsWith(start))?.[1];
  return known ?? 'connection_error';
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_DETAIL_LENGTH);
}
