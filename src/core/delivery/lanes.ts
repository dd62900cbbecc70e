/** One lane per webhook: how many of its senders are free, and which rounds wait for one. */
import { PassingMap } from './passing.ts';
import type { Round } from './round.ts';
import { CONCURRENCY, type DeliveryWebhook } from './webhooks.ts';

interface Lane {
  webhook: DeliveryWebhook;
  open: number;
  readonly waiting: PassingMap<Round>;
}

export class Lanes {
  readonly #lanes = new Map<number, Lane>();

  /** Replaces the list of webhooks. Open attempts of a removed webhook still count on its old lane until they end. */
  set(webhooks: readonly DeliveryWebhook[]): void {
    const ids = new Set(webhooks.map(({ id }) => id));
    for (const [id, lane] of this.#lanes)
      if (!ids.has(id) && lane.open === 0 && lane.waiting.size === 0) this.#lanes.delete(id);
    for (const webhook of webhooks) {
      const lane = this.#lanes.get(webhook.id);
      if (lane === undefined) this.#lanes.set(webhook.id, { webhook, open: 0, waiting: new PassingMap() });
      else lane.webhook = webhook;
    }
  }

  hasFree(webhookId: number): boolean {
    const lane = this.#lanes.get(webhookId);
    return lane !== undefined && lane.open < CONCURRENCY;
  }

  open(webhookId: number): void {
    this.#lanes.get(webhookId)!.open += 1;
  }

  release(webhookId: number): void {
    const lane = this.#lanes.get(webhookId);
    if (lane !== undefined) lane.open -= 1;
  }

  wait(webhookId: number, round: Round): void {
    this.#lanes.get(webhookId)!.waiting.set(round.message.id, round);
  }

  forget(webhookId: number, round: Round): void {
    this.#lanes.get(webhookId)?.waiting.take(round.message.id);
  }

  /** When a sender is free, takes the round that has waited longest off the lane. */
  next(webhookId: number): Round | undefined {
    const lane = this.#lanes.get(webhookId);
    if (lane === undefined || lane.open >= CONCURRENCY) return undefined;
    return lane.waiting.takeFirst();
  }

  waitingOn(webhookId: number): Round[] {
    return this.#lanes.get(webhookId)?.waiting.all() ?? [];
  }

  /** Slots of the webhooks that a round waits on. */
  slotsOf(round: Round): number[] {
    return [...this.#lanes.values()]
      .filter(({ waiting }) => waiting.has(round.message.id))
      .map(({ webhook }) => webhook.slot);
  }

  get inFlight(): number {
    let open = 0;
    for (const lane of this.#lanes.values()) open += lane.open;
    return open;
  }
}
