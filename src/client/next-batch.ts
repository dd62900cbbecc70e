import { addCall, type Batch, emptyBatch, isTooMuch } from './batch.ts';
import { nextFlushAt } from './flush-rule.ts';
import type { Settings } from './options.ts';
import type { Clock, Timers } from './types.ts';

export interface NextBatchNeeds {
  readonly clock: Clock;
  readonly timers: Timers;
  newId(): string;
  settings(): Pick<Settings, 'size' | 'flushAfterMs'>;
  /** Takes a batch that is to be sent. */
  send(batch: Batch): void;
}

/**
 * Calls that wait for the next flush, which count, time or size brings about (client specification, section 2.1:
 * FlushAt, FlushAfter).
 */
export class NextBatch {
  readonly #needs: NextBatchNeeds;
  #batch: Batch | null = null;
  /** Grows with every batch. */
  #order = 0;
  #lastFlushAt: number;
  #timer: { cancel(): void } | null = null;

  constructor(needs: NextBatchNeeds) {
    this.#needs = needs;
    this.#lastFlushAt = needs.clock.mono();
  }

  /** Order of the newest batch. */
  get order(): number {
    return this.#order;
  }

  /** Adds a call, after a flush when the body would become too large with it. Returns how many calls wait. */
  add(json: string, bytes: number): number {
    if (this.#batch !== null && isTooMuch(this.#batch, bytes)) this.flush();
    this.#batch ??= this.#newBatch();
    addCall(this.#batch, json, bytes);
    return this.#batch.calls.length;
  }

  /** Flushes when enough calls wait, else later: the time counts from the last flush. */
  flushWhenDue(): void {
    if (this.#batch === null) return;
    const { size, flushAfterMs } = this.#needs.settings();
    if (this.#batch.calls.length >= size) return this.flush();
    const now = this.#needs.clock.mono();
    this.#timer?.cancel();
    this.#timer = this.#needs.timers.after(nextFlushAt(this.#lastFlushAt, now, flushAfterMs) - now, () => this.flush());
  }

  /** Sends what waits without waiting for count or time. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#lastFlushAt = this.#needs.clock.mono();
    if (this.#batch === null) return;
    this.#needs.send(this.#batch);
    this.#batch = null;
  }

  #newBatch(): Batch {
    this.#order += 1;
    return emptyBatch(this.#needs.newId(), this.#order);
  }
}
