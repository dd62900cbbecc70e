/** What happened to an attempt and what comes next, as one line. */
import type { RulesView } from '../../../contract/rules.ts';
import type { AttemptView } from '../../../contract/values.ts';
import { formatDuration, formatSpan } from '../format.ts';
import { attemptKind, statusLine } from './attempts.ts';
import { CERTIFICATE_WORDS } from './certificates.ts';

/**
 * The time limit that an attempt had, as far as its record shows, because the rule may have changed since. Null when
 * unknown.
 */
export function limitOf(attempt: Pick<AttemptView, 'outcome' | 'durationMs'>, timeoutMs: number): number | null {
  const { outcome, durationMs } = attempt;
  if (durationMs === null) return timeoutMs;
  if (outcome === 'timed_out')
    return Math.abs(durationMs - timeoutMs) < 500 ? timeoutMs : Math.max(1, Math.round(durationMs / 1000)) * 1000;
  return durationMs > timeoutMs ? null : timeoutMs;
}

/** The delivery rules that the texts about an attempt depend on. */
export type Policy = Pick<RulesView, 'retryOn' | 'redirects' | 'retryAfter'>;
/** Rules of the profile "Documented", for places without rules at hand. */
const DOCUMENTED: Policy = {
  retryOn: ['failed', 'timed_out', 'no_connection', 'throttled'],
  redirects: 'decline',
  retryAfter: true,
};

/**
 * What happened, why, and what comes next by the current rules, in one line. A null `timeoutMs` means that the limit is
 * unknown.
 */
export function attemptSentence(
  attempt: Pick<
    AttemptView,
    | 'outcome'
    | 'status'
    | 'statusText'
    | 'reason'
    | 'detail'
    | 'url'
    | 'redirectedTo'
    | 'durationMs'
    | 'phases'
    | 'requestHeaders'
    | 'responseHeaders'
  >,
  timeoutMs: number | null,
  policy: Policy = DOCUMENTED,
): string {
  const { redirectedTo } = attempt;
  const { host, hostname } = addressOf(redirectedTo ?? attempt.url);
  const line = statusLine(attempt);
  switch (attemptKind(attempt)) {
    case 'sending':
      return timeoutMs === null ? 'Sending.' : `Sending. The limit is ${formatSpan(timeoutMs)}.`;
    case 'accepted':
      return `Accepted with ${line}${attempt.durationMs === null ? '' : ` after ${formatDuration(attempt.durationMs)}`}.`;
    case 'failed':
      return `Failed with ${line}.`;
    case 'throttled':
      return `Throttled with ${line}. ${throttledNext(policy)}`;
    case 'timed_out':
      return `Timed out. No ${attempt.status === null ? 'response' : 'complete response'} within ${timeoutMs === null ? 'the limit' : formatSpan(timeoutMs)}.`;
    case 'interrupted':
      if (wasNotSent(attempt)) return 'Interrupted before a request was sent.';
      return 'Interrupted. Hookbench stopped, erased the message or could not store the result. This attempt does not say whether the request arrived.';
    case 'declined':
      return `Declined with ${line}. 4xx answers are ${retries(policy, 'declined')}.`;
    case 'redirect':
      return `Redirect ${attempt.status}${redirectTarget(attempt.responseHeaders)}. ${redirectNext(policy)}`;
    case 'refused_certificate':
      return refusal(hostname, attempt.reason, redirectedTo !== null);
    case 'no_connection':
      return `${redirectedTo === null ? 'No connection' : 'Redirected, and no connection'}. ${connectionCause(attempt.reason, attempt.detail, host, hostname)}`;
  }
}

function refusal(hostname: string, reason: string | null, isRedirected: boolean): string {
  const cause = `${hostname} presents ${CERTIFICATE_WORDS[reason ?? '']?.what ?? 'a certificate that was refused'}`;
  return isRedirected
    ? `Redirected, and refused. ${cause}, so no request was sent there.`
    : `Refused before sending. ${cause}, so no request was sent.`;
}

/** Its result is stored and has no request. Without a result, a request may have been sent. */
const wasNotSent = ({ phases, requestHeaders }: Pick<AttemptView, 'phases' | 'requestHeaders'>): boolean =>
  phases !== null && requestHeaders.length === 0;

const retries = (policy: Policy, outcome: Policy['retryOn'][number]): string =>
  policy.retryOn.includes(outcome) ? 'retried' : 'not retried';

function throttledNext(policy: Policy): string {
  if (!policy.retryOn.includes('throttled')) return '408 and 429 are not retried.';
  return policy.retryAfter ? 'The wait before the next round follows Retry-After.' : 'Retry-After is not followed.';
}

function redirectNext(policy: Policy): string {
  if (policy.redirects === 'follow') return 'It could not be followed.';
  return `Redirects are not followed${policy.retryOn.includes('declined') ? ', and retried' : ''}.`;
}

function redirectTarget(headers: AttemptView['responseHeaders']): string {
  const location = headers.find((header) => header.name.toLowerCase() === 'location');
  return location !== undefined && 'value' in location ? ` to ${location.value}` : '';
}

function connectionCause(reason: string | null, detail: string | null, host: string, hostname: string): string {
  switch (reason) {
    case 'dns_failed':
      return `The name ${hostname} was not found.`;
    case 'connection_refused':
      return `Nothing is listening on ${host}.`;
    case 'connection_reset':
      return `${host} reset the connection.`;
    case 'connection_closed':
      return `${host} closed the connection before a complete answer.`;
    case 'unreachable':
      return `${host} cannot be reached from this machine.`;
    case 'invalid_response':
      return `${host} did not answer with valid HTTP.`;
    case 'headers_too_large':
      return `${host} answered with more headers than are read.`;
    case 'tls_failed':
      return `The TLS handshake with ${host} failed.`;
    case 'unsupported_url':
      return 'This URL cannot be called.';
    default:
      return detail === null ? 'The cause is not known.' : `${detail}${/[.]$/.test(detail) ? '' : '.'}`;
  }
}

function addressOf(url: string): { host: string; hostname: string } {
  try {
    const parsed = new URL(url);
    const port = parsed.port === '' ? (parsed.protocol === 'https:' ? '443' : '80') : parsed.port;
    return { host: `${parsed.hostname}:${port}`, hostname: parsed.hostname };
  } catch {
    return { host: url, hostname: url };
  }
}
