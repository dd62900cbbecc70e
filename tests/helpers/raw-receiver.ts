import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { Worker } from 'node:worker_threads';

/** One connection to a raw receiver. */
export interface Peer {
  readonly socket: Socket;
  /** Calls back with the bytes of each complete request on this connection (the head, and a body of Content-Length). */
  onRequest(handle: (request: Buffer) => void): void;
  /** Every byte so far. */
  received(): Buffer;
}

export interface RawReceiver {
  readonly port: number;
  /** `http://127.0.0.1:PORT/` or `https://localhost:PORT/`. */
  readonly url: string;
  readonly connections: number;
  /** Application bytes that arrived, over all connections. */
  readonly receivedBytes: number;
  /** Complete requests, in order of arrival over all connections. */
  readonly requests: readonly Buffer[];
  /** Sockets that are open now. */
  readonly openSockets: number;
  /** Resolves once `count` connections were made and all are closed. */
  allClosed(count?: number): Promise<void>;
  close(): Promise<void>;
}

export interface RawReceiverOptions {
  /** By default 127.0.0.1. */
  readonly host?: string;
  readonly port?: number;
  readonly tls?: TlsOptions;
}

/**
 * A receiver that answers with exactly the given bytes, over plain TCP or TLS. With TLS it counts only decrypted
 * application bytes, so that 0 means that nothing of a request arrived.
 */
export async function startRawReceiver(
  behave: (peer: Peer) => void,
  { host = '127.0.0.1', port = 0, tls }: RawReceiverOptions = {},
): Promise<RawReceiver> {
  const requests: Buffer[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let connections = 0;
  let receivedBytes = 0;

  const accept = (socket: Socket): void => {
    sockets.add(socket);
    connections += 1;
    let all = Buffer.alloc(0);
    let taken = 0;
    const handlers: ((request: Buffer) => void)[] = [];
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      for (const check of waiting) check();
    });
    socket.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      all = Buffer.concat([all, chunk]);
      for (let end = endOfRequest(all, taken); end !== null; end = endOfRequest(all, taken)) {
        const request = all.subarray(taken, end);
        taken = end;
        requests.push(request);
        for (const handle of handlers) handle(request);
      }
    });
    behave({ socket, onRequest: (handle) => handlers.push(handle), received: () => all });
  };

  const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept);
  const raw = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    raw.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      raw.delete(socket);
      for (const check of waiting) check();
    });
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const actual = (server.address() as AddressInfo).port;
  const urlHost = host === '::1' ? '[::1]' : tls ? 'localhost' : host;

  return {
    port: actual,
    url: `${tls ? 'https' : 'http'}://${urlHost}:${actual}/`,
    get connections() {
      return connections;
    },
    get receivedBytes() {
      return receivedBytes;
    },
    get openSockets() {
      return raw.size;
    },
    requests,
    allClosed(count = 0) {
      return new Promise((resolve) => {
        const check = (): void => {
          if (connections < count || raw.size > 0) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    },
    close() {
      for (const socket of [...sockets, ...raw]) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Answers each request with these bytes. `then` says what happens to the connection. */
export function answering(bytes: string | Buffer, then: 'keep' | 'end' | 'reset' = 'keep'): (peer: Peer) => void {
  return ({ socket, onRequest }) => {
    onRequest(() => {
      socket.write(bytes, 'latin1', () => {
        if (then === 'end') socket.end();
        if (then === 'reset') socket.resetAndDestroy();
      });
    });
  };
}

/** Where the request that begins at `from` ends, or null when it is not complete. */
function endOfRequest(all: Buffer, from: number): number | null {
  const head = all.indexOf('\r\n\r\n', from);
  if (head < 0) return null;
  const length = /\r\ncontent-length: *(\d+)/i.exec(all.toString('latin1', from, head));
  const end = head + 4 + Number(length?.[1] ?? 0);
  return end <= all.length ? end : null;
}

const SILENT_LISTENER = `
const { parentPort, workerData } = require('node:worker_threads');
const server = require('node:net').createServer();
server.listen({ port: 0, host: workerData.host, backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  Atomics.wait(workerData.stop, 0, 0);
  process.exit();
});
`;

/** More connections than the kernel queues for a backlog of 1. */
const FILLERS = 8;

/**
 * A port that silently ignores connection requests, like an address behind a firewall. Its listener never accepts, and
 * its queue is full.
 */
export async function startSilentPort(host: string): Promise<{ readonly port: number; close(): Promise<void> }> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(SILENT_LISTENER, { eval: true, workerData: { host, stop } });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  let connected = 0;
  const fillers: Socket[] = [];
  await new Promise<void>((resolve) => {
    for (let filler = 0; filler < FILLERS; filler += 1) {
      const socket = connect({ port, host });
      socket.on('error', () => {});
      socket.on('connect', () => {
        connected += 1;
        if (connected === 2) resolve();
      });
      fillers.push(socket);
    }
  });
  return {
    port,
    async close() {
      for (const socket of fillers) socket.destroy();
      Atomics.store(stop, 0, 1);
      Atomics.notify(stop, 0);
      await worker.terminate();
    },
  };
}
