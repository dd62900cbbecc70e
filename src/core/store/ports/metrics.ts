/** What the charts need: counts by minute, and a bounded list of retrying messages. */
import type { Outcome } from '../../model/vocabulary.ts';
import type { Changes } from './changes.ts';

/** Bucket, count, bucket, count …, without the empty buckets of the histogram. */
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

/** A webhook by the name and URL that it had; slot 0 when the slot is no longer known. */
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
  /** Messages that were delivered but not to this webhook. */
  readonly missed: number;
  /** By class of limit. */
  readonly answered: readonly number[];
  readonly unanswered: readonly number[];
  readonly responseMs: SparseHistogram;
}

/** A message that waits for another round. Times are retry-clock time. */
export interface RetryingMessage {
  readonly id: number;
  readonly name: string;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  readonly round: number;
  readonly firstAttemptAt: number;
  readonly windowEndsAt: number;
}

/** Damaged rows are left out. */
export interface MetricsStore {
  /** From minute `first` on, ascending. */
  minutes(first: number): MinuteRow[];
  /** From minute `first` on, ascending, and by webhook. */
  attempts(first: number): AttemptsRow[];
  /** By id. */
  webhooks(): MetricWebhookRow[];
  /** Drops the unused ones first. */
  saveWebhooks(rows: readonly MetricWebhookRow[], unused: readonly number[], changes: Changes): void;
  /** Replaces the row of this minute. */
  saveMinute(row: MinuteRow, changes: Changes): void;
  /** Replaces the row of this minute and webhook. */
  saveAttempts(row: AttemptsRow, changes: Changes): void;
  /**
   * Drops minutes before `first`. Also drops minutes after `last`, which exist only because the machine's clock was
   * wrong.
   */
  keepOnly(first: number, last: number, changes: Changes): void;
  /** At most `limit` retrying messages that have been tried, oldest first. */
  retrying(limit: number): RetryingMessage[];
  /** Receipt times of those of these messages whose first round a crash ended. Recovery made them due at `dueAt`. */
  recovered(ids: Iterable<number>, dueAt: number): number[];
}
