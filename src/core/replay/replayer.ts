/**
 * Replays: when the user asks, sends the bytes of a message, as they are stored or edited, to chosen webhooks and other
 * URLs at once, one marked attempt each. The state of the original message never changes.
 */

import { type Sender, toStored } from '../delivery/sender.ts';
import type { DeliveryWebhook } from '../delivery/webhooks.ts';
import { failpoint } from '../failpoint.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { SentBody } from '../model/vocabulary.ts';
import type { Clock } from '../ports.ts';
import type { ReplayStore } from '../store/ports/replays.ts';

/** Replays of many messages wait while so many are under way. */
const MAX_OPEN = 100;

export interface ReplayerDeps {
  readonly store: ReplayStore;
  /** Writes results. Retried while the store cannot be written. */
  persist<T>(write: () => Promise<T>): Promise<T>;
  readonly sender: Sender;
  readonly clock: Clock;
  /** Reading of the retry clock. */
  clockNow(): number;
  /** Called with each result at a webhook, after its commit. */
  recorded(webhook: DeliveryWebhook, result: AttemptResult, startedAt: number): void;
}

/** How a replay differs from a plain one, which sends the delivered bytes signed. */
export interface ReplayManner {
  readonly sent?: SentBody;
  readonly signed?: boolean;
  readonly jobId?: number | null;
}

interface Resend {
  readonly messageId: number;
  readonly wire: Uint8Array;
  readonly signed: boolean;
  /** Wall time. */
  readonly startedAt: number;
}

export class Replayer {
  readonly #deps: ReplayerDeps;
  readonly #open = new Set<Promise<void>>();

  constructor(deps: ReplayerDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with the replay's id once it and its attempts are committed and under way; with null when the message was
   * removed or erased meanwhile. A target that is no webhook has a negative id and slot 0.
   */
  async send(
    messageId: number,
    round: number,
    wire: Uint8Array,
    webhooks: readonly DeliveryWebhook[],
    { sent = 'delivered', signed = true, jobId = null }: ReplayManner = {},
  ): Promise<number | null> {
    const { store, clock, clockNow } = this.#deps;
    const startedAt = clock.wall();
    const clockAt = clockNow();
    const attempts = webhooks.map(({ id, slot, name, url }) => {
      return { webhookId: id, slot, webhookName: name, url, round, startedAt, clockAt };
    });
    // Stored bytes are kept with their message or its request.
    const body = sent === 'edited' ? wire : null;
    const opened = await store.open({ messageId, createdAt: startedAt, attempts, sent, signed, body, jobId });
    if (opened === null) return null;
    const { replayId, attemptIds } = opened;
    failpoint('replay_written');
    const resend = { messageId, wire, signed, startedAt };
    const all = Promise.all(webhooks.map((webhook, i) => this.#attempt(resend, webhook, attemptIds[i]!)));
    const done = all.then(() => this.#finish(replayId, messageId)).catch(() => {});
    this.#open.add(done);
    void done.finally(() => this.#open.delete(done));
    return replayId;
  }

  /** Resolves when so few replays are under way that more may begin. */
  async room(): Promise<void> {
    while (this.#open.size >= MAX_OPEN) await Promise.race(this.#open);
  }

  /** Resolves when every replay under way is recorded. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }

  async #attempt({ messageId, wire, signed, startedAt }: Resend, webhook: DeliveryWebhook, id: number): Promise<void> {
    const result = await this.#deps.sender.send(webhook, wire, messageId, { signed, attempt: id });
    const { outcome, status, durationMs, responseBody } = result;
    const row = { id, outcome, status, durationMs, result: toStored(result, 0, webhook.headers), body: responseBody };
    await this.#deps.persist(() => this.#deps.store.finishAttempt(messageId, row));
    if (webhook.slot > 0) this.#deps.recorded(webhook, result, startedAt);
  }

  async #finish(replayId: number, messageId: number): Promise<void> {
    const { persist, store, clock } = this.#deps;
    await persist(() => store.finish({ replayId, messageId, finishedAt: clock.wall() }));
  }
}
