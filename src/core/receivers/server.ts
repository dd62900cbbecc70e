/**
 * The receivers' HTTP and HTTPS servers: sockets and their limits. What a request means is in `receiver-set.ts`,
 * what an answer looks like on the wire in `answer.ts`.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { wireKey } from '../model/wire-place.ts';
import type { Clock, Timer, Timers } from '../ports.ts';
import { sendAnswer } from './answer.ts';
import type { Certificate } from './certificate.ts';
import type { Hit } from './hit-log.ts';
import { closeServers, type ListenerState, listenOnLoopback } from './listen.ts';
import type { Receiver } from './program.ts';
import { MAX_BODY_BYTES, type ReceiverSet, type Taken } from './receiver-set.ts';

/** The most connections of one server; it drops any more. */
const MAX_CONNECTIONS = 512;
/** Bytes of all bodies that are being read. Above it a new request gets 503; above twice that it is cut. */
const MAX_READING_BYTES = 16 * 1024 * 1024;
/** How far a body that is too long is read, so that its sender gets to read the answer. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;
const HEADERS_MS = 10_000;
const REQUEST_MS = 10_000;
/** Longer than any client keeps an idle connection, so that no request arrives on a closing one. */
const KEEP_ALIVE_MS = 61_000;

export type Scheme = 'http' | 'https';

export interface ReceiversServerParts {
  readonly set: ReceiverSet;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called once, when the first HTTPS port is opened. */
  readonly certificate: () => Promise<Certificate>;
  /** Called before a request is judged: takes in what the engine has said by then. */
  readonly catchUp?: () => void;
  /** Called when a receiver got a request, or an answer has ended. */
  readonly changed: (id: string) => void;
  /** Called when the answer of a request has ended. */
  readonly ended?: (hit: Hit) => void;
}

interface Body {
  readonly bytes: Buffer;
  readonly length: number;
}

export class ReceiversServer {
  readonly #parts: ReceiversServerParts;
  readonly #servers: Record<Scheme, readonly Server[]> = { http: [], https: [] };
  readonly #sockets = new Set<Socket>();
  #readingBytes = 0;
  #certificate: Promise<Certificate> | null = null;

  constructor(parts: ReceiversServerParts) {
    this.#parts = parts;
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Listens on `port` in place of the earlier one; 0 takes any free port. */
  async listen(scheme: Scheme, port: number): Promise<ListenerState> {
    await this.close(scheme);
    const make = scheme === 'http' ? () => this.#plainServer() : await this.#tlsServer();
    const { state, servers } = await listenOnLoopback(make, port);
    this.#servers[scheme] = servers;
    return state;
  }

  /** Ends every connection of a scheme at once, even while it answers. */
  async close(scheme: Scheme): Promise<void> {
    const servers = this.#servers[scheme];
    this.#servers[scheme] = [];
    const closed = closeServers(servers);
    for (const socket of this.#sockets) if (servers.includes(serverOf.get(socket)!)) socket.destroy();
    await closed;
  }

  /** Ends everything at once. Harmless when repeated. */
  async stop(): Promise<void> {
    await Promise.all([this.close('http'), this.close('https')]);
  }

  #plainServer(): Server {
    return this.#watched(createServer(OPTIONS, this.#listener(false)));
  }

  async #tlsServer(): Promise<() => Server> {
    this.#certificate ??= this.#parts.certificate();
    const certificate = await this.#certificate;
    return () => this.#watched(createTlsServer({ ...OPTIONS, ...certificate }, this.#listener(true)));
  }

