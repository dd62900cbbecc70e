/** What the Overview draws, from minutes. Pure. */
import type {
  HeadroomView,
  MessageTotals,
  OverviewRange,
  OverviewView,
  ReasonCount,
  ResponseTimes,
  RetryWindowView,
  WebhookAttempts,
} from '../../contract/overview.ts';
import type { OutcomeName } from '../../contract/values.ts';
import { OUTCOMES } from '../model/vocabulary.ts';
import type { RetryingMessage } from '../store/ports/metrics.ts';
import { classesOf, countOf, countOver, DELIVERY_EDGES, quantile, RESPONSE_EDGES } from './histogram.ts';
import { KEPT_MINUTES } from './metrics.ts';
import {
  AttemptCounts,
  countsOf,
  HEADROOM_MS,
  MESSAGE_COUNTS,
  type MessageCount,
  MessageCounts,
  type Minute,
  minuteOf,
} from './minute.ts';
import type { NamedWebhook } from './webhook-names.ts';

const MINUTE_MS = 60_000;

/** The classes that are drawn, in milliseconds; the last one only where a limit allows it. */
const DRAWN_MS = [50, 100, 200, 400, 800, 1_600, 3_200, 5_000];
const LONG_MS = 10_000;

/** A session has at most this many bars, each of one of these widths in minutes. */
const SESSION_BARS = 60;
const SESSION_STEPS = [1, 2, 4, 5, 10, 15, 20, 30];
/** Even a session that has just begun has this many bars. */
const FEWEST_BARS = 15;

/** The last eighth of the window: half an hour of 4 h. */
export const LATE_FROM = 0.875;

/** The positions in the retry window that are distinguished. */
const MARKS = 200;

/** The bars of a range, in minutes since the epoch. */
export interface Span {
  readonly first: number;
  readonly bars: number;
  readonly step: number;
  /** Nothing before this minute is counted. */
  readonly countFrom: number;
  readonly cut: boolean;
}

/** Bars begin at full multiples of their width, so that counts do not move to the next bar every minute. */
export function spanOf(range: OverviewRange, now: number, startedAt: number): Span {
  const last = minuteOf(now);
  if (range !== 'session') {
    const [bars, step] = { '15m': [15, 1], '1h': [60, 1], '4h': [60, 4] }[range] as [number, number];
    const first = (Math.floor(last / step) - bars + 1) * step;
    return { first, bars, step, countFrom: first, cut: false };
  }
  const kept = last - KEPT_MINUTES + 1;
  const start = Math.min(last, Math.max(minuteOf(startedAt), kept));
  const step = SESSION_STEPS.find((minutes) => (last - start) / minutes < SESSION_BARS - 1) ?? 30;
  const bars = Math.max(FEWEST_BARS, Math.floor(last / step) - Math.floor(start / step) + 1);
  const first = (Math.floor(last / step) - bars + 1) * step;
  return { first, bars, step, countFrom: start, cut: minuteOf(startedAt) < kept };
}

export interface Aggregates extends Omit<OverviewView, 'range' | 'retryWindow' | 'attention'> {}

/** Everything that the Overview takes from the minutes of `span`. `webhooks` exist now; counts belong to `named`. */
export function aggregate(
  minutes: Iterable<Minute>,
  span: Span,
  now: number,
  webhooks: readonly NamedWebhook[],
  named: (key: number) => NamedWebhook | undefined,
  timeoutMs: number,
): Aggregates {
  const bars = Array.from({ length: span.bars }, (_, i) => ({
    at: (span.first + i * span.step) * MINUTE_MS,
    ...noMessages(),
  }));
  const messages = new MessageCounts();
  const byWebhook = new Map<number, AttemptCounts>();
  for (const minute of minutes) {
    if (minute.minute < span.countFrom) continue;
    const bar = bars[Math.floor((minute.minute - span.first) / span.step)];
    if (bar !== undefined) addTotals(bar, consistentCounts(minute.messages));
    messages.add(minute.messages);
    for (const [key, counts] of minute.webhooks) countsOf(byWebhook, key).add(counts);
  }
  const all = new AttemptCounts();
  for (const counts of byWebhook.values()) all.add(counts);
  return {
    at: now,
    from: span.first * MINUTE_MS,
    stepMs: span.step * MINUTE_MS,
    cut: span.cut,
    bars,
    totals: bars.reduce(addTotals, noMessages()),
    repeats: messages.repeats,
    rejectedBy: reasonsOf(messages.rejectedBy),
    notSelectedBy: reasonsOf(messages.notSelectedBy),
    deliveryMedianMs: quantile(DELIVERY_EDGES, messages.deliveryMs, 0.5),
    webhooks: webhookLines(byWebhook, webhooks, named),
    responseTimes: responseTimes(all, timeoutMs),
  };
}

const noMessages = (): MessageTotals =>
  Object.fromEntries(MESSAGE_COUNTS.map((name) => [name, 0])) as unknown as MessageTotals;

function addTotals<T extends MessageTotals>(totals: T, counts: Readonly<Record<MessageCount, number>>): T {
  for (const name of MESSAGE_COUNTS) totals[name] += counts[name];
  return totals;
}

/**
 * A minute made consistent: every message that ended was also received. A crash loses the last second of the counts,
 * so it may have kept an end whose beginning it lost.
 */
