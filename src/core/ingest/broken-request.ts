/**
 * Handles bytes on the ingest port that are not an HTTP request: answers where possible, then closes the connection.
 */
import type { Socket } from 'node:net';
import type { Timers } from '../ports.ts';
import { type AnswerCode, errorBody } from './answers.ts';

/** Time for the client to read the answer, in real milliseconds. */
const LINGER_MS = 1_000;

const TLS_HANDSHAKE = 0x16;

type ParseError = Error & { readonly code?: string; readonly rawPacket?: Uint8Array };

/** Whether the connection began with a TLS hello. Several clients speak only https. */
export function isTlsHello(error: ParseError, socket: Socket): boolean {
  const packet = error.rawPacket;
  return packet !== undefined && packet[0] === TLS_HANDSHAKE && socket.bytesRead <= packet.length;
}

const answered = new WeakSet<Socket>();

/** Node calls this for every piece of a broken stream; only the first one is answered. */
export function answerBrokenRequest(error: ParseError, socket: Socket, timers: Timers): void {
  if (answered.has(socket)) return;
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  answered.add(socket);
  const { status, code, message } = faultOf(error);
  socket.end(httpText(status, errorBody(code, message)));
  const timer = timers.after(LINGER_MS, () => socket.destroy());
  socket.once('close', () => timer.cancel());
}

function faultOf(error: ParseError): { status: string; code: AnswerCode; message: string } {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: '408 Request Timeout',
        code: 'request_timeout',
        message: 'The request took too long to arrive.',
      };
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: '431 Request Header Fields Too Large',
        code: 'headers_too_large',
        message: 'The headers are longer than 16 KB.',
      };
    default:
      return { status: '400 Bad Request', code: 'invalid_request', message: 'This is not an HTTP/1.1 request.' };
  }
}

/** The origin of the page is not known here, so any page may read the answer. */
function httpText(status: string, body: string): string {
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Access-Control-Allow-Origin: *',
    'Access-Control-Expose-Headers: Retry-After',
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
