/** What receivers are made of: how one behaves, and the expected result of an attempt at it. */
import type { Socket } from 'node:net';
import type { AttemptReason } from '../../src/core/model/attempt.ts';
import type { Outcome } from '../../src/core/model/vocabulary.ts';
import type { Peer } from './raw-receiver.ts';

/** The expected result of an attempt at one kind of receiver. */
export interface ExpectedAnswer {
  readonly outcome: Outcome;
  /** By default null. */
  readonly reason?: AttemptReason;
  /** By default null. */
  readonly status?: number;
  /** By default false. */
  readonly cut?: boolean;
  /** Bytes of body kept. */
  readonly kept?: number;
}

export interface ReceiverKind {
  readonly name: string;
  readonly behave: (peer: Peer) => void;
  readonly expected: ExpectedAnswer;
  /** True when the attempt ends at its deadline. */
  readonly endless?: boolean;
}

const CRLF = '\r\n';
export const KIB = 1024;

export function answer(statusLine: string, headers: readonly string[] = [], body = ''): string {
  return [statusLine, ...headers, '', body].join(CRLF);
}

export function whole(status: string, body = 'ok', headers: readonly string[] = []): string {
  return answer(`HTTP/1.1 ${status}`, [`Content-Length: ${body.length}`, ...headers], body);
}

/**
 * Writes the chunk again and again until the connection fails or closes. Driven by I/O, without a timer. After a write
 * has failed, Node fails each further one at once and does not yet destroy the socket, so this would write for ever.
 */
export function pour(socket: Socket, chunk: string | Buffer): void {
  const more = (error?: Error | null): void => {
    if (!error && !socket.destroyed) socket.write(chunk, 'latin1', more);
  };
  more();
}

/** Sends a byte every `everyMs` until the connection closes. */
export function drip(socket: Socket, text: string, everyMs = 20): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text[at % text.length] ?? '');
    at += 1;
  }, everyMs);
  socket.on('close', () => clearInterval(timer));
}

export const onRequest =
  (act: (socket: Socket) => void) =>
  (peer: Peer): void =>
    peer.onRequest(() => act(peer.socket));

export const accepted = (rest: Partial<ExpectedAnswer> = {}): ExpectedAnswer => ({
  outcome: 'accepted',
  status: 200,
  ...rest,
});
export const noConnection = (reason: AttemptReason): ExpectedAnswer => ({ outcome: 'no_connection', reason });
export const invalid = noConnection('invalid_response');
