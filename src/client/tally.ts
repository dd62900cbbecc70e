import type { Batch } from './batch.ts';
import type { LossError } from './errors.ts';
import type { Outcome } from './types.ts';

/**
 * What a flush waits for: the messages that were queued when it was called, which are those of the batches up to
 * `lastOrder`. With several batches at once, a later one may end first; it does not count.
 */
export class Tally {
  readonly outcome: Promise<Outcome>;
  readonly #lastOrder: number;
  #left: number;
  #sent = 0;
  #lost = 0;
  readonly #losses: LossError[] = [];
  #resolve: (outcome: Outcome) => void = () => {};

  constructor(messages: number, lastOrder: number) {
    this.#lastOrder = lastOrder;
    this.#left = messages;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#resolveWhenDone();
  }

  get isDone(): boolean {
    return this.#left === 0;
  }

  add(batch: Batch, loss: LossError | null): void {
    if (batch.order > this.#lastOrder) return;
    const messages = batch.calls.length;
    this.#left -= messages;
    if (loss === null) this.#sent += messages;
    else {
      this.#lost += messages;
      this.#losses.push(loss);
    }
    this.#resolveWhenDone();
  }

  #resolveWhenDone(): void {
    if (this.isDone) this.#resolve({ sent: this.#sent, lost: this.#lost, losses: this.#losses });
  }
}
