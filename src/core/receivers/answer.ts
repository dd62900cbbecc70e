/**
 * Puts one answer on the wire. An answer that HTTP allows goes through Node's own writer and keeps the connection; a
 * fault takes over the socket and ends it.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Timers } from '../ports.ts';
import type { InvalidAnswer, Response } from './program.ts';
import { type Ended, takeOver, type Wire } from './wire.ts';

/** When an endless answer stops, in real milliseconds. */
export const LONGEST_ANSWER_MS = 60_000;
/** Gives the other side time to read the bytes before a reset. */
const RESET_AFTER_MS = 50;
/** The shortest time between two pieces of a dripped answer. */
const DRIP_EVERY_MS = 50;
const POURED = Buffer.alloc(16 * 1024, 'endless ');

type Pair = readonly [name: string, value: string];
type Fault = Exclude<Response, { kind: 'status' | 'redirect' | 'throttle' }>;

/** Resolves when the answer is out or the other side has left; never rejects. */
export function sendAnswer(response: ServerResponse, answer: Response, timers: Timers): Promise<Ended> {
  if (response.destroyed) return Promise.resolve({ gone: true });
  switch (answer.kind) {
    case 'status': {
      const headers = answer.headers.map(({ name, value }): Pair => [name, value]);
      // Node takes 1xx for an interim answer and would send a final one after it.
      if (answer.status < 200) return takeOver(response, timers, (wire) => wire.end(head(answer.status, headers)));
      return write(response, answer.status, headers, answer.body);
    }
    case 'redirect':
      return write(response, answer.status, [['Location', answer.location]], '');
    case 'throttle':
      return write(response, 429, [['Retry-After', answer.retryAfter]], '');
    default:
      return takeOver(response, timers, (wire) => misbehave(wire, answer));
  }
}

function write(response: ServerResponse, status: number, headers: readonly Pair[], body: string): Promise<Ended> {
  const bodiless = status === 204 || status === 304;
  const length: readonly Pair[] = bodiless ? [] : [['Content-Length', String(Buffer.byteLength(body))]];
  return new Promise((resolve) => {
    response.once('finish', () => resolve({ gone: false }));
    response.once('close', () => resolve({ gone: true }));
    response.writeHead(status, [...headers, ...length].flat());
    response.end(bodiless ? undefined : body);
  });
}

function head(status: number, headers: readonly Pair[]): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n`;
}

const CLOSE: Pair = ['Connection', 'close'];

function misbehave(wire: Wire, fault: Fault): void {
  switch (fault.kind) {
    case 'hang':
      return wire.later(fault.holdMs, () => wire.end());
    case 'reset':
      return wire.reset();
    case 'reset_during':
      wire.write(
        fault.part === 'head' ? 'HTTP/1.1 200 OK\r\nContent-Le' : `${head(200, [['Content-Length', '64']])}half`,
      );
      return wire.later(RESET_AFTER_MS, () => wire.reset());
    case 'close':
      return wire.end();
    case 'drip':
      return drip(wire, fault);
    case 'endless':
      return pour(wire, fault.status);
    case 'huge_headers':
      return wire.end(head(200, [...bigHeaders(fault.bytes), ['Content-Length', '0'], CLOSE]));
    case 'invalid_http':
      return wire.end(INVALID[fault.variant]);
  }
}

/** Writes, every `DRIP_EVERY_MS` or slower, as many bytes as the rate allows for that time. */
function drip(wire: Wire, { part, status, bytesPerSecond }: Extract<Fault, { kind: 'drip' }>): void {
  const everyMs = Math.max(DRIP_EVERY_MS, 1_000 / bytesPerSecond);
  const perDrop = Math.max(1, Math.round((bytesPerSecond * everyMs) / 1_000));
  // Endless headers: the status line and headers never become whole.
  const text = part === 'head' ? `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` : '';
  if (part === 'body') wire.write(head(status, [CLOSE]));
  let sent = 0;
  const byteAt = (at: number): string =>
    text[at] ?? (part === 'head' ? HEADER_LINE : BODY_LINE)[(at - text.length) % 12]!;
  const drop = (): void => {
    let piece = '';
    for (let i = 0; i < perDrop; i++) piece += byteAt(sent++);
    wire.write(piece);
    wire.later(everyMs, drop);
  };
  drop();
  wire.later(LONGEST_ANSWER_MS, () => wire.end());
}
/** Twelve characters each. */
const HEADER_LINE = 'X-Drip: on\r\n';
const BODY_LINE = 'drop by drop';

/** Writes as fast as the other side reads: the next piece follows when the last one is out. */
function pour(wire: Wire, status: number): void {
  const more = (): void => wire.write(POURED, more);
  wire.write(head(status, [CLOSE]), more);
  wire.later(LONGEST_ANSWER_MS, () => wire.end());
}

function bigHeaders(bytes: number): Pair[] {
  const lineBytes = 1_000;
  return Array.from({ length: Math.ceil(bytes / lineBytes) }, (_unused, i): Pair => {
    const name = `X-Large-${i}`;
    return [name, 'h'.repeat(lineBytes - name.length - 4)];
  });
}

const INVALID: Record<InvalidAnswer, string> = {
  banner: 'SSH-2.0-OpenSSH_9.6\r\n',
  bad_status: 'HTTP/1.1 abc Odd\r\nContent-Length: 0\r\n\r\n',
  two_lengths: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nodd',
  bad_header: 'HTTP/1.1 200 OK\r\nthis is not a header\r\n\r\n',
};
