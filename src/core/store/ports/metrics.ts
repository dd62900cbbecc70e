/** What the charts keep: counts by the minute, and a bounded look at what is retrying. */
import type { Outcome } from '../../model/vocabulary.ts';
import type { Changes } from './changes.ts';

/** Bucket, count, bucket, count …: only the buckets of a histogram that hold something. */
export type SparseHistogram = readonly number[];

/** Messages by the minute (since the epoch) of their receipt. */
export interface MinuteRow {
  readonly minute: number;
  readonly received: number;
  readonly notSelected: number;
  readonly rejected: number;
  readonly firstRound: number;
  readonly retried: number;
  readonly delivered: number;
  readonly failed: number;
  readonly expired: number;
  readonly stopped: number;
  readonly repeats: number;
  /** By reason. */
  readonly rejectedBy: Readonly<Record<string, number>>;
  readonly notSelectedBy: Readonly<Record<string, number>>;
  readonly deliveryMs: SparseHistogram;
}

/** A webhook as it was called and where it led; slot 0 when that is not known any more. */
export interface MetricWebhookRow {
  readonly id: number;
  readonly webhookId: number;
  readonly slot: number;
  readonly name: string;
  readonly url: string;
}

/** Attempts of one webhook by the minute of their start. */
export interface AttemptsRow {
  readonly minute: number;
  /** Id of a {@link MetricWebhookRow}. */
  readonly webhook: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Messages that were delivered without it. */
  readonly missed: number;
  /** By class of limit. */
  readonly answered: readonly number[];
  readonly unanswered: readonly number[];
  readonly responseMs: SparseHistogram;
}

/** A message that waits for another round. Times are of the retry clock. */
export interface RetryingMessage {
  readonly id: number;
  readonly name: string;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  readonly round: number;
  readonly firstAttemptAt: number;
  readonly windowEndsAt: number;
}

/** What is damaged is read as nothing. */
export interface MetricsStore {
  /** From minute `first` on, ascending. */
  minutes(first: number): MinuteRow[];
  /** From minute `first` on, ascending, and by webhook. */
  attempts(first: number): AttemptsRow[];
  /** By id. */
  webhooks(): MetricWebhookRow[];
  /** Drops the unused ones first. */
  saveWebhooks(rows: readonly MetricWebhookRow[], unused: readonly number[], changes: Changes): void;
  /** Takes the place of what was there for this minute. */
  saveMinute(row: MinuteRow, changes: Changes): void;
  /** Takes the place of what was there for this minute and webhook. */
  saveAttempts(row: AttemptsRow, changes: Changes): void;
  /** Drops minutes before `first`, and after `last`: the machine's clock was wrong then. */
  keepOnly(first: number, last: number, changes: Changes): void;
  /** At most `limit` retrying messages that have been tried, oldest first. */
  retrying(limit: number): RetryingMessage[];
  /** When those of these messages were received whose first round a crash ended; the recovery made them due at `dueAt`. */
  recovered(ids: Iterable<number>, dueAt: number): number[];
}
