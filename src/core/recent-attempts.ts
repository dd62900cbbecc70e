/** The newest finished attempts of each webhook, for the strip of the Webhooks screen. */
import type { OutcomeName, RecentAttempt } from '../contract/values.ts';

const KEPT = 24;

interface Row {
  readonly webhook_id: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly result: string | null;
  readonly started_at: number;
}

export class RecentAttempts {
  /** How many stored attempts are read at the start. */
  static readonly READ = 500;

  readonly #byWebhook = new Map<number, RecentAttempt[]>();

  /** `rows` newest first. */
  constructor(rows: readonly Row[]) {
    for (const row of rows.toReversed()) {
      const reason =
        row.result === null ? null : ((JSON.parse(row.result) as { reason: string | null }).reason ?? null);
      this.add(row.webhook_id, { outcome: row.outcome as OutcomeName, status: row.status, reason, at: row.started_at });
    }
  }

  add(webhookId: number, attempt: RecentAttempt): void {
    const kept = this.#byWebhook.get(webhookId);
    if (kept === undefined) this.#byWebhook.set(webhookId, [attempt]);
    else {
      kept.push(attempt);
      if (kept.length > KEPT) kept.shift();
    }
  }

  /** Oldest first. */
  of(webhookId: number): readonly RecentAttempt[] {
    return this.#byWebhook.get(webhookId) ?? [];
  }
}
