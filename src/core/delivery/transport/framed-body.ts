import type { AnswerBody, OnBody } from './answer-body.ts';
import type { Framing } from './answer-framing.ts';
import { ChunkedBody } from './chunked-body.ts';

/** The body that is framed like this (RFC 9112, section 6.3). */
export function bodyFramed(framing: Framing): AnswerBody {
  switch (framing.kind) {
    case 'none':
      return new CountedBody(0);
    case 'length':
      return new CountedBody(framing.bytes);
    case 'until_close':
      return new CountedBody(Number.POSITIVE_INFINITY);
    case 'chunked':
      return new ChunkedBody();
  }
}

/** A body of a known number of bytes; of infinitely many when it ends with the connection. */
class CountedBody implements AnswerBody {
  readonly endsWithConnection: boolean;
  readonly problem = null;
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
    this.endsWithConnection = bytes === Number.POSITIVE_INFINITY;
  }

  get isWhole(): boolean {
    return this.#left === 0;
  }

  take(bytes: Buffer, from: number, onBody: OnBody): number {
    const end = Math.min(bytes.length, from + this.#left);
    if (end > from) onBody(bytes.subarray(from, end));
    this.#left -= end - from;
    return end;
  }
}
