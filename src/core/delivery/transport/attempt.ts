import { type AttemptResult, type CertificateInfo, MAX_ANSWER_BYTES, outcomeOfStatus } from '../../model/attempt.ts';
import type { Header } from '../../model/header.ts';
import type { Outcome } from '../../model/vocabulary.ts';
import type { AttemptRequest, Clock, Timer, Timers } from '../../ports.ts';
import type { AnswerHead } from './answer-head.ts';
import { type Failure, noConnection } from './failures.ts';
import { KeptBody } from './kept-body.ts';
import { microseconds, PhaseRecorder } from './phases.ts';

const MAX_STATUS_TEXT_LENGTH = 200;

/** How an attempt ended, apart from what was already recorded. */
interface Ending {
  readonly outcome: Outcome;
  readonly reason?: Failure['reason'];
  readonly detail?: string;
  /** The body did not arrive whole. */
  readonly cut?: boolean;
}

/** What carries an attempt, told of its end. */
export interface Carrier {
  /** `clean`: the answer was framed cleanly to its last byte. */
  attemptEnded(clean: boolean): void;
}

/**
 * One POST from the call of `send` to its result. Its connection tells it what happens on the way. It ends exactly
 * once, with the first of: a whole answer, too long a body, a failure, the deadline, the close of the transport. Once
 * complete headers have arrived, the status alone decides the outcome. What happens to the body after that only marks
 * it as cut.
 */
export class Attempt {
  readonly request: AttemptRequest;
  readonly phases: PhaseRecorder;
  readonly done: Promise<AttemptResult>;
  /** Set by the connection. Told once, at the end. */
  carrier: Carrier | null = null;
  /** Set by the connection once the server presented a certificate. */
  certificate: CertificateInfo | null = null;

  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #deadline: Timer;
  #resolve: (result: AttemptResult) => void = () => {};
  #settled = false;
  #written: readonly Header[] | null = null;
  #answer: AnswerHead | null = null;
  readonly #body = new KeptBody();

  constructor(request: AttemptRequest, clock: Clock, timers: Timers) {
    this.request = request;
    this.#clock = clock;
    this.#startedAt = clock.mono();
    this.phases = new PhaseRecorder(clock);
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#deadline = timers.after(request.limitMs, () => this.#timeOut());
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Whether any of the request may have reached the receiver. */
  get written(): boolean {
    return this.#written !== null;
  }

  /** Ends the attempt with the reason why no answer came. After complete headers only the rest of the body is lost. */
  fail(failure: Failure): void {
    if (this.#answer) this.#endByStatus(true, failure.detail);
    else this.#settle(failure);
  }

  /** The answer is longer than we read: interim answers, status line, headers, framing and body together. */
  answerTooLarge(): void {
    const detail = `The answer goes on after ${MAX_ANSWER_BYTES / 1024} KiB.`;
    if (this.#answer) this.#endByStatus(true, detail, 'answer_too_large');
    else this.#settle(noConnection('headers_too_large', detail));
  }

  /** Hookbench stops. An answer with complete headers counts, because a retry would deliver twice. */
  interrupt(): void {
    const detail = 'Hookbench stopped while the attempt was open.';
    if (this.#answer) this.#endByStatus(true, detail);
    else this.#settle({ outcome: 'interrupted', detail });
  }

  /** The request goes to the socket, with these headers. */
  sending(headers: readonly Header[]): void {
    this.#written = headers;
    this.phases.enter('send');
  }

  /** The socket has taken all of the request. An answer may have begun before. */
  sent(): void {
    if (this.phases.open === 'send') this.phases.enter('wait');
  }

  /** The first byte of the final answer has arrived. */
  answerBegins(): void {
    this.phases.enter('read');
  }

  /** 101: complete headers of an answer to a request that we did not make. */
  switchingProtocols(head: AnswerHead): void {
    this.#answer = head;
    this.#endByStatus(false);
  }

  /** The headers of the final answer are complete. */
  answered(head: AnswerHead): void {
    if (this.#settled) return;
    // The timer may fire late when the process is busy; the limit still counts.
    if (this.#elapsedMs() > this.request.limitMs) this.#timeOut();
    else if (head.status < 200 || head.status > 599) {
      this.fail(noConnection('invalid_response', `The status ${head.status} is not one of HTTP.`));
    } else this.#answer = head;
  }

  /** A part of its body. The bytes are copied. */
  received(bytes: Uint8Array): void {
    if (this.#settled) return;
    this.#body.append(bytes);
    if (this.#body.isFull) this.#endByStatus(true);
  }

  /** The last byte of the answer has arrived. */
  answerEnded(): void {
    this.#endByStatus(false);
  }

  #timeOut(): void {
    const { limitMs } = this.request;
    if (this.#answer) {
      this.#endByStatus(true, `The body had not ended after ${limitMs} ms.`);
      return;
    }
    const phase = this.phases.open;
    const detail = `No complete answer within ${limitMs} ms${phase ? ` (in the phase ${phase})` : ''}.`;
    this.#settle({ outcome: 'timed_out', detail });
  }

  #endByStatus(cut: boolean, detail?: string, reason?: Failure['reason']): void {
    if (this.#answer) this.#settle({ outcome: outcomeOfStatus(this.#answer.status), reason, detail, cut });
  }

  #settle({ outcome, reason, detail, cut = false }: Ending): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#deadline.cancel();
    this.phases.leave();
    const result: AttemptResult = {
      outcome,
      reason: reason ?? null,
      detail: detail ?? null,
      status: this.#answer?.status ?? null,
      statusText: this.#answer?.statusText.slice(0, MAX_STATUS_TEXT_LENGTH) ?? '',
      requestHeaders: this.#written ?? [],
      responseHeaders: this.#answer?.headers ?? [],
      responseBody: this.#body.take(),
      responseBytes: this.#body.received,
      responseCut: cut,
      phases: this.phases.phases(),
      durationMs: microseconds(this.#elapsedMs()),
      certificate: this.certificate,
    };
    this.carrier?.attemptEnded(this.#answer !== null && this.#answer.status >= 200 && !cut);
    this.#resolve(result);
  }

  #elapsedMs(): number {
    return this.#clock.mono() - this.#startedAt;
  }
}
