/** Delivery rules in words, for the card and the page. Pure. */
import type { RulesView } from '../../contract/rules.ts';
import type { DestinationView } from '../../contract/values.ts';
import { formatPercent, formatSpan, plural } from './format.ts';
import { PROFILE_WORDS } from './profiles.ts';
import { editableSpan } from './span.ts';

type Retryable = RulesView['retryOn'][number];

export const OUTCOMES: ReadonlyArray<{ name: Retryable; label: string; about: string; short: string }> = [
  { name: 'failed', label: '5xx answers', about: 'The server failed.', short: '5xx' },
  { name: 'throttled', label: '408 and 429', about: 'The server asks to wait.', short: '408, 429' },
  { name: 'timed_out', label: 'Timeouts', about: 'No complete answer within the limit.', short: 'timeouts' },
  {
    name: 'no_connection',
    label: 'No connection',
    about: 'No listener, no name, reset, not HTTP.',
    short: 'no connection',
  },
  {
    name: 'declined',
    label: 'Other 4xx and 3xx',
    about: 'The server declined the request.',
    short: 'other 4xx and 3xx',
  },
  {
    name: 'refused_certificate',
    label: 'Refused certificates',
    about: 'Nothing was sent. Checked again in each round in any case.',
    short: 'refused certificates',
  },
];

/** `5xx, 408, 429, timeouts`, in one order whatever the rules' own is. */
export function retriedText({ retryOn }: Pick<RulesView, 'retryOn'>): string {
  const words = OUTCOMES.filter(({ name }) => retryOn.includes(name)).map(({ short }) => short);
  return words.length === 0 ? 'nothing: one round only' : words.join(', ');
}

/** `10 s, doubling, at most 20 min, ±20%` / `5 s, 5 min, 30 min and 6 more`. */
export function waitsText({ waitsMs, baseMs, factor, maxMs, jitter }: RulesView['retry']): string {
  const swing = jitter > 0 ? `, ±${formatPercent(jitter, 1)}` : '';
  if (waitsMs !== undefined) return `${listedText(waitsMs)}${waitsMs.length === 0 ? '' : swing}`;
  const growth = factor === 1 ? 'the same each time' : factor === 2 ? 'doubling' : `times ${factor}`;
  return `${formatSpan(baseMs)}, ${growth}, at most ${formatSpan(maxMs)}${swing}`;
}

function listedText(waitsMs: readonly number[]): string {
  if (waitsMs.length === 0) return 'none: one round only';
  const first = waitsMs.slice(0, 4).map(editableSpan).join(', ');
  return waitsMs.length > 4 ? `${first} and ${waitsMs.length - 4} more` : first;
}

const declinedText = ({ retryOn, redirects }: RulesView): string =>
  `${retryOn.includes('declined') ? 'retried' : 'not retried'}, ${redirects === 'follow' ? 'followed' : 'not followed'}`;

const breakerText = ({ breaker }: RulesView): string =>
  breaker === null
    ? 'tried in every round'
    : `left out after ${plural(breaker.errors, 'error')}, for ${formatSpan(breaker.forgetMs)} after the last`;

/** All rules in one line. */
export function ruleFacts(destination: DestinationView): ReadonlyArray<readonly [name: string, fact: string]> {
  return [
    ['Profile', PROFILE_WORDS[destination.profile].name],
    ['Response time limit', formatSpan(destination.timeoutMs)],
    ['Retried', retriedText(destination)],
    ['Waits', waitsText(destination.retry)],
    ['Retry window', `${formatSpan(destination.retry.windowMs)} from the first attempt`],
    ['Retry-After', destination.retryAfter ? 'may lengthen a wait' : 'ignored'],
    ['Message is final', 'when one webhook succeeds'],
    ['Self-signed HTTPS', 'refused before sending'],
    ['4xx and redirects', declinedText(destination)],
    ['Failing webhook', breakerText(destination)],
    ['Signature', destination.signature === 'x-signature' ? 'X-Signature' : 'webhook-signature'],
  ];
}

/** The drawing in one sentence. */
export function scheduleSentence({ schedule }: Pick<DestinationView, 'schedule'>): string {
  const { rounds, windowEndsAt, more } = schedule;
  const last = rounds.at(-1);
  const count = more ? `More than ${plural(rounds.length, 'round')}` : plural(rounds.length, 'round');
  if (last === undefined || rounds.length === 1) return `${count} within ${formatSpan(windowEndsAt)}.`;
  const waits = rounds.slice(1).map(({ at }, i) => at - (rounds[i]?.at ?? 0));
  return `${count} within ${formatSpan(windowEndsAt)}: the first wait is ${formatSpan(waits[0] ?? 0)}, the longest ${formatSpan(Math.max(...waits))}, round ${last.round} starts after ${formatSpan(last.at)}.`;
}
