/** The charts' counts by minute, and retrying messages. */
import type { Outcome } from '../model/vocabulary.ts';
import { OUTCOMES } from '../model/vocabulary.ts';
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import { RARE_STATE } from './migrations.ts';
import type { Changes } from './ports/changes.ts';
import type { AttemptsRow, MetricsStore, MetricWebhookRow, MinuteRow, RetryingMessage } from './ports/metrics.ts';
import { columns, replaceInto, Writes } from './statements.ts';

const MINUTE = [
  'minute',
  'received',
  'notSelected',
  'rejected',
  'firstRound',
  'retried',
  'delivered',
  'failed',
  'expired',
  'stopped',
  'repeats',
  'rejectedBy',
  'notSelectedBy',
  'deliveryMs',
] as const satisfies readonly (keyof MinuteRow)[];
const ATTEMPTS = ['minute', 'webhook', ...OUTCOMES, 'missed', 'answered', 'unanswered', 'responseMs'];
const WEBHOOK = ['id', 'webhookId', 'slot', 'name', 'url'] as const satisfies readonly (keyof MetricWebhookRow)[];
const RETRYING = ['id', 'name', 'userId', 'anonymousId', 'round', 'firstAttemptAt', 'windowEndsAt'];

/** The row of a table with its JSON as text. */
type Raw<T, K extends keyof T> = Omit<T, K> & Readonly<Record<K, string>>;
type RawMinute = Raw<MinuteRow, 'rejectedBy' | 'notSelectedBy' | 'deliveryMs'>;
type RawAttempts = Omit<Raw<AttemptsRow, 'answered' | 'unanswered' | 'responseMs'>, 'outcomes'> &
  Readonly<Record<Outcome, number>>;

export class SqliteMetrics extends Writes implements MetricsStore {
  readonly #damage: Damage;

  constructor(db: Db, damage: Damage = untold()) {
    super(db);
    this.#damage = damage;
  }

  readonly #minutes = this.query<{ first: number }, RawMinute>(
    `SELECT ${columns(MINUTE)} FROM metric_minutes WHERE minute >= @first ORDER BY minute`,
  );

  minutes(first: number): MinuteRow[] {
    return this.#read(() => this.#minutes.all({ first })).map(({ rejectedBy, notSelectedBy, deliveryMs, ...row }) => ({
      ...row,
      rejectedBy: this.#parsed(rejectedBy, {}),
      notSelectedBy: this.#parsed(notSelectedBy, {}),
      deliveryMs: this.#parsed(deliveryMs, []),
    }));
  }

  readonly #attempts = this.query<{ first: number }, RawAttempts>(
    `SELECT ${columns(ATTEMPTS)} FROM metric_attempts WHERE minute >= @first ORDER BY minute, webhook`,
  );

  attempts(first: number): AttemptsRow[] {
    return this.#read(() => this.#attempts.all({ first })).map((row) => ({
      minute: row.minute,
      webhook: row.webhook,
      outcomes: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, row[outcome]])) as Record<Outcome, number>,
      missed: row.missed,
      answered: this.#parsed(row.answered, []),
      unanswered: this.#parsed(row.unanswered, []),
      responseMs: this.#parsed(row.responseMs, []),
    }));
  }

  #read<T>(read: () => T[]): T[] {
    return this.#damage.around(read, []);
  }

  #parsed<T>(text: string, otherwise: T): T {
    return this.#damage.parsed(text, otherwise, 'a count of the charts');
  }

  readonly #webhooks = this.query<undefined, MetricWebhookRow>(
    `SELECT ${columns(WEBHOOK)} FROM metric_webhooks ORDER BY id`,
  );

  webhooks(): MetricWebhookRow[] {
    return this.#webhooks.all();
  }

  readonly #dropWebhook = this.command<{ id: number }>('DELETE FROM metric_webhooks WHERE id = @id');
  readonly #saveWebhook = this.command<MetricWebhookRow>(
    'INSERT INTO metric_webhooks (id, webhook_id, slot, name, url) VALUES (@id, @webhookId, @slot, @name, @url)',
  );

  saveWebhooks(rows: readonly MetricWebhookRow[], unused: readonly number[], changes: Changes): void {
    for (const id of unused) this.#dropWebhook.run(changes, { id });
    for (const row of rows) this.#saveWebhook.run(changes, row);
  }

  readonly #saveMinute = this.command<RawMinute>(replaceInto('metric_minutes', ['minute'], MINUTE));

  saveMinute(row: MinuteRow, changes: Changes): void {
    this.#saveMinute.run(changes, {
      ...row,
      rejectedBy: JSON.stringify(row.rejectedBy),
      notSelectedBy: JSON.stringify(row.notSelectedBy),
      deliveryMs: JSON.stringify(row.deliveryMs),
    });
  }

  readonly #saveAttempts = this.command<RawAttempts>(replaceInto('metric_attempts', ['minute', 'webhook'], ATTEMPTS));

  saveAttempts({ outcomes, ...row }: AttemptsRow, changes: Changes): void {
    this.#saveAttempts.run(changes, {
      ...row,
      ...outcomes,
      answered: JSON.stringify(row.answered),
      unanswered: JSON.stringify(row.unanswered),
      responseMs: JSON.stringify(row.responseMs),
    });
  }

  readonly #dropOthers = ['metric_minutes', 'metric_attempts'].map((table) =>
    this.command<{ first: number; last: number }>(`DELETE FROM ${table} WHERE minute < @first OR minute > @last`),
  );

  keepOnly(first: number, last: number, changes: Changes): void {
    for (const drop of this.#dropOthers) drop.run(changes, { first, last });
  }

  // Found by state and not by due time, which would have to step over a backlog of due queued messages.
  readonly #retrying = this.query<{ limit: number }, RetryingMessage>(
    `SELECT ${columns(RETRYING)} FROM messages
     WHERE ${RARE_STATE} AND state = 'retrying' AND window_ends_at IS NOT NULL ORDER BY id LIMIT @limit`,
  );

  retrying(limit: number): RetryingMessage[] {
    return this.#read(() => this.#retrying.all({ limit }));
  }

  readonly #recovered = this.column<{ id: number; dueAt: number }, number>(
    "SELECT received_at FROM messages WHERE id = @id AND state = 'retrying' AND round = 1 AND next_due_at = @dueAt",
  );

  recovered(ids: Iterable<number>, dueAt: number): number[] {
    return [...ids].flatMap((id) => this.#recovered.all({ id, dueAt }));
  }
}
