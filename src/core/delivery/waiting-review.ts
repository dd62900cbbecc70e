/**
 * Messages that wait only for webhooks that are off or removed are paused or fail now, before they are due. Works in
 * steps, so that a large backlog blocks nothing. A look at newer webhooks replaces this one.
 */
import type { Move } from '../model/moves.ts';
import type { Timers } from '../ports.ts';
import type { DueMessage, DuePlace, DueStore } from '../store/ports/due.ts';
import { FIRST_PLACE } from './due-queue.ts';
import { type Circumstances, fateOfWaiting } from './fate.ts';
import type { DeliveryWebhook } from './webhooks.ts';

/** Messages looked at in one turn. */
const STEP = 500;

export interface WaitingReviewDeps {
  readonly store: Pick<DueStore, 'waiting'>;
  readonly timers: Timers;
  circumstances(): Circumstances;
  mayLook(): boolean;
  /** Whether the message has a round under way, or is on its way to another state. */
  isTaken(messageId: number): boolean;
  move(message: DueMessage, move: Move): void;
  /** Every message was looked at. */
  done(): void;
  readFailed(error: unknown): void;
}

export class WaitingReview {
  readonly #deps: WaitingReviewDeps;

  constructor(deps: WaitingReviewDeps) {
    this.#deps = deps;
  }

  look(webhooks = this.#deps.circumstances().webhooks, after: DuePlace = FIRST_PLACE): void {
    const { store, mayLook, readFailed } = this.#deps;
    if (!mayLook() || this.#isOutdated(webhooks)) return;
    store.waiting(after, STEP).then((found) => this.#found(webhooks, found), readFailed);
  }

  #found(webhooks: readonly DeliveryWebhook[], found: readonly DueMessage[]): void {
    const { mayLook, timers, done } = this.#deps;
    if (!mayLook() || this.#isOutdated(webhooks)) return;
    for (const message of found) this.#lookAt(message);
    const last = found.at(-1);
    if (last === undefined || found.length < STEP) done();
    else timers.soon(() => this.look(webhooks, { dueAt: last.nextDueAt, id: last.id }));
  }

  #isOutdated(webhooks: readonly DeliveryWebhook[]): boolean {
    return webhooks !== this.#deps.circumstances().webhooks;
  }

  #lookAt(message: DueMessage): void {
    const { isTaken, circumstances, move } = this.#deps;
    if (isTaken(message.id)) return;
    const fate = fateOfWaiting(message, circumstances());
    if (fate !== null) move(message, fate);
  }
}
