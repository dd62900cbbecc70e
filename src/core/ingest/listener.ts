/**
 * The HTTP listener of ingest: it knows sockets and their limits, but not what a request means.
 * It listens on one port of both 127.0.0.1 and ::1, because `localhost` can mean either (decisions, Ingest).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { failpoint } from '../failpoint.ts';
import { headerPairs } from '../model/header.ts';
import type { Logger, Timer, Timers } from '../ports.ts';
import { readBody } from './body-reader.ts';
import { answerBrokenRequest, isTlsHello } from './broken-request.ts';
import { errorCode, listenError } from './listen-error.ts';
import type { IngestRequest, IngestResponse } from './request.ts';

export interface ListenerParts {
  handle(request: IngestRequest): Promise<IngestResponse>;
  /** Called for each request before its body is read. Returns true when it has broken the connection off. */
  readonly takesHead?: (request: IncomingMessage) => boolean;
  readonly timers: Timers;
  readonly logger: Logger;
  /** A client spoke TLS to this plain port; `remote` is its address. */
  readonly onTlsHello?: (remote: string | null) => void;
  /** A connection to the https port ended before it was secure. */
  readonly onTlsFailure?: (error: NodeJS.ErrnoException) => void;
  readonly limits?: Partial<ListenerLimits>;
}

/** Real milliseconds. */
export interface ListenerLimits {
  /** Over the minute for which clients keep an idle connection, so that no client writes into a closing one. */
  readonly keepAliveMs: number;
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often Node checks the two limits above. */
  readonly checkEveryMs: number;
  /** How long `stop` waits for requests that are being answered. */
  readonly stopGraceMs: number;
}

const DEFAULT_LIMITS: ListenerLimits = {
  keepAliveMs: 61_000,
  headersMs: 10_000,
  requestMs: 10_000,
  checkEveryMs: 500,
  stopGraceMs: 3_000,
};

const MAX_HEADER_BYTES = 16 * 1024;
const PORT_TRIES = 20;
/**
 * Connections that may wait to be accepted. The system lowers it to its own maximum (Linux: net.core.somaxconn,
 * 4,096). With Node's default of 511, 1,000 clients at once overflowed it, and the rest tried again after 1, 3, 7 … s.
 */
export const BACKLOG = 4_096;

const VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);
const WRONG_VERSION = new Error('The version of HTTP is neither 1.0 nor 1.1.');

export interface Listening {
  readonly port: number;
  /** `127.0.0.1`, and `::1` where the machine has IPv6. */
  readonly addresses: readonly string[];
}

/** As PEM: the server certificate with its chain, and its private key. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

export interface Listener {
  /**
   * Port 0 takes any free port. With an identity it speaks https only. Rejects with a `ListenError`, and then
   * nothing listens.
   */
  start(port: number, identity?: TlsIdentity): Promise<Listening>;
  /** New connections get this certificate; open ones keep theirs. */
  renew(identity: TlsIdentity): void;
  /** Stops accepting, finishes open answers and closes the rest. May be repeated, and `start` may follow. */
  stop(): Promise<void>;
}

export function createListener(parts: ListenerParts): Listener {
  return new LoopbackListener(parts);
}

