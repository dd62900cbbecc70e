/** Requests as bytes, because fetch would correct what a test needs wrong. */
import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 when the connection ended without one. */
  readonly status: number;
  /** The whole answer. */
  readonly text: string;
}

/** True when the answer is complete by its length or is an upgrade. A server may keep such a connection open. */
function isComplete(text: string): boolean {
  if (text.startsWith('HTTP/1.1 101')) return true;
  const end = text.indexOf('\r\n\r\n');
  const length = /^content-length: (\d+)\r$/im.exec(text.slice(0, end + 2))?.[1];
  return end !== -1 && length !== undefined && text.length >= end + 4 + Number(length);
}

/** Sends bytes to 127.0.0.1 and returns the answer: everything until it was complete or the connection ended. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let text = '';
    const done = (): void => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (isComplete(text)) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', done);
  });
}

export type HeaderList = ReadonlyArray<readonly [string, string]>;

/** A request with exactly these headers that asks the server to close. */
export const rawRequest = (method: string, target: string, headers: HeaderList): string =>
  [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    '',
  ].join('\r\n');

export const rawUpgrade = (target: string, headers: HeaderList): string =>
  [
    `GET ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '',
    '',
  ].join('\r\n');
