import { MAX_ANSWER_BYTES } from '../../model/attempt.ts';
import { remembering } from '../../model/remembering.ts';
import type { AnswerBody, OnBody } from './answer-body.ts';
import { type Framed, framingOf } from './answer-framing.ts';
import { type AnswerHead, readHead } from './answer-head.ts';
import { type Failure, noConnection } from './failures.ts';
import { bodyFramed } from './framed-body.ts';
import { HeadReader, MAX_HEAD_BYTES } from './head-reader.ts';

/** Interim (1xx) answers before the final one; the next ends the attempt. */
export const MAX_INTERIM_ANSWERS = 100;

/**
 * A head and its framing, or what is wrong with it. Within a second, most servers give the same head with each answer:
 * reading one took 6 of some 290 µs for a message of the engine's thread under load.
 */
const readFramed = remembering(8, (text: string): FramedHead | string => {
  const head = readHead(text);
  return typeof head === 'string' ? head : { head, framed: framingOf(head) };
});

interface FramedHead {
  readonly head: AnswerHead;
  /** A text says what is wrong with it as a final answer. */
  readonly framed: Framed | string;
}

/** A reader calls these methods in this order. Each of the last four ends the answer. */
export interface AnswerEvents {
  /** The first byte of the final answer has arrived. */
  begins(): void;
  /** Its status line and headers are complete. */
  head(head: AnswerHead): void;
  /** A part of its body. */
  readonly body: OnBody;
  /** It is whole. The server keeps the connection for `keptMs`: 0 when the connection cannot be used again. */
  end(keptMs: number): void;
  /** 101: the server switches to another protocol. Nothing follows. */
  switchingProtocols(head: AnswerHead): void;
  /** It cannot be read. Nothing follows. */
  failed(failure: Failure): void;
  /** More than {@link MAX_ANSWER_BYTES} arrived. Nothing follows. */
  tooLarge(): void;
}

/**
 * Reads one answer after the other from the bytes of a connection (RFC 9112, sections 4 to 7). Interim answers are
 * counted and left out. What HTTP forbids is refused and never guessed at, so that no two readers can see two answers.
 */
export class AnswerReader {
  readonly #events: AnswerEvents;
  readonly #head = new HeadReader();
  #body: AnswerBody | null = null;
  #keptMs = 0;
  #isReading = false;
  #hasBegun = false;
  #interim = 0;
  /** Bytes of the current answer, as they came over the wire. */
  #bytes = 0;

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  /** Whether an answer is expected or under way. */
  get isReading(): boolean {
    return this.#isReading;
  }

  expectAnswer(): void {
    this.#head.reset();
    this.#body = null;
    this.#isReading = true;
    this.#hasBegun = false;
    this.#interim = 0;
    this.#bytes = 0;
  }

  /** Reads what has arrived. Whatever follows the last byte of an answer makes its connection useless. */
  take(arrived: Buffer): void {
    const bytes = arrived.subarray(0, MAX_ANSWER_BYTES - this.#bytes);
    this.#bytes += arrived.length;
    let at = 0;
    while (this.#isReading && at < bytes.length) {
      at = this.#body ? this.#readBody(this.#body, bytes, at) : this.#readHead(bytes, at);
    }
    if (!this.#isReading || this.#bytes <= MAX_ANSWER_BYTES) return;
    this.#isReading = false;
    this.#events.tooLarge();
  }

  /** The other side sends nothing more. */
  connectionEnded(): void {
    if (!this.#isReading) return;
    if (this.#body?.endsWithConnection) this.#end(0);
    else this.#fail('connection_closed', `The connection was closed ${this.#place()}.`);
  }

  #place(): string {
    if (this.#body) return 'in the middle of the body';
    return this.#head.hasBegun ? 'in the middle of the headers' : 'before an answer came';
  }

  /** Returns where the rest begins. */
  #readHead(bytes: Buffer, from: number): number {
    const read = this.#head.take(bytes, from);
    switch (read.kind) {
      case 'open':
        if (read.isFinal) this.#begin();
        break;
      case 'whole':
        this.#takeHead(readFramed(read.text), bytes.length - read.end);
        return read.end;
      case 'not_http':
        this.#refuse(`The answer is not HTTP: it begins with ${shown(read.beginning)}.`);
        break;
      case 'lone_lf':
        this.#refuse('A header line ends with LF alone.');
        break;
      case 'too_large':
        this.#fail('headers_too_large', `The headers are over ${MAX_HEAD_BYTES / 1024} KiB.`);
    }
    return bytes.length;
  }

  #takeHead(read: FramedHead | string, left: number): void {
    if (typeof read === 'string') {
      this.#refuse(read);
      return;
    }
    const { status } = read.head;
    if (status === 101) {
      this.#isReading = false;
      this.#events.switchingProtocols(read.head);
    } else if (status >= 100 && status < 200) this.#countInterim();
    else this.#takeFinalHead(read, left);
  }

  #countInterim(): void {
    this.#interim += 1;
    if (this.#interim > MAX_INTERIM_ANSWERS) this.#refuse(`More than ${MAX_INTERIM_ANSWERS} interim (1xx) answers.`);
  }

  #takeFinalHead({ head, framed }: FramedHead, left: number): void {
    this.#begin();
    if (typeof framed === 'string') {
      this.#refuse(framed);
      return;
    }
    this.#keptMs = framed.keptMs;
    this.#body = bodyFramed(framed.framing);
    this.#events.head(head);
    if (this.#body.isWhole) this.#endBefore(left);
  }

  #readBody(body: AnswerBody, bytes: Buffer, from: number): number {
    const end = body.take(bytes, from, this.#events.body);
    if (body.problem !== null) this.#refuse(body.problem);
    else if (body.isWhole) this.#endBefore(bytes.length - end);
    return end;
  }

  /** The answer ends, and `left` bytes that arrived with it follow. */
  #endBefore(left: number): void {
    this.#end(left === 0 && this.#bytes <= MAX_ANSWER_BYTES ? this.#keptMs : 0);
  }

  #end(keptMs: number): void {
    this.#isReading = false;
    this.#events.end(keptMs);
  }

  #begin(): void {
    if (!this.#hasBegun) this.#events.begins();
    this.#hasBegun = true;
  }

  #refuse(detail: string): void {
    this.#fail('invalid_response', detail);
  }

  #fail(reason: Failure['reason'], detail: string): void {
    this.#isReading = false;
    this.#events.failed(noConnection(reason, detail));
  }
}

/** The part before the first character that cannot be shown. */
function shown(text: string): string {
  return JSON.stringify(text.replace(/[^ -~].*/s, ''));
}
