/** The status vocabulary and its exact texts (design/ui, sections 6 and 11). */
import type { RulesView } from '../../contract/rules.ts';
import type {
  AttemptView,
  CallTypeName,
  MessageRow,
  MessageStateName,
  NoteView,
  OutcomeName,
} from '../../contract/values.ts';
import type { CellMark, GlyphName } from '../components/glyphs.tsx';
import { formatClock, formatDuration, formatSpan, plural } from './format.ts';

export type Tone = 'ok' | 'warn' | 'bad' | 'accent' | 'quiet';

export interface StateWord {
  word: string;
  glyph: GlyphName;
  tone: Tone;
  /** One line for legends and tooltips. */
  about: string;
}

export const STATE_WORDS: Record<MessageStateName, StateWord> = {
  rejected: {
    word: 'Rejected',
    glyph: 'rejected',
    tone: 'bad',
    about: 'Refused at ingest. Kept here, never delivered.',
  },
  not_selected: {
    word: 'Not selected',
    glyph: 'not_selected',
    tone: 'quiet',
    about: 'Turned off by integrations, or the event, the source or the destination is off.',
  },
  queued: { word: 'Queued', glyph: 'queued', tone: 'quiet', about: 'Waiting for a free sender.' },
  delivering: { word: 'Delivering', glyph: 'delivering', tone: 'accent', about: 'At least one request is open.' },
  delivered: { word: 'Delivered', glyph: 'delivered', tone: 'ok', about: 'One webhook answered 2xx. Final.' },
  retrying: {
    word: 'Retrying',
    glyph: 'retrying',
    tone: 'warn',
    about: 'No webhook has accepted it yet. Counts down to the next round.',
  },
  failed: {
    word: 'Failed',
    glyph: 'failed',
    tone: 'bad',
    about: 'Every webhook gave an answer that is not retried. Final.',
  },
  expired: { word: 'Expired', glyph: 'expired', tone: 'bad', about: 'No success within the retry window. Final.' },
  stopped: {
    word: 'Stopped',
    glyph: 'stopped',
    tone: 'quiet',
    about: 'You stopped the retries. Final until replayed.',
  },
  paused: { word: 'Paused', glyph: 'paused', tone: 'quiet', about: 'Delivery or every webhook is paused.' },
};

/** The order in which states are listed: what needs a decision first. */
export const STATE_ORDER: readonly MessageStateName[] = [
  'retrying',
  'delivering',
  'queued',
  'paused',
  'failed',
  'expired',
  'rejected',
  'not_selected',
  'stopped',
  'delivered',
];

export const FINAL_STATES: ReadonlySet<MessageStateName> = new Set<MessageStateName>([
  'rejected',
  'not_selected',
  'delivered',
  'failed',
  'expired',
  'stopped',
]);

/** What stands behind the state word in a row, but for the countdown: `41.2 KB`, `4 h`. Empty when nothing. */
export function stateExtra(row: MessageRow): string {
  if (row.state === 'rejected') return rejectShort(row.reason, row.reasonDetail);
  if (row.state === 'expired' && row.firstAttemptAt !== null && row.windowEndsAt !== null)
    return formatSpan(row.windowEndsAt - row.firstAttemptAt);
  return '';
}

/** As {@link stateExtra} where there is room for a sentence. */
export const stateExtraInFull = (row: MessageRow): string =>
  row.state === 'rejected' ? rejectWords(row.reason, row.reasonDetail) : stateExtra(row);

/** What a screen reader says of the state. `nextRoundAt` is the wall time of the next round, Infinity while the clock stands still. */
export function stateSentence(row: MessageRow, nextRoundAt: number | null = null): string {
  switch (row.state) {
    case 'rejected':
      return `rejected at ingest, ${rejectWords(row.reason, row.reasonDetail)}`;
    case 'not_selected':
      return `not selected${row.reason?.startsWith('integrations') ? ' by integrations' : ''}`;
    case 'queued':
      return 'queued';
    case 'delivering':
      return `delivering, ${plural(count(row.cells, 's'), 'request')} open`;
    case 'delivered':
      return row.reason === 'every_webhook_left_out'
        ? 'counted as delivered, every webhook was left out'
        : `delivered in round ${row.round}`;
    case 'retrying':
      if (nextRoundAt === null) return 'retrying';
      return Number.isFinite(nextRoundAt)
        ? `retrying, next round at ${formatClock(nextRoundAt)}`
        : 'retrying, clock paused';
    case 'failed':
      return 'failed, no retry for these answers';
    case 'expired':
      return `expired${stateExtra(row) === '' ? '' : ` after ${stateExtra(row)}`}, ${plural(row.round, 'round')}`;
    case 'stopped':
      return 'retries stopped by you';
    case 'paused':
      return 'delivery paused';
  }
}

