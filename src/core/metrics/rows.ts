/** Minutes to rows of the store and back. */

import { OUTCOMES } from '../model/vocabulary.ts';
import type { AttemptsRow, MetricsStore, MinuteRow } from '../store/metrics.ts';
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

export function saveMinutes(store: MetricsStore, minutes: readonly Minute[]): void {
  for (const { minute, messages, webhooks } of minutes) {
    store.saveMinute(minuteRow(minute, messages));
    for (const [webhook, counts] of webhooks) store.saveAttempts(attemptsRow(minute, webhook, counts));
  }
}

function toMessages(row: MinuteRow): MessageCounts {
  const counts = new MessageCounts();
  counts.received = row.received;
  counts.notSelected = row.not_selected;
  counts.rejected = row.rejected;
  counts.firstRound = row.first_round;
  counts.retried = row.retried;
  counts.delivered = row.delivered;
  counts.failed = row.failed;
  counts.expired = row.expired;
  counts.stopped = row.stopped;
  counts.repeats = row.repeats;
  readMap(row.rejected_by, counts.rejectedBy);
  readMap(row.not_selected_by, counts.notSelectedBy);
  readSparse(row.delivery_ms, counts.deliveryMs);
  return counts;
}

const minuteRow = (minute: number, counts: MessageCounts): MinuteRow => ({
  minute,
  received: counts.received,
  not_selected: counts.notSelected,
  rejected: counts.rejected,
  first_round: counts.firstRound,
  retried: counts.retried,
  delivered: counts.delivered,
  failed: counts.failed,
  expired: counts.expired,
  stopped: counts.stopped,
  repeats: counts.repeats,
  rejected_by: JSON.stringify(Object.fromEntries(counts.rejectedBy)),
  not_selected_by: JSON.stringify(Object.fromEntries(counts.notSelectedBy)),
  delivery_ms: sparse(counts.deliveryMs),
});

function toAttempts(row: AttemptsRow): AttemptCounts {
  const counts = new AttemptCounts();
  for (const [i, outcome] of OUTCOMES.entries()) counts.outcomes[i] = row[outcome];
  counts.missed = row.missed;
  counts.answered.set(JSON.parse(row.answered) as number[]);
  counts.unanswered.set(JSON.parse(row.unanswered) as number[]);
  readSparse(row.response_ms, counts.responseMs);
  return counts;
}

const attemptsRow = (minute: number, webhook: number, counts: AttemptCounts): AttemptsRow => ({
  minute,
  webhook,
  accepted: counts.count('accepted'),
  failed: counts.count('failed'),
  timed_out: counts.count('timed_out'),
  no_connection: counts.count('no_connection'),
  refused_certificate: counts.count('refused_certificate'),
  declined: counts.count('declined'),
  throttled: counts.count('throttled'),
  interrupted: counts.count('interrupted'),
  missed: counts.missed,
  answered: JSON.stringify([...counts.answered]),
  unanswered: JSON.stringify([...counts.unanswered]),
  response_ms: sparse(counts.responseMs),
});

function sparse(histogram: Uint32Array): string {
  const pairs: number[] = [];
  for (const [bucket, n] of histogram.entries()) if (n > 0) pairs.push(bucket, n);
  return JSON.stringify(pairs);
}

function readSparse(text: string, histogram: Uint32Array): void {
  const pairs = JSON.parse(text) as number[];
  for (let i = 0; i + 1 < pairs.length; i += 2) histogram[pairs[i]!] = pairs[i + 1]!;
}

function readMap(text: string, counts: Map<string, number>): void {
  for (const [key, n] of Object.entries(JSON.parse(text) as Record<string, number>)) counts.set(key, n);
}
