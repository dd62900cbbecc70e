/** Requests and calls since the start, as the status bar shows them. */
import type { Clock } from '../ports.ts';
import { MinuteRate } from './status.ts';

export class RequestCounts {
  readonly #rate: MinuteRate;
  #seen = 0;
  #rejected = 0;

  constructor(clock: Clock) {
    this.#rate = new MinuteRate(clock);
  }

  /** Requests that were answered. */
  get seen(): number {
    return this.#seen;
  }

  /** Calls that were rejected. */
  get rejected(): number {
    return this.#rejected;
  }

  /** Messages that were stored in the last 60 s. */
  storedInMinute(): number {
    return this.#rate.total();
  }

  stored(messages: number): void {
    this.#rate.add(messages);
  }

  /** Counts one answered request. */
  answered(rejected: number): void {
    this.#seen += 1;
    this.#rejected += rejected;
  }
}