function consistentCounts(counts: MessageCounts): Readonly<Record<MessageCount, number>> {
  const { notSelected, rejected, delivered, failed, expired, stopped } = counts;
  const ended = notSelected + rejected + delivered + failed + expired + stopped;
  return counts.received >= ended ? counts : { ...counts, received: ended };
}

const reasonsOf = (counts: ReadonlyMap<string, number>): ReasonCount[] =>
  [...counts].map(([reason, n]) => ({ reason, n })).sort((a, b) => b.n - a.n || (a.reason < b.reason ? -1 : 1));

const isSame = (a: NamedWebhook, b: NamedWebhook): boolean =>
  a.id === b.id && a.slot === b.slot && a.name === b.name && a.url === b.url;

/** Every webhook that exists, with or without attempts, and every webhook that was tried before. */
function webhookLines(
  byKey: ReadonlyMap<number, AttemptCounts>,
  webhooks: readonly NamedWebhook[],
  named: (key: number) => NamedWebhook | undefined,
): WebhookAttempts[] {
  const counted = [...byKey]
    .sort(([a], [b]) => b - a)
    .flatMap(([key, counts]) => {
      const webhook = named(key);
      return webhook === undefined ? [] : [{ webhook, counts }];
    });
  const now = webhooks.map((webhook) => {
    const counts = counted.find((one) => isSame(one.webhook, webhook))?.counts ?? new AttemptCounts();
    return webhookAttempts(webhook, counts, true);
  });
  const before = counted
    .filter(({ webhook }) => !webhooks.some((one) => isSame(one, webhook)))
    .map(({ webhook, counts }) => webhookAttempts(webhook, counts, false));
  return [...now, ...before].sort((a, b) => (a.slot || 9) - (b.slot || 9));
}

const webhookAttempts = (
  { id: webhookId, slot, name, url }: NamedWebhook,
  counts: AttemptCounts,
  isNow: boolean,
): WebhookAttempts => ({
  webhookId,
  slot,
  name,
  url,
  isNow,
  attempts: counts.attempts,
  outcomes: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, counts.count(outcome)])) as Record<
    OutcomeName,
    number
  >,
  headroom: headroomOf(counts),
  missed: counts.missed,
});

/** Under a limit of 5 s nobody knows what would have arrived within 10 s, so that share is unknown, not 0. */
export function headroomOf(counts: AttemptCounts): HeadroomView {
  const reaching = (list: Uint32Array, classes: number): number => countOf(list.subarray(classes + 1));
  return {
    answers: countOf(counts.responseMs),
    p50Ms: quantile(RESPONSE_EDGES, counts.responseMs, 0.5),
    p95Ms: quantile(RESPONSE_EDGES, counts.responseMs, 0.95),
    over: HEADROOM_MS.map((ms, i) => {
      const none = reaching(counts.unanswered, i);
      const of = reaching(counts.answered, i) + none;
      return { ms, of, n: of === 0 ? null : countOver(RESPONSE_EDGES, counts.responseMs, ms) + none };
    }),
  };
}

/**
 * Eight classes. A ninth and the open end appear only where the limit, or an answer under an earlier limit, goes
 * further.
 */
function responseTimes(counts: AttemptCounts, timeoutMs: number): ResponseTimes {
  const over = (ms: number): number => countOver(RESPONSE_EDGES, counts.responseMs, ms);
  const limits = timeoutMs > 5_000 || over(5_000) > 0 ? [...DRAWN_MS, LONG_MS] : DRAWN_MS;
  const inClasses = classesOf(RESPONSE_EDGES, counts.responseMs, limits);
  const classes = limits.map((upToMs, i): { upToMs: number | null; n: number } => ({ upToMs, n: inClasses[i]! }));
  if (timeoutMs > LONG_MS || over(LONG_MS) > 0) classes.push({ upToMs: null, n: over(LONG_MS) });
  return {
    classes,
    none: countOf(counts.unanswered),
    answers: countOf(counts.responseMs),
    p50Ms: quantile(RESPONSE_EDGES, counts.responseMs, 0.5),
    p95Ms: quantile(RESPONSE_EDGES, counts.responseMs, 0.95),
  };
}

/** `rows` are retrying messages, at most as many as the reader looks at; `clockNow` is retry-clock time. */
export function retryWindow(
  rows: readonly RetryingMessage[],
  retrying: number,
  clockNow: number,
  windowMs: number,
): RetryWindowView {
  const marks = new Map<number, { at: number; n: number; id: number }>();
  for (const row of rows) {
    const at = placeInWindow(row, clockNow);
    const place = Math.round(at * MARKS);
    const mark = marks.get(place);
    if (mark === undefined) marks.set(place, { at, n: 1, id: row.id });
    else mark.n += 1;
  }
  return {
    windowMs,
    retrying: Math.max(retrying, rows.length),
    shown: rows.length,
    lateFrom: LATE_FROM,
    marks: [...marks.values()].sort((a, b) => a.at - b.at),
  };
}

/** 0 at the first attempt, 1 at the end of the message's own window. */
export function placeInWindow(row: RetryingMessage, clockNow: number): number {
  const length = row.windowEndsAt - row.firstAttemptAt;
  if (length <= 0) return 1;
  return Math.min(1, Math.max(0, (clockNow - row.firstAttemptAt) / length));
}
