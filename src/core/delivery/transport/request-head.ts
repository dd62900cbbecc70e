/** The request line and headers of an attempt (RFC 9112, section 3). */
import { type Header, isHeaderName, isHeaderValue } from '../../model/header.ts';
import type { AttemptRequest } from '../../ports.ts';

/** Headers that say how a request is framed. A connection writes the first three itself. */
const OF_THE_CONNECTION = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
]);

/** Why these headers cannot be written, or null. */
export function headersProblem(headers: readonly Header[]): string | null {
  for (const [name, value] of headers) {
    if (!isHeaderName(name)) return `The header name ${JSON.stringify(name)} is not allowed.`;
    if (!isHeaderValue(value)) return `The header ${name} has a character that HTTP does not allow.`;
    if (OF_THE_CONNECTION.has(name.toLowerCase())) return `The header ${name} is set by Hookbench.`;
  }
  return null;
}

/** All headers in the order in which they are written: those of the connection around those of the attempt. */
export function allHeaders(host: string, { method = 'POST', headers, body }: AttemptRequest): Header[] {
  const written: Header[] = [['host', host], ['connection', 'keep-alive'], ...headers];
  if (method === 'POST') written.push(['content-length', String(body.length)]);
  return written;
}

/** The head as it is written, in Latin-1. */
export function headText(method: string, path: string, headers: readonly Header[]): string {
  let text = `${method} ${path} HTTP/1.1\r\n`;
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`;
  return `${text}\r\n`;
}
