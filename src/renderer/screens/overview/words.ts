/** Texts of the Overview. */
import { FINAL_STATES } from '../../../contract/names.ts';
import { notSendingWords } from '../../../contract/not-sending.ts';
import type {
  AttentionView,
  MessageTotals,
  OverviewRange,
  OverviewView,
  ReasonCount,
} from '../../../contract/overview.ts';
import type { ClockView, ListenerView, MessageStateName, WebhookView } from '../../../contract/values.ts';
import type { GlyphName } from '../../components/glyphs.tsx';
import { clockTime } from '../../lib/clock.ts';
import {
  formatClock,
  formatCount,
  formatDuration,
  formatPercent,
  formatSpan,
  plural,
  upperFirst,
} from '../../lib/format.ts';
import { attemptResult } from '../../lib/words/attempts.ts';
import { certificateReason } from '../../lib/words/certificates.ts';
import { reasonWords } from '../../lib/words/rejections.ts';
import { STATE_ORDER } from '../../lib/words/states.ts';
import type { Route } from '../../stores/route.ts';

export const RANGES: ReadonlyArray<{ value: OverviewRange; label: string }> = [
  { value: '15m', label: '15 min' },
  { value: '1h', label: '1 h' },
  { value: '4h', label: '4 h' },
  { value: 'session', label: 'Session' },
];

/** `in the last hour`. */
export const RANGE_WORDS: Record<OverviewRange, string> = {
  '15m': 'in the last 15 minutes',
  '1h': 'in the last hour',
  '4h': 'in the last 4 hours',
  session: 'in this session',
};

/** `14:07`. */
export const clockMinute = (at: number): string => formatClock(at).slice(0, 5);

/** Small shares matter here: `0.2%`, `6.1%`, `17%`. */
export function formatShare(part: number, whole: number): string {
  const percent = (part / whole) * 100;
  if (part === 0 || percent >= 10) return formatPercent(part, whole);
  return percent < 0.1 ? '<0.1%' : `${percent.toFixed(1)}%`;
}

/** Messages still to be delivered: everything that is not final. */
export const openOf = (counts: MessageTotals): number =>
  counts.received -
  counts.delivered -
  counts.failed -
  counts.expired -
  counts.rejected -
  counts.notSelected -
  counts.stopped;

export const OPEN_STATES = STATE_ORDER.filter((state) => !FINAL_STATES.has(state));

/** A figure of the Overview: `n` messages received in the range that are now in one of `states`. */
export interface Tile {
  readonly label: string;
  /** The state whose glyph stands before the label. */
  readonly state: MessageStateName;
  readonly n: number;
  readonly states: readonly MessageStateName[];
}

/**
 * Each state is in exactly one tile, so that the tiles add up to what was received. Stopped has a tile only when there
 * are any.
 */
export function tilesOf(totals: MessageTotals): Tile[] {
  const { delivered, expired, failed, rejected, notSelected, stopped } = totals;
  const tiles: Tile[] = [
    { label: 'Delivered', state: 'delivered', n: delivered, states: ['delivered'] },
    { label: 'To be delivered', state: 'retrying', n: openOf(totals), states: OPEN_STATES },
    { label: 'Expired or failed', state: 'expired', n: expired + failed, states: ['expired', 'failed'] },
    { label: 'Rejected', state: 'rejected', n: rejected, states: ['rejected'] },
    { label: 'Not selected', state: 'not_selected', n: notSelected, states: ['not_selected'] },
  ];
  return stopped === 0 ? tiles : [...tiles, { label: 'Stopped', state: 'stopped', n: stopped, states: ['stopped'] }];
}

/** The rest of a bar: messages that wait for their first round or were not selected. */
export const restOf = (counts: MessageTotals): number =>
  Math.max(0, counts.received - counts.firstRound - counts.retried - badOf(counts));

export const badOf = ({ expired, failed, rejected }: MessageTotals): number => expired + failed + rejected;

/** `Messages per minute`, `Messages per 4 min`. */
export const perStep = (stepMs: number): string =>
  stepMs === 60_000 ? 'Messages per minute' : `Messages per ${formatSpan(stepMs)}`;

