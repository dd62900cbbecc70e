/**
 * Bounds the connections of a server without letting idle ones lock others out. One connection too many replaces the
 * oldest that waits for a request, or else the oldest of all. Upgraded connections do not count.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export function boundConnections(server: Server, limit: number): void {
  /** Oldest first. */
  const waiting = new Set<Socket>();
  const answering = new Set<Socket>();
  const forget = (socket: Socket): void => {
    waiting.delete(socket);
    answering.delete(socket);
  };
  const makeRoom = (): void => {
    const [oldest] = waiting.size > 0 ? waiting : answering;
    if (oldest === undefined) return;
    forget(oldest);
    oldest.destroy();
  };
  server.on('connection', (socket: Socket) => {
    if (waiting.size + answering.size >= limit) makeRoom();
    waiting.add(socket);
    socket.once('close', () => forget(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!waiting.delete(socket)) return;
    answering.add(socket);
    response.once('close', () => {
      if (answering.delete(socket) && !socket.destroyed) waiting.add(socket);
    });
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => forget(socket));
}
