/** Texts for programs, requests and verdicts of the receivers screen. Pure. */
import type {
  HitOutcome,
  HitSender,
  HitView,
  ReceiverResponse,
  ReceiverStep,
  ReceiversView,
  ReceiverView,
  SignatureVerdict,
} from '../../../contract/receivers.ts';
import type { WebhookView } from '../../../contract/values.ts';
import { formatCount, formatDuration, formatSize, formatTime, plural, upperFirst } from '../../lib/format.ts';
import { ATTEMPT_WORDS, type AttemptKind } from '../../lib/words/attempts.ts';
import { STATUS_TEXTS } from '../../lib/words/status-texts.ts';

/** How our own delivery classifies a status. */
function kindOfStatus(status: number): AttemptKind {
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 408 || status === 429) return 'throttled';
  if (status >= 300 && status < 400) return 'redirect';
  if (status >= 500 && status < 600) return 'failed';
  return status < 600 ? 'declined' : 'no_connection';
}

/** How our own delivery classifies a response. */
export function responseKind(response: ReceiverResponse): AttemptKind {
  switch (response.kind) {
    case 'status':
    case 'redirect':
    case 'endless':
      return kindOfStatus(response.status);
    case 'throttle':
      return 'throttled';
    case 'hang':
      return 'timed_out';
    case 'drip':
      return response.part === 'head' ? 'timed_out' : kindOfStatus(response.status);
    case 'reset_during':
      return response.part === 'head' ? 'no_connection' : 'accepted';
    case 'reset':
    case 'close':
    case 'huge_headers':
    case 'invalid_http':
      return 'no_connection';
  }
}

/** How a request is drawn. */
export function hitKind({ status, answer }: HitOutcome): AttemptKind {
  if (answer === 'huge_headers' || answer === 'invalid_http') return 'no_connection';
  if (status !== null) return kindOfStatus(status);
  return answer === 'hang' || answer === 'drip' || answer === 'status' ? 'timed_out' : 'no_connection';
}

export const statusText = (status: number): string => `${status} ${STATUS_TEXTS[status] ?? ''}`.trim();

const PARTS = { head: 'headers', body: 'body' } as const;
const INVALID = {
  banner: 'Not HTTP: a banner',
  bad_status: 'Not HTTP: a bad status line',
  two_lengths: 'Not HTTP: two lengths',
  bad_header: 'Not HTTP: a bad header',
} as const;

/** One step's response in full: `500 Internal Server Error`, `Hold open for 30 s`. */
export function responseText(response: ReceiverResponse): string {
  switch (response.kind) {
    case 'status':
      return statusText(response.status);
    case 'redirect':
      return `${response.status} to ${response.location}`;
    case 'throttle':
      return `429, Retry-After ${response.retryAfter}`;
    case 'hang':
      return `Hold open for ${seconds(response.holdMs)}`;
    case 'reset':
      return 'Reset before the answer';
    case 'reset_during':
      return `Reset in the ${PARTS[response.part]}`;
    case 'close':
      return 'Close without an answer';
    case 'drip':
      return `Drip the ${PARTS[response.part]}, ${formatCount(response.bytesPerSecond)} B/s`;
    case 'endless':
      return `${response.status} with an endless body`;
    case 'huge_headers':
      return `Headers of ${formatSize(response.bytes)}`;
    case 'invalid_http':
      return INVALID[response.variant];
  }
}

const SECONDS = new Intl.NumberFormat('en', { maximumFractionDigits: 3, useGrouping: false });