export function minutesSentence(view: OverviewView): string {
  const { totals, bars, range, stepMs } = view;
  const highest = bars.reduce((a, b) => (b.received > a.received ? b : a), bars[0]!);
  const parts = [
    `${perStep(stepMs)} ${RANGE_WORDS[range]}: ${formatCount(totals.received)} received, ${formatCount(totals.firstRound)} delivered first time, ${formatCount(totals.retried)} needed a retry, ${formatCount(badOf(totals))} expired, failed or rejected.`,
  ];
  if (highest.received > 0) parts.push(`The most were ${formatCount(highest.received)} at ${clockMinute(highest.at)}.`);
  return parts.join(' ');
}

export function responseSentence(
  { answers, none, p50Ms, p95Ms }: OverviewView['responseTimes'],
  timeoutMs: number,
): string {
  if (answers + none === 0) return 'Response times. There is no answer yet.';
  const half =
    p50Ms === null || p95Ms === null
      ? ''
      : ` Half of them came within ${formatDuration(p50Ms)}, 95% within ${formatDuration(p95Ms)}.`;
  return `Response times of ${plural(answers, 'answer')}.${half} ${plural(none, 'attempt')} had none within the limit of ${formatSpan(timeoutMs)}.`;
}

export function windowSentence({ retrying, marks, lateFrom, windowMs }: OverviewView['retryWindow']): string {
  if (retrying === 0) return 'Retry window. No message is retrying.';
  const late = marks.filter(({ at }) => at >= lateFrom).reduce((sum, { n }) => sum + n, 0);
  return `${plural(retrying, 'retrying message')} placed in the window of ${formatSpan(windowMs)}. ${late === 0 ? 'None expires soon.' : `${formatCount(late)} ${late === 1 ? 'expires' : 'expire'} soon.`}`;
}

/** `4 too large, 2 bad JSON`. */
export const reasonList = (reasons: readonly ReasonCount[]): string =>
  reasons.map(({ reason, n }) => `${formatCount(n)} ${reasonWords(reason)}`).join(', ');

const NOT_SELECTED_SHORT: Record<string, string> = {
  integrations_off: 'by integrations',
  integrations_all_off: 'by integrations',
  destination_off: 'destination was off',
  source_destination_off: 'by their source',
  no_webhook: 'no webhook then',
  event_off: 'event switched off',
};
export const notSelectedShort = (reasons: readonly ReasonCount[]): string =>
  firstTwo(reasons.map(({ reason }) => NOT_SELECTED_SHORT[reason] ?? reason));

/** `no event name, bad JSON and 2 more reasons`. */
export const rejectedShort = (reasons: readonly ReasonCount[]): string =>
  firstTwo(reasons.map(({ reason }) => reasonWords(reason)));

function firstTwo(words: readonly string[]): string {
  const different = [...new Set(words)];
  const more = different.length - 2;
  const two = different.slice(0, 2).join(', ');
  return more > 0 ? `${two} and ${plural(more, 'more reason')}` : two;
}

/** The action of an item: go somewhere, show some messages, or run a command. */
export type Way =
  | { kind: 'route'; label: string; route: Route }
  | { kind: 'states'; label: string; states: MessageStateName[] }
  | { kind: 'listen'; label: string }
  | { kind: 'resume'; label: string };

export interface AttentionWords {
  readonly glyph: GlyphName;
  readonly title: string;
  readonly body: string;
  readonly way: Way | null;
}

export interface AttentionScene {
  readonly webhooks: readonly WebhookView[];
  readonly clock: ClockView;
  readonly now: number;
  readonly range: OverviewRange;
}

/** Null when the webhook was removed meanwhile. */
export function attentionWords(item: AttentionView, scene: AttentionScene): AttentionWords | null {
  switch (item.kind) {
    case 'store_not_writable':
      return {
        glyph: 'failed',
        title: 'The store cannot be written',
        body: 'New calls get 503 and delivery has stopped. Free some space on the disk.',
        way: null,
      };
    case 'not_listening':
      return {
        glyph: 'rejected',
        title: 'No events can arrive',
        body: listenerCause(item.state, item.port, item.holder),
        way: { kind: 'listen', label: 'Try again' },
      };
    case 'delivery_paused':
      return { glyph: 'paused', ...pausedWords(item) };
    case 'certificate_refused':
    case 'webhook_failing':
      return webhookWords(item, scene);
    case 'expiring':
      return {
        glyph: 'expired',
        title: expiringTitle(item, scene),
        body: `${item.name}${item.userId === null ? '' : ` for ${item.userId}`}, ${plural(item.rounds, 'round')}.`,
        way: {
          kind: 'route',
          label: 'Open message',
          route: { screen: 'live', messageId: item.id, tab: 'attempts', full: false },
        },
      };
    case 'ended':
      return {
        glyph: item.expired > 0 ? 'expired' : 'failed',
        title: [
          item.expired > 0 && `${plural(item.expired, 'message')} expired`,
          item.failed > 0 && `${item.expired > 0 ? formatCount(item.failed) : plural(item.failed, 'message')} failed`,
        ]
          .filter(Boolean)
          .join(', '),
        body: 'No webhook accepted them. They can still be replayed.',
        way: { kind: 'states', label: 'Show them', states: ['expired', 'failed'] },
      };
    case 'rejected':
      return {
        glyph: 'rejected',
        title: `${plural(item.count, 'message')} rejected`,
        body: `${reasonList(item.reasons)}.`,
        way: { kind: 'states', label: 'Show rejected', states: ['rejected'] },
      };
  }
}

