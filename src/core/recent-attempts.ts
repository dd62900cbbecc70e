/** The newest finished attempts of each webhook and the certificate that it showed last, for the Webhooks screen. */
import type { OutcomeName, RecentAttempt, SeenCertificate } from '../contract/values.ts';
import type { StoredResult } from './store/deliveries.ts';

const KEPT = 24;

interface Row {
  readonly webhook_id: number;
  readonly url: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly result: string | null;
  readonly started_at: number;
}

/** Why an attempt's certificate was refused; null for every attempt that went further. */
export const refusal = (outcome: OutcomeName, reason: string | null): string | null =>
  outcome === 'refused_certificate' ? (reason ?? 'certificate_invalid') : null;

export class RecentAttempts {
  /** How many stored attempts are read at the start. */
  static readonly READ = 500;

  readonly #byWebhook = new Map<number, RecentAttempt[]>();
  readonly #certificates = new Map<number, { readonly origin: string; readonly seen: SeenCertificate }>();

  /** `rows` newest first. */
  constructor(rows: readonly Row[]) {
    for (const row of rows.toReversed()) {
      const result = row.result === null ? null : (JSON.parse(row.result) as StoredResult);
      const outcome = row.outcome as OutcomeName;
      const reason = result?.reason ?? null;
      this.add(row.webhook_id, { outcome, status: row.status, reason, at: row.started_at });
      const info = result?.certificate ?? null;
      if (info !== null)
        this.saw(row.webhook_id, row.url, { info, reason: refusal(outcome, reason), at: row.started_at });
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

  /** The server of `url` presented a certificate. */
  saw(webhookId: number, url: string, seen: SeenCertificate): void {
    this.#certificates.set(webhookId, { origin: originOf(url), seen });
  }

  /** Oldest first. */
  of(webhookId: number): readonly RecentAttempt[] {
    return this.#byWebhook.get(webhookId) ?? [];
  }

  /** Null when the webhook has led to another server since. */
  certificateOf(webhookId: number, url: string): SeenCertificate | null {
    const known = this.#certificates.get(webhookId);
    return known !== undefined && known.origin === originOf(url) ? known.seen : null;
  }
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