const count = (text: string, character: string): number => text.split(character).length - 1;

/** At most this many characters stand beside "Rejected" in a narrow column without being cut. */
export const SHORT_REASON = 9;

/** The reason in at most {@link SHORT_REASON} characters, and in a few words. */
const REJECT_WORDS: Record<string, readonly [short: string, words: string]> = {
  no_user_anon_id: ['no id', 'no userId or anonymousId'],
  event_not_defined: ['no event', 'no event name'],
  event_not_string: ['bad event', 'the event name is not a string'],
  group_id_required: ['no group', 'no groupId'],
  previous_id_required: ['no old id', 'no previousId'],
  id_not_string: ['bad id', 'an id is not a string'],
  properties_not_object: ['bad props', 'properties is not an object'],
  traits_not_object: ['bad trait', 'traits is not an object'],
  context_not_object: ['context', 'context is not an object'],
  integrations_not_object: ['integr.', 'integrations is not an object'],
  unknown_type: ['bad type', 'unknown type'],
  call_too_large: ['too large', 'too large'],
  batch_too_large: ['too large', 'batch too large'],
  empty_batch: ['empty', 'empty batch'],
  unknown_source: ['bad key', 'unknown write key'],
  source_disabled: ['off', 'the source is off'],
  bad_timestamp: ['bad time', 'the timestamp is not a date'],
  message_id_too_long: ['long id', 'the messageId is too long'],
  invalid_json: ['bad JSON', 'bad JSON'],
  not_an_object: ['no object', 'not an object'],
};

/** Reasons whose detail says more than their words: a size, a key, a name. */
const TELLING_DETAIL = new Set([
  'call_too_large',
  'batch_too_large',
  'unknown_source',
  'unknown_type',
  'bad_timestamp',
]);

function rejectShort(reason: string | null, detail: string | null): string {
  if (reason?.endsWith('too_large') && detail !== null && detail.length <= SHORT_REASON) return detail;
  return REJECT_WORDS[reason ?? '']?.[0] ?? (reason ?? '').replaceAll('_', ' ').slice(0, SHORT_REASON);
}

function rejectWords(reason: string | null, detail: string | null): string {
  const words = REJECT_WORDS[reason ?? '']?.[1] ?? reason ?? 'reason unknown';
  return detail !== null && TELLING_DETAIL.has(reason ?? '') ? `${words}, ${detail}` : words;
}

/** `no event name`: a reason in a few words, without what is particular to one call. */
export const reasonWords = (reason: string): string => rejectWords(reason, null);

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

const sized = (what: string, detail: string | null, limit: string): string =>
  detail === null ? `this ${what} is too large. ${limit}` : `this ${what} is ${detail}. ${limit}`;

/** Why a call was rejected and what to do, as one line. */
export function rejectText(reason: string | null, detail: string | null): string {
  return `Rejected: ${rejectCause(reason, detail)}`;
}

function rejectCause(reason: string | null, detail: string | null): string {
  switch (reason) {
    case 'call_too_large':
      return sized('call', detail, 'The limit is 32 KB per call.');
    case 'batch_too_large':
      return detail?.endsWith(' calls') === true
        ? `this batch has ${detail}. The limit is 2,500 calls per batch.`
        : sized('batch', detail, "The limit is 500 KB per batch. Lower the SDK's flush size.");
    case 'invalid_json':
      return `the body is not valid JSON.${detail === null ? '' : ` ${detail}${/[.]$/.test(detail) ? '' : '.'}`}`;
    case 'no_user_anon_id':
      return 'this call has neither userId nor anonymousId.';
    case 'unknown_source':
      return unknownKey(detail);
    case 'source_disabled':
      return 'the source of this write key is off. Turn it on in Sources.';
    case 'event_not_defined':
      return 'a track call needs an event name.';
    case 'event_not_string':
      return 'the event name is not a string.';
    case 'group_id_required':
      return 'a group call needs a groupId.';
    case 'previous_id_required':
      return 'an alias call needs a previousId.';
    case 'id_not_string':
      return `${detail ?? 'an id'} is not a string.`;
    case 'properties_not_object':
    case 'traits_not_object':
    case 'context_not_object':
    case 'integrations_not_object':
      return `${detail ?? reason.split('_')[0]} is not an object.`;
    case 'unknown_type':
      return `${detail === null ? 'the type' : `the type ${detail}`} is not a call that Segment knows.`;
    case 'empty_batch':
      return 'the batch has no calls.';
    case 'bad_timestamp':
      return `the timestamp ${detail === null || detail === 'It is not text.' ? '' : `${detail} `}is not a date.`;
    case 'message_id_too_long':
      return 'the messageId is too long.';
    case 'not_an_object':
      return detail === null ? 'the call is not a JSON object.' : lowerFirst(detail);
    default:
      return `${reason ?? 'reason unknown'}${detail === null ? '' : `, ${detail}`}.`;
  }
}

