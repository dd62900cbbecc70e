/** Reads and writes of the aggregates, and the bounded look at what is retrying. */
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import { RARE_STATE } from './migrations.ts';

/** Messages by the minute (since the epoch) of their receipt. */
export interface MinuteRow {
  minute: number;
  received: number;
  not_selected: number;
  rejected: number;
  first_round: number;
  retried: number;
  delivered: number;
  failed: number;
  expired: number;
  stopped: number;
  repeats: number;
  /** JSON objects: code to count. */
  rejected_by: string;
  not_selected_by: string;
  /** JSON array: bucket, count, bucket, count … */
  delivery_ms: string;
}

/** A webhook as it was called and where it led; slot 0 when that is not known any more. */
export interface MetricWebhookRow {
  id: number;
  webhook_id: number;
  slot: number;
  name: string;
  url: string;
}

/** Attempts of one webhook by the minute of their start. */
export interface AttemptsRow {
  minute: number;
  /** A row of the webhooks above. */
  webhook: number;
  accepted: number;
  failed: number;
  timed_out: number;
  no_connection: number;
  refused_certificate: number;
  declined: number;
  throttled: number;
  interrupted: number;
  missed: number;
  /** JSON arrays by class of limit. */
  answered: string;
  unanswered: string;
  /** JSON array: bucket, count, bucket, count … */
  response_ms: string;
}

/** A message that waits for another round. Times are of the retry clock. */
export interface RetryingMessage {
  readonly id: number;
  readonly name: string;
  readonly user_id: string | null;
  readonly anonymous_id: string | null;
  readonly round: number;
  readonly first_attempt_at: number;
  readonly window_ends_at: number;
}

export class MetricsStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #damage: Damage;

  constructor(db: Db, damage: Damage = untold()) {
    this.#statements = prepare(db);
    this.#damage = damage;
  }

  /** From minute `first` on, ascending. */
  minutes(first: number): MinuteRow[] {
    const rows = this.#damage.around(() => this.#statements.minutes.all(first) as MinuteRow[], []);
    const sound = this.#damage.soundJson(this.#damage.soundJson(rows, 'rejected_by', '{}'), 'not_selected_by', '{}');
    return this.#damage.soundJson(sound, 'delivery_ms', '[]');
  }

  attempts(first: number): AttemptsRow[] {
    const rows = this.#damage.around(() => this.#statements.attempts.all(first) as AttemptsRow[], []);
    const sound = this.#damage.soundJson(this.#damage.soundJson(rows, 'answered', '[]'), 'unanswered', '[]');
    return this.#damage.soundJson(sound, 'response_ms', '[]');
  }

  webhooks(): MetricWebhookRow[] {
    return this.#statements.webhooks.all() as MetricWebhookRow[];
  }

  saveWebhooks(rows: readonly MetricWebhookRow[], unused: readonly number[]): void {
    for (const id of unused) this.#statements.dropWebhook.run(id);
    for (const row of rows) this.#statements.saveWebhook.run(row);
  }

  /** Takes the place of what was there for this minute. */
  saveMinute(row: MinuteRow): void {
    this.#statements.saveMinute.run(row);
  }

  /** Takes the place of what was there for this minute and webhook. */
  saveAttempts(row: AttemptsRow): void {
    this.#statements.saveAttempts.run(row);
  }

  /** Drops minutes before `first` and after `last` (the machine's clock was wrong then). */
  keepOnly(first: number, last: number): void {
    this.#statements.dropMinutes.run(first, last);
    this.#statements.dropAttempts.run(first, last);
  }

  /** At most `limit` retrying messages that have been tried, oldest first. */
  retrying(limit: number): RetryingMessage[] {
    return this.#damage.around(() => this.#statements.retrying.all(limit) as RetryingMessage[], []);
  }

  /** When those of these messages were received whose first round a crash ended; the recovery made them due at `dueAt`. */
  recovered(ids: Iterable<number>, dueAt: number): number[] {
    return [...ids].flatMap((id) => this.#statements.recovered.all(id, dueAt) as number[]);
  }
}

const MINUTE_COLUMNS = [
  'received',
  'not_selected',
  'rejected',
  'first_round',
  'retried',
  'delivered',
  'failed',
  'expired',
  'stopped',
  'repeats',
  'rejected_by',
  'not_selected_by',
  'delivery_ms',
];
const ATTEMPTS_COLUMNS = [
  'accepted',
  'failed',
  'timed_out',
  'no_connection',
  'refused_certificate',
  'declined',
  'throttled',
  'interrupted',
  'missed',
  'answered',
  'unanswered',
  'response_ms',
];

function upsert(table: string, keys: readonly string[], columns: readonly string[]): string {
  const all = [...keys, ...columns];
  return `INSERT INTO ${table} (${all.join(', ')}) VALUES (${all.map((column) => `@${column}`).join(', ')})
    ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`;
}

function prepare(db: Db) {
  return {
    minutes: db.prepare('SELECT * FROM metric_minutes WHERE minute >= ? ORDER BY minute'),
    attempts: db.prepare('SELECT * FROM metric_attempts WHERE minute >= ? ORDER BY minute, webhook'),
    webhooks: db.prepare('SELECT id, webhook_id, slot, name, url FROM metric_webhooks ORDER BY id'),
    saveWebhook: db.prepare(
      'INSERT INTO metric_webhooks (id, webhook_id, slot, name, url) VALUES (@id, @webhook_id, @slot, @name, @url)',
    ),
    dropWebhook: db.prepare('DELETE FROM metric_webhooks WHERE id = ?'),
    saveMinute: db.prepare(upsert('metric_minutes', ['minute'], MINUTE_COLUMNS)),
    saveAttempts: db.prepare(upsert('metric_attempts', ['minute', 'webhook'], ATTEMPTS_COLUMNS)),
    dropMinutes: db.prepare('DELETE FROM metric_minutes WHERE minute < ? OR minute > ?'),
    dropAttempts: db.prepare('DELETE FROM metric_attempts WHERE minute < ? OR minute > ?'),
    // By state and not by due time: a backlog of queued messages, all due, would have to be stepped over.
    retrying: db.prepare(
      `SELECT id, name, user_id, anonymous_id, round, first_attempt_at, window_ends_at FROM messages
       WHERE ${RARE_STATE} AND state = 'retrying' AND window_ends_at IS NOT NULL ORDER BY id LIMIT ?`,
    ),
    recovered: db
      .prepare("SELECT received_at FROM messages WHERE id = ? AND state = 'retrying' AND round = 1 AND next_due_at = ?")
      .pluck(),
  };
}
