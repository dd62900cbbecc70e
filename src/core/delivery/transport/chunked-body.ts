import type { AnswerBody, OnBody } from './answer-body.ts';
import { MAX_HEAD_BYTES } from './head-reader.ts';

const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;

/** The part of the framing to which the next byte belongs. */
type Place = 'size' | 'extension' | 'size_lf' | 'data' | 'data_cr' | 'data_lf' | 'line' | 'trailer' | 'line_lf' | 'end';

/**
 * A body in chunks (RFC 9112, section 7.1). Extensions and trailers are read over; of the trailers, at most
 * {@link MAX_HEAD_BYTES}.
 */
export class ChunkedBody implements AnswerBody {
  readonly endsWithConnection = false;
  problem: string | null = null;
  #place: Place = 'size';
  /** The size of the chunk as far as it was read, then the bytes of it that are to come. */
  #left = 0;
  #hasSize = false;
  #trailerBytes = 0;
  /** The trailer line that ends now is empty: the body ends with it. */
  #isLastLine = false;

  get isWhole(): boolean {
    return this.#place === 'end';
  }

  take(bytes: Buffer, from: number, onBody: OnBody): number {
    let at = from;
    while (at < bytes.length && this.#place !== 'end' && this.problem === null) {
      if (this.#place === 'data') at = this.#takeData(bytes, at, onBody);
      else {
        this.#takeByte(bytes[at] as number);
        at += 1;
      }
    }
    return at;
  }

  #takeData(bytes: Buffer, from: number, onBody: OnBody): number {
    const end = Math.min(bytes.length, from + this.#left);
    onBody(bytes.subarray(from, end));
    this.#left -= end - from;
    if (this.#left === 0) this.#place = 'data_cr';
    return end;
  }

  #takeByte(byte: number): void {
    switch (this.#place) {
      case 'size':
        return this.#takeSize(byte);
      case 'extension':
        if (byte === LF) return this.#fail('A chunk size ends with LF alone.');
        if (byte === CR) this.#place = 'size_lf';
        return;
      case 'size_lf':
        return this.#expect(byte, LF, this.#left === 0 ? 'line' : 'data');
      case 'data_cr':
        return this.#expect(byte, CR, 'data_lf');
      case 'data_lf':
        this.#hasSize = false;
        return this.#expect(byte, LF, 'size');
      case 'line':
      case 'trailer':
        return this.#takeTrailer(byte);
      case 'line_lf':
        return this.#expect(byte, LF, this.#isLastLine ? 'end' : 'line');
    }
  }

  #takeSize(byte: number): void {
    const digit = hexadecimal(byte);
    if (digit >= 0) {
      this.#hasSize = true;
      // Too many digits make it inexact, at sizes of which nobody reads the end.
      this.#left = this.#left * 16 + digit;
    } else if (!this.#hasSize) this.#fail('A chunk size is missing.');
    else if (byte === SEMICOLON) this.#place = 'extension';
    else this.#expect(byte, CR, 'size_lf');
  }

  #takeTrailer(byte: number): void {
    this.#trailerBytes += 1;
    if (this.#trailerBytes > MAX_HEAD_BYTES) this.#fail('The trailers are over 16 KiB.');
    else if (byte === LF) this.#fail('A trailer ends with LF alone.');
    else if (byte === CR) {
      this.#isLastLine = this.#place === 'line';
      this.#place = 'line_lf';
    } else this.#place = 'trailer';
  }

  #expect(byte: number, expected: number, next: Place): void {
    if (byte === expected) this.#place = next;
    else this.#fail('A chunk is not framed as HTTP asks.');
  }

  #fail(problem: string): void {
    this.problem = problem;
  }
}

/** Below 0 for what is no digit. */
function hexadecimal(byte: number): number {
  if (byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
