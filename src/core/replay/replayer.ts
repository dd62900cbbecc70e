/** A person's resend: the stored bytes to chosen webhooks at once, one attempt each, marked, never changing the original's state. */

import { type Sender, toStored } from '../delivery/sender.ts';
import type { DeliveryWebhook } from '../delivery/webhooks.ts';
import { failpoint } from '../failpoint.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { Clock } from '../ports.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Changes } from '../store/ports/changes.ts';

export interface ReplayerDeps {
  readonly store: DeliveryStore;
  write<T>(job: (changes: Changes) => T, rows?: number): Promise<T>;
  /** For results: tried again while the store cannot be written. */
  persist<T>(job: (changes: Changes) => T, rows: number): Promise<T>;
  readonly sender: Sender;
  readonly clock: Clock;
  clockNow(): number;
  recorded(webhook: DeliveryWebhook, result: AttemptResult, startedAt: number): void;
}

export class Replayer {
  readonly #deps: ReplayerDeps;
  readonly #open = new Set<Promise<void>>();

  constructor(deps: ReplayerDeps) {
    this.#deps = deps;
  }

  /** Resolves with the replay's id once it and its attempts are committed; they are then under way. */
  async send(
    messageId: number,
    round: number,
    wire: Uint8Array,
    webhooks: readonly DeliveryWebhook[],
  ): Promise<number> {
    const { store, clock } = this.#deps;
    const startedAt = clock.wall();
    const { replayId, attempts } = await this.#deps.write((changes) => {
      const replayId = store.openReplay(
        messageId,
        startedAt,
        webhooks.map(({ id }) => id),
        changes,
      );
      const attempts = webhooks.map((webhook) =>
        store.openAttempt({
          messageId,
          replayId,
          webhookId: webhook.id,
          slot: webhook.slot,
          webhookName: webhook.name,
          url: webhook.url,
          round,
          startedAt,
          clockAt: this.#deps.clockNow(),
        }),
      );
      return { replayId, attempts };
    }, 2 + webhooks.length);
    failpoint('replay_written');
    const all = Promise.all(
      webhooks.map((webhook, i) => this.#attempt(messageId, webhook, wire, attempts[i]!, startedAt)),
    );
    const done = all.then(() => this.#finish(replayId, messageId)).catch(() => {});
    this.#open.add(done);
    void done.finally(() => this.#open.delete(done));
    return replayId;
  }

  /** Resolves when every replay under way is recorded. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }

  async #attempt(
    messageId: number,
    webhook: DeliveryWebhook,
    wire: Uint8Array,
    id: number,
    startedAt: number,
  ): Promise<void> {
    const result = await this.#deps.sender.send(webhook, wire, messageId);
    const stored = toStored(result, 0, webhook.headers);
    await this.#deps.persist((changes) => {
      this.#deps.store.finishAttempt(id, result.outcome, result.status, result.durationMs, stored, result.responseBody);
      changes.messages.add(messageId);
    }, 2);
    this.#deps.recorded(webhook, result, startedAt);
  }

  async #finish(replayId: number, messageId: number): Promise<void> {
    await this.#deps.persist(
      (changes) => this.#deps.store.finishReplay(replayId, messageId, this.#deps.clock.wall(), changes),
      1,
    );
  }
}