class LoopbackListener implements Listener {
  readonly #parts: ListenerParts;
  readonly #limits: ListenerLimits;
  #servers: Server[] = [];
  /** Null for plain http. */
  #identity: TlsIdentity | null = null;
  /** Open connections, each with its number of unanswered requests. */
  readonly #open = new Map<Socket, number>();
  /** The plain connections beneath secure ones, and those that are not secure yet. */
  readonly #beneath = new Set<Socket>();
  /** Connections whose client has its answer but is still sending. */
  readonly #draining = new WeakSet<Socket>();
  #stopping: Promise<void> | null = null;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    this.#limits = { ...DEFAULT_LIMITS, ...parts.limits };
  }

  async start(port: number, identity?: TlsIdentity): Promise<Listening> {
    await this.#stopping;
    if (this.#servers.length > 0) throw new Error('The listener is already started.');
    this.#identity = identity ?? null;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#listenOnBoth(port);
      } catch (error) {
        await closeAll(this.#servers);
        this.#servers = [];
        // A port that was free for IPv4 may be taken for IPv6.
        if (port === 0 && errorCode(error) === 'EADDRINUSE' && tries < PORT_TRIES) continue;
        throw await listenError(error, port);
      }
    }
  }

  async #listenOnBoth(port: number): Promise<Listening> {
    const taken = await this.#listen('127.0.0.1', port);
    try {
      await this.#listen('::1', taken);
      return { port: taken, addresses: ['127.0.0.1', '::1'] };
    } catch (error) {
      if (!NO_IPV6.has(errorCode(error))) throw error;
      this.#parts.logger.log('info', 'ingest_without_ipv6', { code: errorCode(error) });
      return { port: taken, addresses: ['127.0.0.1'] };
    }
  }

  #listen(host: string, port: number): Promise<number> {
    const server = this.#createServer();
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true, backlog: BACKLOG }, () => {
        server.off('error', reject);
        server.on('error', (error) => this.#parts.logger.log('error', 'ingest_listener', { message: error.message }));
        this.#servers.push(server);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  renew(identity: TlsIdentity): void {
    this.#identity = identity;
    for (const server of this.#servers) (server as SecureServer).setSecureContext(identity);
  }

  #createServer(): Server {
    const { keepAliveMs, headersMs, requestMs, checkEveryMs } = this.#limits;
    const options = {
      keepAliveTimeout: keepAliveMs,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Ingest itself refuses a request without Host, with a body that clients can read.
      requireHostHeader: false,
      insecureHTTPParser: false,
    };
    const server =
      this.#identity === null
        ? createServer(options)
        : createSecureServer({ ...options, ...this.#identity, handshakeTimeout: headersMs });
    this.#watchConnections(server);
    server.on('request', (request, response) => this.#serve(request, response, false));
    server.on('checkContinue', (request, response) => this.#serve(request, response, true));
    // Node would answer 417 with an empty body. An expectation may be ignored, so ingest does that.
    server.on('checkExpectation', (request, response) => this.#serve(request, response, false));
    server.on('clientError', (error, socket) => this.#onBroken(error, socket as Socket));
    return server;
  }

  #onBroken(error: Error, socket: Socket): void {
    if (isTlsHello(error, socket)) this.#parts.onTlsHello?.(socket.remoteAddress ?? null);
    if (this.#draining.has(socket)) socket.destroy();
    else answerBrokenRequest(error, socket, this.#parts.timers);
  }

  #watchConnections(server: Server): void {
    if (this.#identity === null) {
      server.on('connection', (socket) => this.#watch(socket));
      return;
    }
    server.on('connection', (socket) => this.#watchHandshake(socket));
    server.on('secureConnection', (socket) => this.#watch(socket));
    server.on('tlsClientError', (error: NodeJS.ErrnoException) => this.#parts.onTlsFailure?.(error));
  }

  /** Tracks the plain connection beneath a secure one: it needs no answer, but must end with the listener. */
  #watchHandshake(socket: Socket): void {
    if (this.#stopping !== null) {
      socket.destroy();
      return;
    }
    this.#beneath.add(socket);
    socket.once('close', () => this.#beneath.delete(socket));
  }

  #watch(socket: Socket): void {
    if (this.#stopping !== null) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, 0);
    socket.once('close', () => this.#open.delete(socket));
  }

  #serve(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    // Node's parser also accepts 0.9 and 2.0, which other programs would read differently.
    if (!VERSIONS.has(request.httpVersion))
      return answerBrokenRequest(WRONG_VERSION, request.socket, this.#parts.timers);
    this.#countUp(request.socket, response);
    if (this.#parts.takesHead?.(request) === true) return;
    readBody(request, response, expectsContinue, this.#parts.timers, (body, overflow) => {
      const headers = headerPairs(request.rawHeaders);
      const { method = '', url = '', socket } = request;
      this.#parts
        .handle({
          method,
          target: url,
          headers,
          body,
          remote: socket.remoteAddress ?? null,
          secure: this.#identity !== null,
          overflow: overflow?.start,
        })
        .then((answer) => this.#write(response, answer, overflow?.afterUpload))
        .catch((error: Error) => {
          this.#parts.logger.log('error', 'ingest_answer_failed', { message: error.message });
          response.destroy();
        });
    });
  }

  #countUp(socket: Socket, response: ServerResponse): void {
    this.#open.set(socket, (this.#open.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const count = this.#open.get(socket);
      if (count !== undefined) this.#open.set(socket, count - 1);
    });
  }

  /**
   * `afterUpload` is set while the client still sends a body that nobody wants. The whole answer goes out at once, but
   * the connection ends only after the upload: closing it earlier would destroy the answer on its way.
   */
  #write(
    response: ServerResponse,
    answer: IngestResponse,
    afterUpload: ((then: () => void) => void) | undefined,
  ): void {
    if (answer.write !== undefined) return answer.write(response, (usual) => this.#write(response, usual, afterUpload));
    if (afterUpload !== undefined || this.#stopping !== null) response.shouldKeepAlive = false;
    const flat: string[] = [];
    for (const [name, value] of answer.headers) flat.push(name, value);
    if (answer.status !== 204) flat.push('Content-Length', String(Buffer.byteLength(answer.body)));
    response.writeHead(answer.status, flat);
    if (afterUpload === undefined) {
      response.end(answer.body);
      failpoint('answered');
      return;
    }
    response.write(answer.body);
    if (response.socket !== null) this.#draining.add(response.socket);
    afterUpload(() => response.end());
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopNow().finally(() => {
      this.#stopping = null;
    });
    return this.#stopping;
  }

  async #stopNow(): Promise<void> {
    // Waits one turn, so that `stopping` is set before anything reacts to the closing.
    await null;
    const closed = closeAll(this.#servers);
    for (const [socket, unanswered] of this.#open) if (unanswered === 0) socket.destroy();
    const timer: Timer = this.#parts.timers.after(this.#limits.stopGraceMs, () => {
      for (const socket of this.#open.keys()) socket.destroy();
      for (const socket of this.#beneath) socket.destroy();
    });
    await closed;
    timer.cancel();
    this.#servers = [];
  }
}

/** The errors of a machine without IPv6 when asked to listen on ::1. */
const NO_IPV6: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT', 'EINVAL', 'ENODEV']);

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
}
