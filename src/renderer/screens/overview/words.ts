/** Texts of the Overview's figures and pictures. */
import { FINAL_STATES } from '../../../contract/names.ts';
import type { MessageTotals, OverviewRange, OverviewView, ReasonCount } from '../../../contract/overview.ts';
import type { MessageStateName } from '../../../contract/values.ts';
import { formatClock, formatCount, formatDuration, formatPercent, formatSpan, plural } from '../../lib/format.ts';
import { reasonWords } from '../../lib/words/rejections.ts';
import { STATE_ORDER } from '../../lib/words/states.ts';

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

/** `4 too large, 2 bad JSON, 3 of a suppressed user`: the numbers count calls. */
export const reasonList = (reasons: readonly ReasonCount[]): string =>
  reasons.map(({ reason, n }) => `${formatCount(n)} ${countedWords(reason)}`).join(', ');

const countedWords = (reason: string): string =>
  reason === 'user_suppressed' ? `of a ${reasonWords(reason)}` : reasonWords(reason);

const NOT_SELECTED_SHORT: Record<string, string> = {
  integrations_off: 'by integrations',
  integrations_all_off: 'by integrations',
  destination_off: 'destination was off',
  source_destination_off: 'by their source',
  no_webhook: 'no webhook then',
  event_off: 'event switched off',
  imported: 'imported from a file',
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