  #watched(server: Server): Server {
    server.maxConnections = MAX_CONNECTIONS;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      serverOf.set(socket, server);
      socket.on('error', () => {});
      socket.once('close', () => this.#sockets.delete(socket));
    });
    return server;
  }

  #listener(tls: boolean): RequestListener {
    return (request, response) => {
      response.on('error', () => {});
      // Every request counts, and a socket that closes forgets its addresses.
      const wire = nextWireKey(request.socket);
      const receiver = this.#find(request.url ?? '', tls);
      if (receiver === undefined) return refuse(request, response, 404, 'There is no receiver at this path.');
      if (this.#readingBytes > MAX_READING_BYTES) return refuse(request, response, 503, 'Too many bodies at once.');
      this.#read(request, (body) => void this.#answer(receiver, request, response, { ...body, wire }));
    };
  }

  #find(target: string, tls: boolean): Receiver | undefined {
    const id = receiverIdOf(target);
    const receiver = id === undefined ? undefined : this.#parts.set.get(id);
    return receiver?.tls === tls ? receiver : undefined;
  }

  /** Calls back when the request is whole, or never if it breaks off. */
  #read(request: IncomingMessage, whole: (body: Body) => void): void {
    const chunks: Buffer[] = [];
    let length = 0;
    let kept = 0;
    const release = (): void => {
      this.#readingBytes -= kept;
      kept = 0;
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > MAX_DRAINED_BYTES || this.#readingBytes > 2 * MAX_READING_BYTES) return void request.destroy();
      if (length > MAX_BODY_BYTES) return;
      chunks.push(chunk);
      kept += chunk.length;
      this.#readingBytes += chunk.length;
    });
    request.once('error', () => {});
    request.once('close', release);
    request.once('end', () => {
      release();
      whole({ bytes: Buffer.concat(chunks), length });
    });
  }

  async #answer(
    receiver: Receiver,
    request: IncomingMessage,
    response: ServerResponse,
    body: Body & { readonly wire: string },
  ): Promise<void> {
    const { set, clock, timers, catchUp, changed, ended } = this.#parts;
    const startedAt = clock.mono();
    catchUp?.();
    const taken = set.take(receiver, {
      method: request.method ?? '',
      path: request.url ?? '',
      rawHeaders: request.rawHeaders,
      signature: oneText(request.headers['x-signature']),
      body: body.bytes,
      bodyBytes: body.length,
      wire: body.wire,
    });
    changed(receiver.id);
    const stayed = await waitFor(taken.answer.delayMs, response, timers);
    const { gone } = stayed ? await sendAnswer(response, taken.answer.response, timers) : { gone: true };
    const hit = this.#finish(taken, gone, stayed, clock.mono() - startedAt);
    changed(receiver.id);
    if (hit !== undefined) ended?.(hit);
  }

  /** An answer that nobody waited for has no status. */
  #finish({ hit }: Taken, gone: boolean, stayed: boolean, durationMs: number): Hit | undefined {
    return this.#parts.set.log.finish(hit.id, { status: stayed ? hit.status : null, durationMs, gone });
  }
}

/** The receiver that a request target names. */
export const receiverIdOf = (target: string): string | undefined =>
  /^\/r\/([a-z0-9-]{1,64})\/?(?:\?.*)?$/s.exec(target)?.[1];

const OPTIONS = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  headersTimeout: HEADERS_MS,
  requestTimeout: REQUEST_MS,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 64 * 1024,
  requireHostHeader: false,
} as const;

/** The server that accepted a socket. */
const serverOf = new WeakMap<Socket, Server>();

/** How many requests came over a socket. */
const requestsOf = new WeakMap<Socket, number>();

function nextWireKey(socket: Socket): string {
  const order = (requestsOf.get(socket) ?? 0) + 1;
  requestsOf.set(socket, order);
  return wireKey({ client: `${socket.remoteAddress}:${socket.remotePort}`, port: socket.localPort ?? 0, order });
}

const oneText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  request.resume();
  const body = `${JSON.stringify({ error: status === 404 ? 'not_found' : 'busy', message })}\n`;
  response.writeHead(status, ['Content-Type', 'application/json', 'Content-Length', String(body.length)]);
  response.end(body);
}

/** False when the other side left meanwhile. */
function waitFor(delayMs: number, response: ServerResponse, timers: Timers): Promise<boolean> {
  if (delayMs === 0) return Promise.resolve(!response.destroyed);
  return new Promise((resolve) => {
    const timer: Timer = timers.after(delayMs, () => {
      response.off('close', left);
      resolve(true);
    });
    const left = (): void => {
      timer.cancel();
      resolve(false);
    };
    response.once('close', left);
  });
}
