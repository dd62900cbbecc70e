import type { Batch } from './batch.ts';
import type { Stats } from './types.ts';

/** What became of the calls since the client was made. */
export class Counts {
  #accepted = 0;
  #refused = 0;
  #sent = 0;
  #lost = 0;
  #queuedBytes = 0;

  /** Calls that were accepted and neither sent nor lost yet. */
  get queued(): number {
    return this.#accepted - this.#sent - this.#lost;
  }

  /** Bytes of the {@link queued} calls. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  get stats(): Stats {
    return {
      accepted: this.#accepted,
      refused: this.#refused,
      sent: this.#sent,
      lost: this.#lost,
      queued: this.queued,
      queuedBytes: this.#queuedBytes,
    };
  }

  accept(bytes: number): void {
    this.#accepted += 1;
    this.#queuedBytes += bytes;
  }

  refuse(): void {
    this.#refused += 1;
  }

  settle({ calls, callBytes }: Batch, isLost: boolean): void {
    if (isLost) this.#lost += calls.length;
    else this.#sent += calls.length;
    this.#queuedBytes -= callBytes;
  }
}
