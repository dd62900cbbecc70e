/**
 * Batches on their way: in order, `concurrency` at once, each tried again by the retry rule. A batch that waits for
 * its next try keeps its place, so with one at a time the order holds.
 */
import { type Batch, bodyOf, splitBatch } from './batch.ts';
import { type LossCode, LossError } from './errors.ts';
import { GiveUp } from './give-up.ts';
import { KEEPALIVE_BYTES } from './limits.ts';
import type { PageStage } from './platform.ts';
import { type PostParts, type PostResult, post } from './post.ts';
import { afterTry, type RetryRules } from './retry-rule.ts';
import { timestampOf } from './timestamp.ts';
import type { Clock } from './types.ts';

export interface OutboxParts extends PostParts {
  /** Called for each request. */
  url(): string;
  readonly headers: Record<string, string>;
  readonly clock: Clock;
  readonly rules: RetryRules;
  readonly concurrency: number;
  /** In browsers requests outlive their page where they fit. */
  readonly isBrowser: boolean;
  readonly newId: () => string;
  /** Called once for each batch; `loss` is null when the batch was sent. */
  readonly onSettled: (batch: Batch, loss: LossError | null) => void;
  readonly debug: (text: () => string) => void;
}

export class Outbox {
  readonly #parts: OutboxParts;
  /** Taken from the front; the part before `#next` is gone. */
  #waiting: Batch[] = [];
  #next = 0;
  #active = 0;
  #pumpIsDue = false;
  readonly #giveUp = new GiveUp();
  #keepaliveBytes = 0;
  /** Ends the waits for a next try. */
  readonly #wakes = new Set<() => void>();

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Takes a batch. Its request starts after the caller's turn, not in it. */
  add(batch: Batch): void {
    this.#waiting.push(batch);
    if (this.#pumpIsDue) return;
    this.#pumpIsDue = true;
    queueMicrotask(() => {
      this.#pumpIsDue = false;
      this.#pump(this.#parts.concurrency);
    });
  }

  /** Starts every batch now, in pieces that may outlive the page: a batch that is not under way by then is lost. */
  leave(stage: PageStage): void {
    if (stage === 'gone') for (const wake of [...this.#wakes]) wake();
    const rest = this.#waiting.slice(this.#next);
    this.#waiting = [];
    this.#next = 0;
    for (const batch of rest) {
      for (const piece of splitBatch(batch, KEEPALIVE_BYTES, this.#parts.newId)) this.#waiting.push(piece);
    }
    this.#pump(Number.POSITIVE_INFINITY);
  }

  /** Ends every request and wait. Calls that are not sent are lost with the code `closed`. */
  giveUp(): void {
    this.#giveUp.now();
    for (const wake of [...this.#wakes]) wake();
  }

  #pump(concurrency: number): void {
    while (this.#active < concurrency && this.#next < this.#waiting.length) {
      const batch = this.#waiting[this.#next] as Batch;
      this.#next += 1;
      this.#active += 1;
      void this.#deliver(batch);
    }
    if (this.#next === this.#waiting.length || this.#next > 1_000) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
  }

  async #deliver(batch: Batch): Promise<void> {
    const loss = await this.#untilSettled(batch);
    this.#active -= 1;
    this.#parts.onSettled(batch, loss);
    this.#pump(this.#parts.concurrency);
  }

  /** Null when the batch was sent. */
  async #untilSettled(batch: Batch): Promise<LossError | null> {
    const { rules, clock, debug } = this.#parts;
    let last: PostResult | null = null;
    for (let tries = 1; ; tries += 1) {
      if (this.#giveUp.isOn) return lossOf('closed', batch, tries - 1, last);
      last = await this.#try(batch, last);
      const step = afterTry(last, tries, rules, clock.wall());
      if (step === 'sent') {
        debug(() => `sent ${countText(batch)}, ${batch.bytes} bytes, try ${tries}`);
        return null;
      }
      if (this.#giveUp.isOn) return lossOf('closed', batch, tries, last);
      if (typeof step === 'string') return lossOf(step, batch, tries, last);
      const { text } = last;
      debug(() => `try ${tries} of ${rules.maxTries} failed (${text}); the next one in ${step.waitMs} ms`);
      await this.#wait(step.waitMs);
    }
  }

  async #try(batch: Batch, last: PostResult | null): Promise<PostResult> {
    const { url, headers, clock, isBrowser } = this.#parts;
    const body = bodyOf(batch, timestampOf(clock.wall()));
    // A request without an answer may have been refused because other code of the page has bytes on their way.
    const hadNoAnswer = last !== null && last.status === null;
    const keepalive = isBrowser && !hadNoAnswer && this.#keepaliveBytes + batch.bytes <= KEEPALIVE_BYTES;
    if (keepalive) this.#keepaliveBytes += batch.bytes;
    try {
      return await post({ url: url(), headers, body, keepalive }, this.#parts, this.#giveUp);
    } finally {
      if (keepalive) this.#keepaliveBytes -= batch.bytes;
    }
  }

  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        timer.cancel();
        this.#wakes.delete(wake);
        resolve();
      };
      const timer = this.#parts.timers.after(delayMs, wake);
      this.#wakes.add(wake);
    });
  }
}

function lossOf(code: LossCode, batch: Batch, tries: number, last: PostResult | null): LossError {
  const status = last?.status ?? null;
  const details = { tries, status, answer: last?.answer ?? null, cause: last?.cause };
  return new LossError(code, lossText(code, batch, tries, last?.text ?? null), batch.calls, details);
}

const countText = ({ calls }: Batch): string => (calls.length === 1 ? '1 message' : `${calls.length} messages`);

function lossText(code: LossCode, batch: Batch, tries: number, last: string | null): string {
  const what = `${countText(batch)} lost`;
  const ended = `: ${last}`;
  switch (code) {
    case 'rejected':
      return `${what}, not tried again${ended}`;
    case 'retries_exhausted':
      return `${what} after ${tries} ${tries === 1 ? 'try' : 'tries'}${ended}`;
    case 'closed':
      return `${what}, the time given to close ran out${tries === 0 ? ' before the first try' : ended}`;
  }
}
