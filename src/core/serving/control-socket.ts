/**
 * The local control socket: contract texts as lines over a Unix socket (a named pipe on Windows), for the
 * command line. Only the same user can open it: mode 0600 (architecture, The contract).
 */
import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Channel } from '../../contract/channel.ts';

/** Longest line a server takes from a client, in bytes. */
export const MAX_REQUEST_BYTES = 1024 * 1024;
/** Longest line a client takes from the engine: a page of attempts with their headers is large. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** A reader that leaves more than this unread is cut off. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024;

/** One connection to the control socket. */
export interface ControlChannel extends Channel {
  onClose(listener: () => void): void;
}

export interface ControlSocket {
  /** Ends open connections, stops listening and removes the socket file. Harmless when repeated. */
  close(): Promise<void>;
}

/** Another process already answers on the socket. */
export class ControlSocketInUseError extends Error {
  readonly code = 'control_socket_in_use';
  constructor(path: string) {
    super(`Another process answers on ${path}.`);
    this.name = 'ControlSocketInUseError';
  }
}

/** Splits a socket's bytes into lines and ends the socket when one is longer than `maxLineBytes`. */
function readLines(socket: Socket, maxLineBytes: number, onLine: (line: string) => void): void {
  let parts: Buffer[] = [];
  let bytes = 0;
  const keep = (part: Buffer): boolean => {
    bytes += part.length;
    if (bytes > maxLineBytes) {
      socket.destroy();
      return false;
    }
    parts.push(part);
    return true;
  };
  socket.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      if (!keep(chunk.subarray(start, end))) return;
      const line = Buffer.concat(parts).toString('utf8');
      parts = [];
      bytes = 0;
      start = end + 1;
      if (line !== '') onLine(line);
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  });
}

function lineChannel(socket: Socket, maxLineBytes: number): ControlChannel {
  const waiting: string[] = [];
  let listener: ((text: string) => void) | null = null;
  socket.on('error', () => socket.destroy());
  readLines(socket, maxLineBytes, (line) => {
    if (listener === null) waiting.push(line);
    else listener(line);
  });
  return {
    post: (text) => {
      if (socket.destroyed) return;
      if (socket.writableLength > MAX_UNSENT_BYTES) socket.destroy();
      else socket.write(`${text}\n`);
    },
    onText: (next) => {
      listener = next;
      for (const text of waiting.splice(0)) next(text);
    },
    onClose: (run) => void socket.once('close', run),
    // Sends the texts that were posted, then closes without waiting for the peer's end.
    close: () => socket.destroySoon(),
  };
}

/** Connects as the command line does. Rejects with the system's error when nothing answers. */
export function connectControlSocket(path: string): Promise<ControlChannel> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(lineChannel(socket, MAX_ANSWER_BYTES));
    });
  });
}

const somethingAnswers = (path: string): Promise<boolean> =>
  connectControlSocket(path).then(
    (channel) => {
      channel.close();
      return true;
    },
    () => false,
  );

/** The identity of the socket file at `path`; null when there is none. Throws when something else is there. */
function socketFile(path: string): { dev: number; ino: number } | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (!stat.isSocket()) throw new Error(`${path} is not a socket; it is left as it is.`);
  return { dev: stat.dev, ino: stat.ino };
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });

/**
 * Binds inside a folder that only this user can enter, sets the mode there and moves the socket to its place. So the
 * socket is never open to others, not even for an instant. The move also replaces a stale file.
 */
async function bindPrivately(server: Server, path: string): Promise<void> {
  const folder = mkdtempSync(join(dirname(path), '.ctl-'));
  try {
    const inside = join(folder, 's');
    await listen(server, inside);
    chmodSync(inside, 0o600);
    renameSync(inside, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Serves the control socket at `path`. Replaces a stale socket file; rejects with {@link ControlSocketInUseError} when
 * something answers on it. A line over 1 MiB ends its connection.
 */
export async function serveControlSocket(
  path: string,
  onChannel: (channel: ControlChannel) => void,
  platform: NodeJS.Platform = process.platform,
): Promise<ControlSocket> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    onChannel(lineChannel(socket, MAX_REQUEST_BYTES));
  });
  const isPipe = platform === 'win32';
  if (!isPipe) socketFile(path);
  if (await somethingAnswers(path)) throw new ControlSocketInUseError(path);
  if (isPipe) await listen(server, path);
  else await bindPrivately(server, path);
  const mine = isPipe ? null : socketFile(path);
  server.on('error', () => {});

  const removeFile = (): void => {
    const there = mine === null ? null : lstatSync(path, { throwIfNoEntry: false });
    if (there !== undefined && there !== null && there.ino === mine?.ino && there.dev === mine.dev)
      rmSync(path, { force: true });
  };
  let closed: Promise<void> | null = null;
  return {
    close: () => {
      closed ??= new Promise((resolve) => {
        removeFile();
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
      return closed;
    },
  };
}
