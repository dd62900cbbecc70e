/** Bytes of one head, status line to empty line, that are read. */
export const MAX_HEAD_BYTES = 16 * 1024;

const PROTOCOL = Buffer.from('HTTP/');
/** Where the first digit of the status stands in `HTTP/1.1 200`. */
const STATUS_AT = 9;
const CR = 0x0d;
const LF = 0x0a;

/** A part of a head, a whole one with the place where it ends in the bytes given, or why the bytes are no head. */
export type ReadSoFar =
  /** `isFinal` once it is known that its status does not begin with 1. */
  | { readonly kind: 'open'; readonly isFinal: boolean }
  | { readonly kind: 'whole'; readonly text: string; readonly end: number }
  | { readonly kind: 'not_http'; readonly beginning: string }
  | { readonly kind: 'lone_lf' }
  | { readonly kind: 'too_large' };

/**
 * Collects the head of one answer from the bytes as they arrive. Most heads arrive whole and are read where they are;
 * the bytes of a part are copied, because the socket uses its buffer again.
 */
export class HeadReader {
  #held: Buffer | null = null;
  /** How much of the held bytes was looked through, and where its last line begins. */
  #seen = 0;
  #lineStart = 0;

  /** Whether some of a head has arrived. */
  get hasBegun(): boolean {
    return this.#held !== null;
  }

  /** Reads on with the bytes from `from`. `end` of a whole head is where the rest begins in `bytes`. */
  take(bytes: Buffer, from: number): ReadSoFar {
    const before = this.#held?.length ?? 0;
    const start = before === 0 ? afterBlankLines(bytes, from) : from;
    const arrived = bytes.subarray(start);
    const all = this.#held ? Buffer.concat([this.#held, arrived]) : arrived;
    if (!isHttp(all)) return { kind: 'not_http', beginning: all.toString('latin1', 0, 40) };
    const end = this.#endOfHead(all);
    if (end === 'lone_lf') return { kind: end };
    if ((end ?? all.length) > MAX_HEAD_BYTES) return { kind: 'too_large' };
    if (end !== null) {
      this.reset();
      return { kind: 'whole', text: all.toString('latin1', 0, end), end: start + end - before };
    }
    if (all.length > 0) this.#held = all === arrived ? Buffer.from(all) : all;
    return { kind: 'open', isFinal: all.length > STATUS_AT && all[STATUS_AT] !== 0x31 };
  }

  reset(): void {
    this.#held = null;
    this.#seen = 0;
    this.#lineStart = 0;
  }

  #endOfHead(bytes: Buffer): number | null | 'lone_lf' {
    for (let at = this.#seen; at < bytes.length; at += 1) {
      if (bytes[at] !== LF) continue;
      if (bytes[at - 1] !== CR) return 'lone_lf';
      if (at - 1 === this.#lineStart) return at + 1;
      this.#lineStart = at + 1;
    }
    this.#seen = bytes.length;
    return null;
  }
}

/** Empty lines before an answer are ignored (RFC 9112, section 2.2, says so of requests). */
function afterBlankLines(bytes: Buffer, from: number): number {
  let start = from;
  while (bytes[start] === CR || bytes[start] === LF) start += 1;
  return start;
}

/** True as long as it may still be. */
function isHttp(bytes: Buffer): boolean {
  for (let at = 0; at < PROTOCOL.length && at < bytes.length; at += 1) if (bytes[at] !== PROTOCOL[at]) return false;
  return true;
}
