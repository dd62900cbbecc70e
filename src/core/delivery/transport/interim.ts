import type { Header } from '../../model/header.ts';
import { type Failure, noConnection } from './failures.ts';

/** Interim (1xx) answers before the final one; the next ends the attempt. */
export const MAX_INTERIM_ANSWERS = 100;
/** Bytes of one interim answer's head. */
export const MAX_HEAD_BYTES = 16 * 1024;

/** The status line and headers of an interim answer. */
export interface AnswerHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly Header[];
}

export interface InterimEvents {
  /** The first byte of the final answer. */
  onFinalAnswer(): void;
  /** 101: the server switches to another protocol. */
  onSwitchingProtocols(head: AnswerHead): void;
  onFailure(failure: Failure): void;
}

const PROTOCOL = 'HTTP/';
const START = 'HTTP/1._ 1';
const CR = 0x0d;
const LF = 0x0a;
const STATUS_LINE = /^HTTP\/1\.[01] (1\d\d)(?: ([^\r\n]*))?\r\n/;
const END_OF_HEAD = '\r\n\r\n';

/**
 * Looks at the start of what a receiver sends, before the HTTP parser sees it. It takes interim answers out, because
 * undici drops a connection on an unexpected 100 and on any 101, and does not limit the others. It also refuses what is
 * not HTTP, because the parser would accept RTSP. A final answer passes untouched and at once.
 */
export class InterimFilter {
  readonly #events: InterimEvents;
  #held: Buffer | null = null;
  #count = 0;
  #passing = true;

  constructor(events: InterimEvents) {
    this.#events = events;
  }

  /** A new answer is expected next. */
  expectAnswer(): void {
    this.#held = null;
    this.#count = 0;
    this.#passing = false;
  }

  /** The part of `chunk` for the parser, or null when there is none yet. */
  take(chunk: Buffer): Buffer | null {
    if (this.#passing) return chunk;
    let bytes = withoutBlankLines(this.#held ? Buffer.concat([this.#held, chunk]) : chunk);
    this.#held = null;
    while (bytes.length > 0) {
      const verdict = startOf(bytes);
      if (verdict === 'final') return this.#pass(bytes);
      if (verdict === 'not_http') return this.#refuse(bytes);
      const end = bytes.indexOf(END_OF_HEAD);
      if (end < 0) return this.#hold(bytes);
      const head = readHead(bytes.toString('latin1', 0, end + END_OF_HEAD.length));
      if (!head) return this.#pass(bytes);
      if (!this.#swallow(head)) return null;
      bytes = bytes.subarray(end + END_OF_HEAD.length);
    }
    return null;
  }

  #pass(bytes: Buffer): Buffer {
    this.#passing = true;
    this.#events.onFinalAnswer();
    return bytes;
  }

  #refuse(bytes: Buffer): null {
    const beginning = JSON.stringify(bytes.toString('latin1', 0, 40).replace(/[^ -~].*/s, ''));
    const detail = `The answer is not HTTP: it begins with ${beginning}.`;
    this.#end(() => this.#events.onFailure(noConnection('invalid_response', detail)));
    return null;
  }

  #hold(bytes: Buffer): null {
    if (bytes.length > MAX_HEAD_BYTES) {
      this.#end(() => this.#events.onFailure(noConnection('headers_too_large', 'An interim answer is over 16 KiB.')));
    } else this.#held = bytes;
    return null;
  }

  /** False when the attempt is over. */
  #swallow(head: AnswerHead): boolean {
    this.#count += 1;
    if (head.status === 101) {
      this.#end(() => this.#events.onSwitchingProtocols(head));
      return false;
    }
    if (this.#count > MAX_INTERIM_ANSWERS) {
      const detail = `More than ${MAX_INTERIM_ANSWERS} interim (1xx) answers.`;
      this.#end(() => this.#events.onFailure(noConnection('invalid_response', detail)));
      return false;
    }
    return true;
  }

  #end(report: () => void): void {
    this.#passing = true;
    report();
  }
}

/** Like the parser, we ignore empty lines before an answer. */
function withoutBlankLines(bytes: Buffer): Buffer {
  let start = 0;
  while (bytes[start] === CR || bytes[start] === LF) start += 1;
  return bytes.subarray(start);
}

/** `interim` as long as it may still be one. */
function startOf(bytes: Buffer): 'interim' | 'final' | 'not_http' {
  const length = Math.min(bytes.length, START.length);
  for (let index = 0; index < length; index += 1) {
    const expected = START[index];
    if (expected === '_' || bytes[index] === expected?.charCodeAt(0)) continue;
    return index < PROTOCOL.length ? 'not_http' : 'final';
  }
  return 'interim';
}

/** Null when this is not a well-formed head. The parser then reports what is wrong with it. */
function readHead(text: string): AnswerHead | null {
  const line = STATUS_LINE.exec(text);
  if (!line) return null;
  const headers = text
    .slice(line[0].length)
    .split('\r\n')
    .filter((field) => field !== '')
    .map(readField);
  return { status: Number(line[1]), statusText: line[2] ?? '', headers };
}

function readField(field: string): Header {
  const colon = field.indexOf(':');
  return colon < 0 ? [field, ''] : [field.slice(0, colon), field.slice(colon + 1).trim()];
}
