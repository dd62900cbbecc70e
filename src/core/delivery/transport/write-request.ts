import type { Socket } from 'node:net';
import { failpoint } from '../../failpoint.ts';

/** A request up to this size is copied into one buffer and written by one call: cheaper than two parts. */
const MAX_COPIED_BYTES = 64 * 1024;

/** Writes a head in Latin-1 and a body. `sent` is called once the socket has taken all of it. */
export function writeRequest(socket: Socket, head: string, body: Uint8Array, sent: () => void): void {
  let text = head;
  failpoint('request_half_sent', () => {
    socket.write(head, 'latin1');
    text = '';
  });
  if (text.length + body.length <= MAX_COPIED_BYTES) socket.write(joined(text, body));
  else {
    socket.cork();
    socket.write(text, 'latin1');
    socket.write(body);
    socket.uncork();
  }
  if (socket.writableNeedDrain) socket.once('drain', sent);
  else sent();
}

function joined(head: string, body: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(head.length + body.length);
  bytes.write(head, 'latin1');
  bytes.set(body, head.length);
  return bytes;
}
