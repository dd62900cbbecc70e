/** Turns minutes into rows of the store and back. */

import { OUTCOMES } from '../model/vocabulary.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { AttemptsRow, MetricsStore, MinuteRow, SparseHistogram } from '../store/ports/metrics.ts';
import { AttemptCounts, countsOf, MessageCounts, type Minute, newMinute } from './minute.ts';

/** Every kept minute from `first` on. */
export function loadMinutes(store: MetricsStore, first: number): Minute[] {
  const minutes = new Map<number, Minute>();
  for (const row of store.minutes(first))
    minutes.set(row.minute, { ...newMinute(row.minute), messages: toMessages(row) });
  for (const row of store.attempts(first)) {
    const minute = minutes.get(row.minute) ?? newMinute(row.minute);
    minutes.set(row.minute, minute);
    countsOf(minute.webhooks, row.webhook).add(toAttempts(row));
  }
  return [...minutes.values()];
}

export function saveMinutes(store: MetricsStore, minutes: readonly Minute[], changes: Changes): void {
  for (const { minute, messages, webhooks } of minutes) {
    store.saveMinute(minuteRow(minute, messages), changes);
    for (const [webhook, counts] of webhooks) store.saveAttempts(attemptsRow(minute, webhook, counts), changes);
  }
}

function toMessages({ minute, rejectedBy, notSelectedBy, deliveryMs, ...totals }: MinuteRow): MessageCounts {
  const counts = Object.assign(new MessageCounts(), totals);
  for (const [reason, n] of Object.entries(rejectedBy)) counts.rejectedBy.set(reason, n);
  for (const [reason, n] of Object.entries(notSelectedBy)) counts.notSelectedBy.set(reason, n);
  fill(counts.deliveryMs, deliveryMs);
  return counts;
}

const minuteRow = (minute: number, counts: MessageCounts): MinuteRow => ({
  minute,
  received: counts.received,
  notSelected: counts.notSelected,
  rejected: counts.rejected,
  firstRound: counts.firstRound,
  retried: counts.retried,
  delivered: counts.delivered,
  failed: counts.failed,
  expired: counts.expired,
  stopped: counts.stopped,
  repeats: counts.repeats,
  rejectedBy: Object.fromEntries(counts.rejectedBy),
  notSelectedBy: Object.fromEntries(counts.notSelectedBy),
  deliveryMs: sparse(counts.deliveryMs),
});

function toAttempts({ outcomes, missed, answered, unanswered, responseMs }: AttemptsRow): AttemptCounts {
  const counts = new AttemptCounts();
  for (const [i, outcome] of OUTCOMES.entries()) counts.outcomes[i] = outcomes[outcome];
  counts.missed = missed;
  counts.answered.set(answered);
  counts.unanswered.set(unanswered);
  fill(counts.responseMs, responseMs);
  return counts;
}

const attemptsRow = (minute: number, webhook: number, counts: AttemptCounts): AttemptsRow => ({
  minute,
  webhook,
  outcomes: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, counts.count(outcome)])) as AttemptsRow['outcomes'],
  missed: counts.missed,
  answered: [...counts.answered],
  unanswered: [...counts.unanswered],
  responseMs: sparse(counts.responseMs),
});

function sparse(histogram: Uint32Array): number[] {
  const pairs: number[] = [];
  for (const [bucket, n] of histogram.entries()) if (n > 0) pairs.push(bucket, n);
  return pairs;
}

function fill(histogram: Uint32Array, pairs: SparseHistogram): void {
  for (let i = 0; i + 1 < pairs.length; i += 2) histogram[pairs[i]!] = pairs[i + 1]!;
}