/** What stands in examples where the key belongs: `YOUR_WRITE_KEY`, `<write-key>`, `WRITE_KEY`. */
const isPlaceholder = (key: string): boolean =>
  /^(your)?(segment|source)?(api|write)?key(here)?$/i.test(key.replace(/[^a-z0-9]/gi, ''));

function unknownKey(key: string | null): string {
  if (key !== null && isPlaceholder(key))
    return `${key} stands for a write key in an example. Put the key of a source there: copy it from Sources.`;
  return `no source has ${key === null ? 'this write key' : `the write key ${key}`}. Copy the key from Sources.`;
}

/** Why a message was not selected for Webhooks. */
export function notSelectedText(
  reason: string | null,
  sourceName: string | null,
  notes: readonly NoteView[] = [],
): string {
  const miss = notes.find((note) => note.code === 'integrations_near_miss');
  switch (reason) {
    case 'integrations_off':
      return 'Not selected. integrations turns Webhooks off for this message.';
    case 'integrations_all_off':
      return miss === undefined
        ? 'Not selected. integrations turns All off, and no key Webhooks turns it on.'
        : `Not selected. The integrations key is "${sentKey(miss)}"; the name is case sensitive: Webhooks.`;
    case 'destination_off':
      return 'Not selected. The Webhooks destination is off.';
    case 'source_destination_off':
      return `Not selected. The source ${sourceName ?? 'of this message'} has the destination off.`;
    case 'event_off':
      return `Not selected. The source ${sourceName ?? 'of this message'} has this event switched off.`;
    case 'no_webhook':
      return 'Not selected. There was no webhook when this message arrived.';
    default:
      return `Not selected.${reason === null ? '' : ` Reason: ${reason}.`}`;
  }
}

/** The key of `integrations` that a note is about, as it was sent; `detail` of the note is the one that counts. */
const sentKey = ({ field = '' }: NoteView): string => field.replace(/^integrations\./, '');

const NOTE_TEXTS: Record<string, (note: NoteView) => string> = {
  id_number_to_string: (note) => `${note.field ?? 'An id'} came as a number and was turned into a string.`,
  integrations_lower_case_all: (note) => `integrations.${sentKey(note)} was read as integrations.All.`,
  integrations_near_miss: (note) =>
    `The integrations key "${sentKey(note)}" does nothing; the name is case sensitive: Webhooks.`,
  clock_skew_corrected: (note) =>
    `The timestamp was corrected for the client's clock${note.detail === undefined ? '' : ` (${note.detail})`}.`,
  timestamp_moved: (note) =>
    `The timestamp was moved by the time from sending to arrival${note.detail === undefined ? '' : ` (${note.detail})`}, as Segment does.`,
  empty_array_to_object: (note) => `${note.field ?? 'A field'} came as an empty array and was read as an empty object.`,
  timestamp_missing: () => 'The call had no timestamp; the time of arrival is used.',
  message_id_assigned: () => 'The call had no messageId; one was assigned.',
  duplicate_key: (note) => `The key ${note.field ?? ''} ${note.detail ?? 'came more than once'}.`,
  number_lost: (note) => `A number was lost at ${note.field ?? 'the body'}: ${note.detail ?? ''}.`,
  number_changed: (note) => `A number changed at ${note.field ?? 'the body'}: ${note.detail ?? ''}.`,
  numbers_rewritten: (note) => `Numbers are written otherwise than they came: ${note.detail ?? ''}.`,
  integer_keys_moved: (note) => `The key ${note.field ?? ''} ${note.detail ?? 'is sent before the others'}.`,
};

/** Something worth telling about an accepted call. */
export const noteText = (note: NoteView): string =>
  NOTE_TEXTS[note.code]?.(note) ?? [note.code, note.field, note.detail].filter(Boolean).join(', ');

export const CELL_WORDS: Record<CellMark, string> = {
  a: 'accepted',
  s: 'sending',
  f: 'failed',
  t: 'timed out',
  n: 'no connection',
  r: 'refused',
  d: 'declined',
  m: 'redirect',
  l: 'throttled',
  i: 'interrupted',
  w: 'waiting',
  x: 'not needed',
  p: 'paused',
  '.': 'not tried',
};

/** The cell of a character; anything unknown reads as not tried. */
export const cellMark = (character: string): CellMark =>
  Object.hasOwn(CELL_WORDS, character) ? (character as CellMark) : '.';

