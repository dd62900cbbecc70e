/** How an attempt is named and drawn, and its result in a column. */
import type { AttemptView, OutcomeName } from '../../../contract/values.ts';
import type { CellMark } from '../../components/cell-marks.tsx';
import type { GlyphName } from '../../components/glyphs.tsx';
import { CERTIFICATE_WORDS } from './certificates.ts';
import { STATUS_TEXTS } from './status-texts.ts';
import type { Tone } from './tone.ts';

/** How an attempt is drawn: by its outcome, with redirects and open attempts as kinds of their own. */
export type AttemptKind = OutcomeName | 'redirect' | 'sending';

export function attemptKind(attempt: { outcome: OutcomeName | null; status: number | null }): AttemptKind {
  if (attempt.outcome === null) return 'sending';
  if (attempt.outcome === 'declined' && attempt.status !== null && attempt.status >= 300 && attempt.status < 400)
    return 'redirect';
  return attempt.outcome;
}

export const ATTEMPT_WORDS: Record<AttemptKind, { word: string; glyph: GlyphName; cell: CellMark; tone: Tone }> = {
  accepted: { word: 'Accepted', glyph: 'delivered', cell: 'a', tone: 'ok' },
  sending: { word: 'Sending', glyph: 'delivering', cell: 's', tone: 'accent' },
  failed: { word: 'Failed', glyph: 'failed', cell: 'f', tone: 'bad' },
  timed_out: { word: 'Timed out', glyph: 'timed_out', cell: 't', tone: 'warn' },
  no_connection: { word: 'No connection', glyph: 'no_connection', cell: 'n', tone: 'bad' },
  refused_certificate: { word: 'Refused', glyph: 'refused_certificate', cell: 'r', tone: 'bad' },
  declined: { word: 'Declined', glyph: 'declined', cell: 'd', tone: 'bad' },
  redirect: { word: 'Redirect', glyph: 'redirect', cell: 'm', tone: 'bad' },
  throttled: { word: 'Throttled', glyph: 'throttled', cell: 'l', tone: 'warn' },
  interrupted: { word: 'Interrupted', glyph: 'interrupted', cell: 'i', tone: 'warn' },
};

/** `Last 24 attempts: 20 accepted, 4 failed`, most frequent first. */
export function outcomeSentence(noun: 'attempt' | 'request', kinds: readonly AttemptKind[]): string {
  if (kinds.length === 0) return `No ${noun}s yet`;
  const counts = new Map<string, number>();
  for (const kind of kinds) {
    const word = ATTEMPT_WORDS[kind].word.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([word, n]) => `${n} ${word}`);
  return `Last ${kinds.length === 1 ? noun : `${kinds.length} ${noun}s`}: ${parts.join(', ')}`;
}

/** Why an attempt shows no request headers. One that ended without a result may have been sent. */
export function noRequestWords({ outcome, phases }: Pick<AttemptView, 'outcome' | 'phases'>): string {
  if (outcome === null) return 'open';
  return phases === null ? 'what was sent is not stored' : 'nothing was sent';
}

/** A certificate was refused before any request. Where redirects are followed, one may have been sent to an earlier URL. */
export const isRefusedUnsent = ({
  outcome,
  requestHeaders,
}: Pick<AttemptView, 'outcome' | 'requestHeaders'>): boolean =>
  outcome === 'refused_certificate' && requestHeaders.length === 0;

/** `503 Service Unavailable`, `Timed out, no response`, `Refused, self-signed`: the result column of an attempt. */
export function attemptResult(attempt: Pick<AttemptView, 'outcome' | 'status' | 'statusText' | 'reason'>): string {
  const kind = attemptKind(attempt);
  switch (kind) {
    case 'sending':
      return 'Sending';
    case 'timed_out':
      return attempt.status === null ? 'Timed out, no response' : `Timed out while reading, ${statusLine(attempt)}`;
    case 'refused_certificate':
      return `Refused, ${CERTIFICATE_WORDS[attempt.reason ?? '']?.short ?? 'bad certificate'}`;
    case 'no_connection':
      return `No connection${CONNECTION_SHORT[attempt.reason ?? ''] === undefined ? '' : `, ${CONNECTION_SHORT[attempt.reason ?? '']}`}`;
    case 'interrupted':
      return 'Interrupted';
    default:
      return statusLine(attempt);
  }
}

export const statusLine = ({ status, statusText }: { status: number | null; statusText: string }): string =>
  [status ?? '', statusText === '' ? (STATUS_TEXTS[status ?? 0] ?? '') : statusText].join(' ').trim();

const CONNECTION_SHORT: Record<string, string> = {
  dns_failed: 'name not found',
  connection_refused: 'nothing is listening',
  connection_reset: 'reset',
  connection_closed: 'closed early',
  unreachable: 'unreachable',
  invalid_response: 'not HTTP',
  headers_too_large: 'headers too large',
  tls_failed: 'TLS failed',
  unsupported_url: 'URL not supported',
};
