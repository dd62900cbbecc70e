/** A transport without sockets. Every webhook answers as its behaviour says, after simulated time. */
import type { AttemptReason, AttemptResult } from '../../src/core/model/attempt.ts';
import { outcomeOfStatus } from '../../src/core/model/attempt.ts';
import type { Header } from '../../src/core/model/header.ts';
import type { Outcome } from '../../src/core/model/vocabulary.ts';
import type { AttemptRequest, Clock, Timers, Transport } from '../../src/core/ports.ts';

export interface Reply {
  readonly afterMs: number;
  readonly result: AttemptResult;
}

/** `nth` counts the sends to this URL from 1. A null result never answers. */
export type Behaviour = (request: AttemptRequest, nth: number) => Reply | null;

export interface Sent {
  readonly url: string;
  readonly body: string;
  readonly headers: readonly Header[];
  /** Wall and monotonic time at which `send` was called. */
  readonly wall: number;
  readonly mono: number;
}

/** An ended attempt of which nothing came, but for what is given. */
export function result(outcome: Outcome, over: Partial<AttemptResult> = {}): AttemptResult {
  return {
    outcome,
    reason: null,
    detail: null,
    status: null,
    statusText: '',
    requestHeaders: [['Host', 'sim']],
    responseHeaders: [],
    responseBody: new Uint8Array(),
    responseBytes: 0,
    responseCut: false,
    phases: {
      queueMs: null,
      dnsMs: null,
      tcpMs: null,
      tlsMs: null,
      certificateMs: null,
      sendMs: null,
      waitMs: null,
      readMs: null,
    },
    durationMs: 1,
    certificate: null,
    ...over,
  };
}

/** A complete HTTP answer. */
export const answer = (status: number, afterMs = 1, responseHeaders: readonly Header[] = []): Reply => ({
  afterMs,
  result: result(outcomeOfStatus(status), { status, responseHeaders, durationMs: afterMs }),
});

export const noConnection = (afterMs = 1): Reply => ({
  afterMs,
  result: result('no_connection', { reason: 'connection_refused' as AttemptReason, durationMs: afterMs }),
});

export const timedOut = (afterMs = 5_000): Reply => ({ afterMs, result: result('timed_out', { durationMs: afterMs }) });

export const refusedCertificate = (afterMs = 1): Reply => ({
  afterMs,
  result: result('refused_certificate', {
    reason: 'self_signed' as AttemptReason,
    requestHeaders: [],
    durationMs: afterMs,
  }),
});

/** Always the same answer. */
export const always =
  (reply: Reply): Behaviour =>
  () =>
    reply;

/** One answer after another, and then the last one for ever. */
export const inTurn =
  (...replies: Reply[]): Behaviour =>
  (_request, nth) =>
    replies[Math.min(nth, replies.length) - 1]!;

export class SimTransport implements Transport {
  readonly sent: Sent[] = [];
  /** Called inside `send`, before anything else. */
  onSend: (request: AttemptRequest) => void = () => {};
  /** The most sends to one URL that were open at once. */
  readonly mostOpen = new Map<string, number>();
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #counts = new Map<string, number>();
  readonly #open = new Map<string, number>();
  readonly #interrupts = new Set<() => void>();
  #closed = false;

  constructor(clock: Clock, timers: Timers) {
    this.#clock = clock;
    this.#timers = timers;
  }

  on(url: string, behaviour: Behaviour): this {
    this.#behaviours.set(url, behaviour);
    return this;
  }

  /** Whether this URL has a behaviour. */
  answers(url: string): boolean {
    return this.#behaviours.has(url);
  }

  sentTo(url: string): Sent[] {
    return this.sent.filter((one) => one.url === url);
  }

  send(request: AttemptRequest): Promise<AttemptResult> {
    this.onSend(request);
    const { url } = request;
    this.sent.push({
      url,
      body: Buffer.from(request.body).toString('utf8'),
      headers: request.headers,
      wall: this.#clock.wall(),
      mono: this.#clock.mono(),
    });
    const nth = this.#raise(this.#counts, url, 1);
    const open = this.#raise(this.#open, url, 1);
    this.mostOpen.set(url, Math.max(open, this.mostOpen.get(url) ?? 0));
    const behaviour = this.#behaviours.get(url);
    if (behaviour === undefined) throw new Error(`no behaviour for ${url}`);
    const reply = this.#closed ? null : behaviour(request, nth);
    return new Promise((resolve) => {
      const end = (ended: AttemptResult): void => {
        if (!this.#interrupts.delete(interrupt)) return;
        this.#raise(this.#open, url, -1);
        resolve(ended);
      };
      const interrupt = (): void => end(result('interrupted'));
      this.#interrupts.add(interrupt);
      if (this.#closed) interrupt();
      else if (reply !== null) this.#timers.after(reply.afterMs, () => end(reply.result));
    });
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const interrupt of [...this.#interrupts]) interrupt();
    return Promise.resolve();
  }

  #raise(counts: Map<string, number>, key: string, by: number): number {
    const n = (counts.get(key) ?? 0) + by;
    counts.set(key, n);
    return n;
  }
}