/** `Webhooks: 1 failed 503, 2 timed out, 3 failed 500, 4 refused, 5 paused`. */
export function cellsSentence(cells: string, statuses: ReadonlyArray<number | null> = []): string {
  const words = [...cells].map((character, i) => {
    const status = statuses[i];
    return `${i + 1} ${CELL_WORDS[cellMark(character)]}${status === null || status === undefined ? '' : ` ${status}`}`;
  });
  return `Webhooks: ${words.join(', ')}`;
}

/** What an attempt is drawn as: its outcome, with redirects and open ones told apart. */
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

/** `self-signed`, `wrong host`: why a certificate was refused, in a word or two. */
export const certificateReason = (reason: string): string => CERTIFICATE_WORDS[reason]?.short ?? 'not valid';

const CERTIFICATE_WORDS: Record<string, { short: string; what: string }> = {
  self_signed: { short: 'self-signed', what: 'a self-signed certificate' },
  self_signed_in_chain: { short: 'self-signed chain', what: 'a chain with a self-signed certificate' },
  unknown_ca: { short: 'unknown authority', what: 'a certificate of an unknown authority' },
  certificate_expired: { short: 'expired', what: 'an expired certificate' },
  certificate_not_yet_valid: { short: 'not yet valid', what: 'a certificate that is not valid yet' },
  wrong_host: { short: 'wrong host', what: 'a certificate for another host' },
  certificate_invalid: { short: 'bad certificate', what: 'a certificate that is not valid' },
};

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
      return 'Interrupted by a stop';
    default:
      return statusLine(attempt);
  }
}

const statusLine = ({ status, statusText }: { status: number | null; statusText: string }): string =>
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

/** The limit that an attempt had, as far as its record tells: the rule may have changed since. Null when it is not known. */
export function limitOf(attempt: Pick<AttemptView, 'outcome' | 'durationMs'>, timeoutMs: number): number | null {
  const { outcome, durationMs } = attempt;
  if (durationMs === null) return timeoutMs;
  if (outcome === 'timed_out')
    return Math.abs(durationMs - timeoutMs) < 500 ? timeoutMs : Math.max(1, Math.round(durationMs / 1000)) * 1000;
  return durationMs > timeoutMs ? null : timeoutMs;
}

/** What of the delivery rules the words about an attempt depend on. */
export type Policy = Pick<RulesView, 'retryOn' | 'redirects' | 'retryAfter'>;
/** Of the profile "Documented": for places that have no rules at hand. */
const DOCUMENTED: Policy = {
  retryOn: ['failed', 'timed_out', 'no_connection', 'throttled'],
  redirects: 'decline',
  retryAfter: true,
};

/** What happened, why, and what comes next by the present rules, as one line. `timeoutMs` null: the limit is not known. */
export function attemptSentence(
  attempt: Pick<
    AttemptView,
    'outcome' | 'status' | 'statusText' | 'reason' | 'detail' | 'url' | 'durationMs' | 'responseHeaders'
  >,
  timeoutMs: number | null,
  policy: Policy = DOCUMENTED,
): string {
  const { host, hostname } = addressOf(attempt.url);
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
      return 'Interrupted. Hookbench stopped while this request was open; whether it arrived is not known.';
    case 'declined':
      return `Declined with ${line}. 4xx answers are ${retries(policy, 'declined')}.`;
    case 'redirect':
      return `Redirect ${attempt.status}${redirectTarget(attempt.responseHeaders)}. ${redirectNext(policy)}`;
    case 'refused_certificate':
      return `Refused before sending. ${hostname} presents ${CERTIFICATE_WORDS[attempt.reason ?? '']?.what ?? 'a certificate that was refused'}, so no request was sent.`;
    case 'no_connection':
      return `No connection. ${connectionCause(attempt.reason, attempt.detail, host, hostname)}`;
  }
}

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
      return 'The URL is not one that can be called.';
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

/** For servers that send no reason phrase. */
export const STATUS_TEXTS: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export const TYPE_WORDS: Record<CallTypeName, string> = {
  identify: 'identify',
  track: 'track',
  page: 'page',
  screen: 'screen',
  group: 'group',
  alias: 'alias',
  delete: 'delete',
  unknown: 'unknown',
};

/** Who a message is about: the user id, or `anon 5e0c91`, or empty. */
export function userText(row: Pick<MessageRow, 'userId' | 'anonymousId'>): string {
  if (row.userId !== null && row.userId !== '') return row.userId;
  if (row.anonymousId === null || row.anonymousId === '') return '';
  return `anon ${row.anonymousId.slice(0, 6)}`;
}
