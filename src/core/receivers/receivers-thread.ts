/** The engine's side of the receivers' worker: start it, ask it, end it. */
import { Worker } from 'node:worker_threads';
import type { FromReceivers, QuestionName, Questions, ToReceivers } from './messages.ts';
import type { ReceiverState } from './receiver-set.ts';

/** The logged bodies lie outside the heap; the rest stays far below this. */
const OLD_MB = 96;
const YOUNG_MB = 4;

export interface ReceiversThreadEvents {
  /** Called with squashed changes, at most every 100 ms. */
  changed(states: readonly ReceiverState[]): void;
  /** Called when the worker has ended unasked. */
  ended(message: string): void;
}

/** The worker ended before it answered. */
export class ReceiversEndedError extends Error {
  readonly code = 'receivers_off';
}

export class ReceiversThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #asked = 0;
  #stopping = false;
  #ended: string | null = null;

  /** `workerPath` is the built or source path of `receivers-worker.ts`. */
  constructor(workerPath: string | URL, events: ReceiversThreadEvents) {
    this.#worker = new Worker(workerPath, {
      resourceLimits: { maxOldGenerationSizeMb: OLD_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    let failure = 'The receivers ended.';
    this.#worker.on('error', (error) => {
      failure = error instanceof Error ? error.message : String(error);
    });
    this.#worker.on('message', (message: FromReceivers) => this.#onMessage(message, events));
    this.#worker.on('exit', () => {
      this.#ended = failure;
      for (const { reject } of this.#waiting.values()) reject(new ReceiversEndedError(failure));
      this.#waiting.clear();
      if (!this.#stopping) events.ended(failure);
    });
  }

  setSecret(secret: string | null): void {
    this.#say({ type: 'secret', secret });
  }

  /** Rejects with a {@link ReceiversEndedError}. */
  ask<N extends QuestionName>(name: N, argument: Questions[N][0]): Promise<Questions[N][1]> {
    if (this.#ended !== null) return Promise.reject(new ReceiversEndedError(this.#ended));
    this.#asked += 1;
    const n = this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(n, { resolve: resolve as (value: unknown) => void, reject });
      this.#say({ type: 'ask', n, name, argument });
    });
  }

  /** Ends the thread with every connection at once. Harmless when repeated. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#worker.terminate();
  }

  #say(message: ToReceivers): void {
    this.#worker.postMessage(message);
  }

  #onMessage(message: FromReceivers, events: ReceiversThreadEvents): void {
    if (message.type === 'changed') return events.changed(message.states);
    const asked = this.#waiting.get(message.n);
    this.#waiting.delete(message.n);
    if (message.type === 'answer') asked?.resolve(message.value);
    else asked?.reject(new Error(message.message));
  }
}
