/** The counts of one minute, and how minutes merge. Counts never go below 0. */
import type { AttemptResult } from '../model/attempt.ts';
import { OUTCOMES, type Outcome } from '../model/vocabulary.ts';
import { bucketOf, DELIVERY_EDGES, mergeInto, newHistogram, RESPONSE_EDGES } from './histogram.ts';

/** Minutes since the epoch of a wall time in epoch milliseconds. */
export const minuteOf = (wall: number): number => Math.floor(wall / 60_000);

/** Counts of messages by the minute in which they were received. */
export const MESSAGE_COUNTS = [
  'received',
  'notSelected',
  'rejected',
  /** Delivered in the first round. */
  'firstRound',
  /** The first round did not deliver it: it is retrying, was delivered later, or was stopped. */
  'retried',
  'delivered',
  'failed',
  'expired',
  'stopped',
] as const;
export type MessageCount = (typeof MESSAGE_COUNTS)[number];

export class MessageCounts {
  received = 0;
  notSelected = 0;
  rejected = 0;
  firstRound = 0;
  retried = 0;
  delivered = 0;
  failed = 0;
  expired = 0;
  stopped = 0;
  /** Repeats of stored calls, by the minute in which the repeat was received. They are in no other count. */
  repeats = 0;
  /** By reason code. */
  readonly rejectedBy = new Map<string, number>();
  readonly notSelectedBy = new Map<string, number>();
  /** Milliseconds from receipt to the first 2xx. */
  readonly deliveryMs = newHistogram(DELIVERY_EDGES);

  add(other: MessageCounts): void {
    for (const name of MESSAGE_COUNTS) this[name] += other[name];
    this.repeats += other.repeats;
    for (const [reason, n] of other.rejectedBy) addTo(this.rejectedBy, reason, n);
    for (const [reason, n] of other.notSelectedBy) addTo(this.notSelectedBy, reason, n);
    mergeInto(this.deliveryMs, other.deliveryMs);
  }

  /** Takes back a count that turned out wrong. A count that a crash lost is not taken back again. */
  take(name: MessageCount, n = 1): void {
    this[name] = Math.max(0, this[name] - n);
  }
}

/** The limits that the answers of a receiver are compared with, in milliseconds: those that people set most. */
export const HEADROOM_MS = [4_000, 5_000, 10_000] as const;

/** How early or late a timer may be, in milliseconds. */
const TIMER_SLACK_MS = 100;

/** Counts of one webhook's attempts by the minute in which they started. */
export class AttemptCounts {
  /** As {@link OUTCOMES}. */
  readonly outcomes = new Uint32Array(OUTCOMES.length);
  /** Complete answers, by how many of {@link HEADROOM_MS} were within the limit in force. */
  readonly answered = new Uint32Array(HEADROOM_MS.length + 1);
  /** Time-outs, in the same classes. */
  readonly unanswered = new Uint32Array(HEADROOM_MS.length + 1);
  /** Durations of the complete answers. */
  readonly responseMs = newHistogram(RESPONSE_EDGES);
  /** Messages that another webhook delivered and this one never accepted, by the minute in which they were received. */
  missed = 0;

  /** Counts an attempt that ended under a limit of `limitMs`. */
  record({ outcome, durationMs }: Pick<AttemptResult, 'outcome' | 'durationMs'>, limitMs: number): void {
    this.outcomes[OUTCOMES.indexOf(outcome)]! += 1;
    // If the limit changed while the attempt was open, its duration says more than the setting.
    if (outcome === 'timed_out') this.unanswered[reached(durationMs + TIMER_SLACK_MS)]! += 1;
    else if (isAnswer(outcome)) {
      this.answered[reached(Math.max(limitMs, durationMs))]! += 1;
      this.responseMs[bucketOf(RESPONSE_EDGES, durationMs)]! += 1;
    }
  }

  get attempts(): number {
    return this.outcomes.reduce((sum, n) => sum + n, 0);
  }

  count(outcome: Outcome): number {
    return this.outcomes[OUTCOMES.indexOf(outcome)]!;
  }

  add(other: AttemptCounts): void {
    mergeInto(this.outcomes, other.outcomes);
    mergeInto(this.answered, other.answered);
    mergeInto(this.unanswered, other.unanswered);
    mergeInto(this.responseMs, other.responseMs);
    this.missed += other.missed;
  }
}

export interface Minute {
  readonly minute: number;
  readonly messages: MessageCounts;
  /** By the key of a webhook's name at the time (webhook-names.ts). */
  readonly webhooks: Map<number, AttemptCounts>;
}

export const newMinute = (minute: number): Minute => ({
  minute,
  messages: new MessageCounts(),
  webhooks: new Map(),
});

export function addTo(counts: Map<string, number>, key: string, n: number): void {
  const now = (counts.get(key) ?? 0) + n;
  if (now > 0) counts.set(key, now);
  else counts.delete(key);
}

/** The counts of a webhook, made if it has none yet. */
export function countsOf(webhooks: Map<number, AttemptCounts>, key: number): AttemptCounts {
  const found = webhooks.get(key);
  if (found !== undefined) return found;
  const made = new AttemptCounts();
  webhooks.set(key, made);
  return made;
}

function isAnswer(outcome: Outcome): boolean {
  return outcome === 'accepted' || outcome === 'failed' || outcome === 'declined' || outcome === 'throttled';
}

/** How many of {@link HEADROOM_MS} a limit of `ms` reaches. */
function reached(ms: number): number {
  let n = 0;
  while (n < HEADROOM_MS.length && ms >= HEADROOM_MS[n]!) n += 1;
  return n;
}
