/** The webhooks as clients see them: their settings, their newest attempts and the last certificate of each. */
import type { WebhookView } from '../../contract/values.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { Webhook } from '../model/records.ts';
import { type RecentAttempts, refusal } from './recent-attempts.ts';
import { webhookView } from './views.ts';

export class WebhookViews {
  readonly #webhooks: () => readonly Webhook[];
  readonly #recent: RecentAttempts;

  constructor(webhooks: () => readonly Webhook[], recent: RecentAttempts) {
    this.#webhooks = webhooks;
    this.#recent = recent;
  }

  /** An attempt ended; `webhook` is as it was then. `at` is the wall time of its start. */
  recorded(
    webhook: Pick<Webhook, 'id' | 'name' | 'url'>,
    { outcome, status, reason, certificate }: AttemptResult,
    at: number,
  ): void {
    this.#recent.add(webhook, { outcome, status, reason, at });
    if (certificate !== null)
      this.#recent.saw(webhook.id, webhook.url, { info: certificate, reason: refusal(outcome, reason), at });
  }

  /** By slot. */
  all(): WebhookView[] {
    return this.#webhooks().map((webhook) => this.#view(webhook));
  }

  /** There is a webhook with this id. */
  of(id: number): WebhookView {
    return this.#view(this.#webhooks().find((one) => one.id === id)!);
  }

  #view(webhook: Webhook): WebhookView {
    return webhookView(webhook, this.#recent.of(webhook), this.#recent.certificateOf(webhook.id, webhook.url));
  }
}
