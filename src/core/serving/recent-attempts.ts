/** The newest finished attempts and the last certificate of each webhook, for the Webhooks screen. */
import type { OutcomeName, RecentAttempt, SeenCertificate } from '../../contract/values.ts';
import type { Webhook } from '../model/records.ts';
import type { AttemptRecord } from '../model/stored.ts';

const KEPT = 24;

type Ended = Pick<AttemptRecord, 'webhookId' | 'webhookName' | 'url' | 'outcome' | 'status' | 'result' | 'startedAt'>;

type Named = Pick<Webhook, 'id' | 'name' | 'url'>;

interface Kept {
  readonly attempt: Omit<RecentAttempt, 'was'>;
  readonly name: string;
  readonly url: string;
}

/** Each attempt repeats its address, so a very long one is cut. */
const SHOWN_URL = 200;

/** Why an attempt's certificate was refused; null when it was not. */
export const refusal = (outcome: OutcomeName, reason: string | null): string | null =>
  outcome === 'refused_certificate' ? (reason ?? 'certificate_invalid') : null;

export class RecentAttempts {
  /** How many stored attempts are read at the start. */
  static readonly READ = 500;

  readonly #byWebhook = new Map<number, Kept[]>();
  readonly #certificates = new Map<number, { readonly origin: string; readonly seen: SeenCertificate }>();

  /** Attempts that have ended, newest first. */
  constructor(attempts: readonly Ended[]) {
    for (const {
      webhookId: id,
      webhookName: name,
      url,
      outcome,
      status,
      result,
      startedAt: at,
    } of attempts.toReversed()) {
      if (outcome === null) continue;
      const reason = result?.reason ?? null;
      this.add({ id, name, url }, { outcome, status, reason, at });
      const info = result?.certificate ?? null;
      if (info !== null) this.saw(id, url, { info, reason: refusal(outcome, reason), at });
    }
  }

  /** `webhook` as it was at the time of the attempt. */
  add({ id, name, url }: Named, attempt: Omit<RecentAttempt, 'was'>): void {
    const kept = this.#byWebhook.get(id);
    if (kept === undefined) this.#byWebhook.set(id, [{ attempt, name, url }]);
    else {
      kept.push({ attempt, name, url });
      if (kept.length > KEPT) kept.shift();
    }
  }

  /** The server of `url` presented a certificate. */
  saw(webhookId: number, url: string, seen: SeenCertificate): void {
    this.#certificates.set(webhookId, { origin: originOf(url), seen });
  }

  /** Oldest first. */
  of(webhook: Named): RecentAttempt[] {
    return (this.#byWebhook.get(webhook.id) ?? []).map(({ attempt, name, url }) => ({
      ...attempt,
      was: name === webhook.name && url === webhook.url ? null : { name, url: middleCut(url, SHOWN_URL) },
    }));
  }

  /** Null when the webhook now leads to another server. */
  certificateOf(webhookId: number, url: string): SeenCertificate | null {
    const known = this.#certificates.get(webhookId);
    return known !== undefined && known.origin === originOf(url) ? known.seen : null;
  }
}

const middleCut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most / 2)}…${text.slice(-most / 2)}`;

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
