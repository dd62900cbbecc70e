import type {
  AttemptsRow,
  MetricsStore,
  MetricWebhookRow,
  MinuteRow,
  RetryingMessage,
} from '../../../src/core/store/ports/metrics.ts';
import type { Tables } from './tables.ts';

export class MemoryMetrics implements MetricsStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  minutes(first: number): MinuteRow[] {
    return this.#tables.minutes.where(({ minute }) => minute >= first);
  }

  attempts(first: number): AttemptsRow[] {
    return this.#tables.minuteAttempts
      .where(({ minute }) => minute >= first)
      .sort((a, b) => a.minute - b.minute || a.webhook - b.webhook);
  }

  webhooks(): MetricWebhookRow[] {
    return this.#tables.metricWebhooks.all();
  }

  saveWebhooks(rows: readonly MetricWebhookRow[], unused: readonly number[]): void {
    for (const id of unused) this.#tables.metricWebhooks.delete(id);
    for (const row of rows) this.#tables.metricWebhooks.set(row.id, row);
  }

  saveMinute(row: MinuteRow): void {
    this.#tables.minutes.set(row.minute, row);
  }

  saveAttempts(row: AttemptsRow): void {
    this.#tables.minuteAttempts.set(`${row.minute} ${row.webhook}`, row);
  }

  keepOnly(first: number, last: number): void {
    for (const table of [this.#tables.minutes, this.#tables.minuteAttempts])
      for (const [key, { minute }] of table.entries()) if (minute < first || minute > last) table.delete(key);
  }

  retrying(limit: number): RetryingMessage[] {
    return this.#tables.messages
      .where(({ state }) => state === 'retrying')
      .flatMap(({ id, name, userId, anonymousId, round, firstAttemptAt, windowEndsAt }) =>
        firstAttemptAt === null || windowEndsAt === null
          ? []
          : [{ id, name, userId, anonymousId, round, firstAttemptAt, windowEndsAt }],
      )
      .slice(0, limit);
  }

  recovered(ids: Iterable<number>, dueAt: number): number[] {
    return [...ids].flatMap((id) => {
      const message = this.#tables.messages.get(id);
      if (message?.state !== 'retrying' || message.round !== 1 || message.nextDueAt !== dueAt) return [];
      return [message.receivedAt];
    });
  }
}
