/** Where an answer's body ends, and whether its connection may be used again (RFC 9112, sections 6.3 and 9.3). */
import type { AnswerHead } from './answer-head.ts';

export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  /** The body ends when the connection closes. */
  | { readonly kind: 'until_close' };

export interface Framed {
  readonly framing: Framing;
  /** Milliseconds for which the server keeps the connection: 0 when it closes it, Infinity when it does not say. */
  readonly keptMs: number;
}

const NONE: Framing = { kind: 'none' };
const CHUNKED: Framing = { kind: 'chunked' };
const UNTIL_CLOSE: Framing = { kind: 'until_close' };
const DIGITS = /^\d{1,15}$/;
const TIMEOUT = /(?:^|[,; \t])timeout=(\d+)/i;

/** The framing of an answer to a POST or a GET; or what is wrong with it. */
export function framingOf({ version, status, headers }: AnswerHead): Framed | string {
  const lengths: string[] = [];
  const codings: string[] = [];
  const connection: string[] = [];
  let keepAlive = '';
  for (const [name, value] of headers) {
    switch (name.toLowerCase()) {
      case 'content-length':
        lengths.push(value);
        break;
      case 'transfer-encoding':
        codings.push(value);
        break;
      case 'connection':
        connection.push(...tokens(value));
        break;
      case 'keep-alive':
        keepAlive = value;
        break;
    }
  }
  const framing = bodyOf(lengths, codings);
  if (typeof framing === 'string') return framing;
  const keeps = version === '1.1' ? !connection.includes('close') : connection.includes('keep-alive');
  const keptMs = keeps ? patience(keepAlive) : 0;
  if (status !== 204 && status !== 304) return { framing, keptMs: framing === UNTIL_CLOSE ? 0 : keptMs };
  // A body that must not be there could follow, and would be read as the next answer.
  const mayHaveBody = codings.length > 0 || (framing.kind === 'length' && framing.bytes > 0);
  return { framing: NONE, keptMs: mayHaveBody ? 0 : keptMs };
}

function bodyOf([length, ...more]: readonly string[], codings: readonly string[]): Framing | string {
  if (length !== undefined) {
    if (codings.length > 0) return 'The answer has both Content-Length and Transfer-Encoding.';
    if (more.length > 0) return 'The answer has more than one Content-Length.';
    if (!DIGITS.test(length)) return `The Content-Length is ${JSON.stringify(length.slice(0, 40))}.`;
    return { kind: 'length', bytes: Number(length) };
  }
  return codings.flatMap(tokens).at(-1) === 'chunked' ? CHUNKED : UNTIL_CLOSE;
}

/** The members of a list, in lower case. Empty ones do not count (RFC 9110, section 5.6.1). */
function tokens(value: string): string[] {
  const members = value.split(',').map((token) => token.trim().toLowerCase());
  return members.filter((token) => token !== '');
}

function patience(keepAlive: string): number {
  const seconds = TIMEOUT.exec(keepAlive)?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000;
}
