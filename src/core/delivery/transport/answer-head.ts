/** The status line and headers of an answer (RFC 9112, sections 4 and 5). */
import { type Header, isHeaderName, isHeaderValue } from '../../model/header.ts';

export interface AnswerHead {
  /** 1.0 closes the connection unless it says otherwise, 1.1 keeps it. */
  readonly version: '1.0' | '1.1';
  /** Three digits. */
  readonly status: number;
  /** In UTF-8; empty when the answer has none. */
  readonly statusText: string;
  /** In the order and case received, in Latin-1, without the blanks around values. */
  readonly headers: readonly Header[];
}

const STATUS_LINE = /^HTTP\/(1\.[01]) (\d{3})(?: ([^\r\n]*))?$/;
const NOT_ASCII = /[\x80-\xff]/;

/** Reads a head in Latin-1, from the first byte of its status line to its empty line; or says what is wrong with it. */
export function readHead(text: string): AnswerHead | string {
  const [first = '', ...fields] = text.slice(0, -4).split('\r\n');
  const line = STATUS_LINE.exec(first);
  if (!line) return `The status line is ${JSON.stringify(first.slice(0, 40))}.`;
  const [, version, status, statusText = ''] = line;
  const headers: Header[] = [];
  for (const field of fields) {
    const header = readField(field);
    if (!header) return `A header line is ${JSON.stringify(field.slice(0, 40))}.`;
    headers.push(header);
  }
  return { version: version as AnswerHead['version'], status: Number(status), statusText: utf8(statusText), headers };
}

/** Null for a name that is none, a line that goes on from the one before, and a value with control characters. */
function readField(field: string): Header | null {
  const colon = field.indexOf(':');
  const name = field.slice(0, colon);
  const value = withoutBlanks(field, colon + 1);
  return colon > 0 && isHeaderName(name) && isHeaderValue(value) ? [name, value] : null;
}

/** Only blanks and tabs. String.trim would hide other characters that no value may have. */
function withoutBlanks(text: string, from: number): string {
  let start = from;
  let end = text.length;
  while (isBlank(text, start)) start += 1;
  while (isBlank(text, end - 1)) end -= 1;
  // Of a value of blanks alone, the end is now before the start.
  return text.slice(start, end);
}

function isBlank(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t';
}

function utf8(latin1: string): string {
  return NOT_ASCII.test(latin1) ? Buffer.from(latin1, 'latin1').toString() : latin1;
}