function listenerCause(state: ListenerView['state'], port: number, holder: string | null): string {
  if (state === 'port_in_use') return `Port ${port} is in use${holder === null ? '' : ` by ${holder}`}.`;
  return state === 'failed' ? `Port ${port} cannot be opened.` : 'Hookbench is not listening.';
}

const toWebhooks = (label: string, slot: number | null = null): Way => ({
  kind: 'route',
  label,
  route: { screen: 'webhooks', slot },
});

function pausedWords({
  why,
  waiting,
}: Extract<AttentionView, { kind: 'delivery_paused' }>): Omit<AttentionWords, 'glyph'> {
  const wait = waiting === 0 ? '' : ` ${plural(waiting, 'message waits', 'messages wait')}.`;
  switch (why) {
    case 'secret_unreadable':
      return {
        title: 'Delivery is paused',
        body: `The shared secret cannot be read, and nothing is sent unsigned.${wait}`,
        way: toWebhooks('Set the secret again'),
      };
    case 'destination_off':
      return { title: 'The destination is off', body: wait.trim(), way: toWebhooks('Open Webhooks') };
    case 'webhooks_off':
      return { title: 'No webhook is on', body: wait.trim(), way: toWebhooks('Open Webhooks') };
    case 'by_person':
      return {
        title: 'Delivery is paused by you',
        body: wait.trim(),
        way: { kind: 'resume', label: 'Resume delivery' },
      };
    default:
      return {
        title: 'Nothing is sent',
        body: `${upperFirst(notSendingWords[why].clause)}.${wait}`,
        way: why === 'headers_unreadable' || why === 'no_webhook' ? toWebhooks('Open Webhooks') : null,
      };
  }
}

function webhookWords(
  item: Extract<AttentionView, { kind: 'certificate_refused' | 'webhook_failing' }>,
  { webhooks, range }: AttentionScene,
): AttentionWords | null {
  const webhook = webhooks.find(({ id }) => id === item.webhookId);
  if (webhook === undefined) return null;
  const name = webhook.name === '' ? `Webhook ${webhook.slot}` : webhook.name;
  const way = toWebhooks('Open webhook', webhook.slot);
  if (item.kind === 'certificate_refused') {
    const reason = item.reason === null ? '' : `Certificate: ${certificateReason(item.reason)}. `;
    return {
      glyph: 'refused_certificate',
      title: `${name} is refused`,
      body: `${reason}${plural(item.notSent, 'request')} not sent.`,
      way,
    };
  }
  const last = attemptResult({ outcome: item.outcome, status: item.status, statusText: '', reason: item.reason });
  return {
    glyph: 'failed',
    title: `${name} accepts nothing`,
    body: `${plural(item.attempts, 'attempt')} ${RANGE_WORDS[range]}, none accepted. The last one: ${last}.`,
    way,
  };
}

/** Whole minutes on the retry clock. The text names the speed, so that nobody takes them for real minutes. */
function expiringTitle(item: Extract<AttentionView, { kind: 'expiring' }>, { clock, now }: AttentionScene): string {
  const left = Math.max(0, item.expiresAt - clockTime(clock, now));
  const span = left < 60_000 ? 'within a minute' : `in ${formatSpan(Math.floor(left / 60_000) * 60_000)}`;
  const onClock = clock.speed === 1 && !clock.paused ? '' : ' on the retry clock';
  return item.count === 1
    ? `1 message expires ${span}${onClock}`
    : `${formatCount(item.count)} messages expire soon, the first ${span}${onClock}`;
}
