/** What is answered to bytes that are no HTTP request, over a socket that remembers. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { answerBrokenRequest, isTlsHello } from '../../../src/core/ingest/broken-request.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

class FakeSocket extends EventEmitter {
  writable = true;
  destroyed = 0;
  readonly ended: string[] = [];
  end(text: string): void {
    this.ended.push(text);
  }
  destroy(): void {
    this.destroyed += 1;
    this.emit('close');
  }
}

const broken = (code?: string) => Object.assign(new Error('broken'), code === undefined ? {} : { code });
function answer(socket: FakeSocket, error: Error, time = new SimTime()): SimTime {
  answerBrokenRequest(error, socket as unknown as Socket, time);
  return time;
}

describe('a broken request', () => {
  it.each([
    [undefined, '400 Bad Request', 'invalid_request', 'This is not an HTTP/1.1 request.'],
    ['HPE_INVALID_METHOD', '400 Bad Request', 'invalid_request', 'This is not an HTTP/1.1 request.'],
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'request_timeout', 'The request took too long to arrive.'],
    [
      'HPE_HEADER_OVERFLOW',
      '431 Request Header Fields Too Large',
      'headers_too_large',
      'The headers are longer than 16 KB.',
    ],
  ])('with the code %s is answered %s, and any page may read it', (code, status, name, message) => {
    const socket = new FakeSocket();
    answer(socket, broken(code));
    const body = JSON.stringify({ success: false, code: name, message, error: message });
    expect(socket.ended).toEqual([
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
        'Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: Retry-After\r\nConnection: close\r\n\r\n' +
        body,
    ]);
  });

  it('is answered once, however many pieces follow, and cut off after a second', async () => {
    const socket = new FakeSocket();
    const time = answer(socket, broken());
    answer(socket, broken(), time);
    expect([socket.ended.length, time.pending, time.nextInMs]).toEqual([1, 1, 1_000]);
    await time.advance(999);
    expect(socket.destroyed).toBe(0);
    await time.advance(1);
    expect(socket.destroyed).toBe(1);
  });

  it('leaves no timer once its connection has closed', () => {
    const socket = new FakeSocket();
    const time = answer(socket, broken());
    socket.emit('close');
    expect([time.pending, socket.destroyed]).toEqual([0, 0]);
  });

  it.each([
    ['that nobody can be told of', broken(), false],
    ['of a client that went away', broken('ECONNRESET'), true],
  ])('%s ends its connection at once', (_title, error, writable) => {
    const socket = Object.assign(new FakeSocket(), { writable });
    const time = answer(socket, error);
    expect([socket.ended, socket.destroyed, time.pending]).toEqual([[], 1, 0]);
  });
});

it.each<[string, number[] | undefined, number, boolean]>([
  ['a hello is all that came', [0x16, 3, 1], 3, true],
  ['a request begins as a hello would, after others', [0x16, 3, 1], 300, false],
  ['something else came', [0x47, 0x45, 0x54], 3, false],
  ['nothing was read', undefined, 0, false],
])('%s: a TLS hello, or not', (_title, packet, bytesRead, expected) => {
  const error = Object.assign(broken(), packet === undefined ? {} : { rawPacket: Uint8Array.from(packet) });
  expect(isTlsHello(error, { bytesRead } as Socket)).toBe(expected);
});