/** `30 s`, `3.2 s`, `40 ms`. */
export const seconds = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${SECONDS.format(ms / 1_000)} s`);

const shortText = (response: ReceiverResponse): string =>
  response.kind === 'status' ? String(response.status) : lowerFirst(responseText(response));
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const TIMES = ['', '', 'twice', 'three times', 'four times', 'five times'] as const;
function timesText(times: ReceiverStep['times']): string {
  if (times === 'forever') return ' for ever';
  if (times === 1) return '';
  return ` ${TIMES[times] ?? `${formatCount(times)} times`}`;
}

/** Waits below this are not worth a word in the list. */
const NOTABLE_MS = 1_000;
const MAX_NAMED_STEPS = 2;

/** The list's column: `Respond 200`, `500 three times, then 200`, `Respond 200 after 3.2 s`. */
export function behaviourText({ steps, check, tls }: Pick<ReceiverView, 'steps' | 'check' | 'tls'>): string {
  if (check.on && check.secret === 'wrong' && check.onMismatch === 'reject') return 'Replies 401 to every digest';
  const [first] = steps;
  if (first === undefined) return '';
  const plain = steps.length === 1 ? oneStep(first) : manySteps(steps);
  return tls ? (isPlainOk(steps) ? 'HTTPS, self-signed certificate' : `HTTPS, ${lowerFirst(plain)}`) : plain;
}

const isPlainOk = (steps: readonly ReceiverStep[]): boolean =>
  steps.length === 1 && steps[0]!.response.kind === 'status' && steps[0]!.response.status === 200;

function oneStep({ response, delayMs }: ReceiverStep): string {
  const after = delayMs >= NOTABLE_MS ? ` after ${seconds(delayMs)}` : '';
  return `${response.kind === 'status' ? `Respond ${response.status}` : responseText(response)}${after}`;
}

function manySteps(steps: readonly ReceiverStep[]): string {
  const named = steps.length > MAX_NAMED_STEPS + 1 ? steps.slice(0, MAX_NAMED_STEPS) : steps;
  const more = steps.length - named.length;
  const texts = named.map(({ response, times }) => `${shortText(response)}${timesText(times)}`);
  if (more > 0) texts.push(plural(more, 'more step'));
  return upperFirst(texts.join(', then '));
}

/** The glyph of the list's column. */
export function behaviourKind({ steps, check, tls }: Pick<ReceiverView, 'steps' | 'check' | 'tls'>): AttemptKind {
  if (tls) return 'refused_certificate';
  if (check.on && check.secret === 'wrong' && check.onMismatch === 'reject') return 'declined';
  return steps[0] === undefined ? 'declined' : responseKind(steps[0].response);
}

/** The position in the sequence: `now at step 1, 2 of 3`. */
export function positionText({ steps, position }: Pick<ReceiverView, 'steps' | 'position'>): string {
  const times = steps[position.step]?.times ?? 1;
  const of = times === 'forever' ? '' : ` of ${formatCount(times)}`;
  return `now at step ${position.step + 1}, ${formatCount(position.hit + 1)}${of}`;
}

export const VERDICT_WORDS: Record<SignatureVerdict, { word: string; about: string }> = {
  verified: { word: 'Verified', about: 'X-Signature is the digest of the bytes received.' },
  mismatch: { word: 'Mismatch', about: 'The digest does not match this body and secret.' },
  unsigned: { word: 'Unsigned', about: 'There is a shared secret, and the request has no X-Signature.' },
  no_secret: { word: 'No secret', about: 'The destination has no shared secret, so nothing can be checked.' },
};

/** Why a request leads to no attempt. */
export const SENDER_WORDS: Record<Exclude<HitSender['by'], 'attempt'>, string> = {
  removed: 'An attempt of a message that is no longer stored.',
  elsewhere: 'Another program, not this Hookbench.',
  unknown: 'Not known any more. Receivers remember the attempts of their newest requests only.',
};

const ANSWER_WORDS: Record<HitOutcome['answer'], string> = {
  status: 'Left',
  redirect: 'Left',
  throttle: 'Left',
  hang: 'Held',
  reset: 'Reset',
  reset_during: 'Reset',
  close: 'Closed',
  drip: 'Drip',
  endless: 'Endless',
  huge_headers: 'Large',
  invalid_http: 'Invalid',
  signature: '401',
  limit: '413',
};

/** The log's column: the status, or one word for a fault. */
export function hitStatusText({ status, answer }: HitOutcome): string {
  if (answer === 'huge_headers' || answer === 'invalid_http') return ANSWER_WORDS[answer];
  return status === null ? ANSWER_WORDS[answer] : String(status);
}

/** Why the answer was what it was, in a sentence. */
export function answerText(hit: HitView): string {
  const gone = hit.gone ? ' The sender went away before it was whole.' : '';
  if (hit.answer === 'signature') return `Replied 401 because the signature did not verify.${gone}`;
  if (hit.answer === 'limit') return `Replied 413 because the body is over 1 MB.${gone}`;
  if (hit.durationMs === null) return 'Being answered.';
  const what = hit.status === null ? ATTEMPT_WORDS[hitKind(hit)].word : statusText(hit.status);
  return `Answered by the program: ${what}, ${formatDuration(hit.durationMs)}.${gone}`;
}

/** What a row of the log shows of a request: the name in its body, else what was asked. */
export const hitName = ({ name, method, path }: HitView): string => (name === '' ? `${method} ${path}` : name);

export const NOT_CHECKED = 'Not checked';

/** A row of the log in words: what it shows, and the kind of call. */
export function hitSentence(hit: HitView): string {
  const verdict = hit.verdict === null ? NOT_CHECKED : VERDICT_WORDS[hit.verdict].word;
  const kind = hit.type === null ? '' : `, ${hit.type}`;
  return `${formatTime(hit.at)} ${hitStatusText(hit)} ${hitName(hit)} ${verdict}${kind}`;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Slots of the webhooks that lead to this receiver, under any name of this machine. */
export function usedBy(url: string | null, webhooks: readonly Pick<WebhookView, 'slot' | 'url'>[]): number[] {
  if (url === null) return [];
  const own = new URL(url);
  return webhooks
    .filter((hook) => {
      if (!URL.canParse(hook.url)) return false;
      const { hostname, protocol, port, pathname } = new URL(hook.url);
      return LOOPBACK.test(hostname) && protocol === own.protocol && port === own.port && pathname === own.pathname;
    })
    .map(({ slot }) => slot);
}

/** `Used by webhook 3`, `Used by webhooks 1 and 3`. */
export function usedByText(slots: readonly number[]): string {
  const last = slots.at(-1);
  return slots.length === 1
    ? `Used by webhook ${last}`
    : `Used by webhooks ${slots.slice(0, -1).join(', ')} and ${last}`;
}

/** The header's line: `9 running on localhost:8766`. */
export function runningText({ http, https, entries }: ReceiversView): string {
  if (http.state === 'starting') return 'Starting\u2026';
  const running = entries.filter(({ url }) => url !== null).length;
  if (running === 0) return 'Off';
  return `${running} running on localhost:${http.state === 'listening' ? http.port : https.port}`;
}

/** The next port to offer; 65535 is the last one. */
export const nextPort = (port: number, taken: number): number => {
  const next = port + 2 > 65_535 ? 8_766 : port + 2;
  return next === taken ? next + 2 : next;
};
