import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import { failpoint } from '../../failpoint.ts';
import { MAX_ANSWER_BYTES } from '../../model/attempt.ts';
import type { AttemptRequest } from '../../ports.ts';
import type { Attempt } from './attempt.ts';
import { type Cancellable, type DialContext, dial } from './dial.ts';
import { noConnection } from './failures.ts';
import { InterimFilter, MAX_HEAD_BYTES } from './interim.ts';
import { secure } from './secure.ts';

export interface ConnectionContext extends DialContext {
  readonly trust: () => SecureContext;
  /** How long an unused connection is kept. */
  readonly keepAliveMs: number;
}

/** Called when a connection is free for another attempt, and when it has closed. */
export interface ConnectionOwner {
  free(connection: Connection): void;
  gone(connection: Connection): void;
}

/**
 * One connection to one origin. It carries one attempt at a time, so the connector's work belongs to the attempt that
 * caused it, and an attempt may always end its connection. undici's Client does the HTTP. We open the socket, check the
 * certificate and keep the deadline.
 */
export class Connection {
  readonly origin: string;
  readonly #context: ConnectionContext;
  readonly #owner: ConnectionOwner;
  readonly #client: Client;
  readonly #filter: InterimFilter;
  #attempt: Attempt | null = null;
  #certificate: Attempt['certificate'] = null;
  #socket: Socket | null = null;
  #opening: Cancellable | null = null;
  /** Of the current attempt. */
  #path = '';
  /** Requests that went over the current socket. */
  #requests = 0;
  #closing: Promise<void> | null = null;
  /** Bytes of the current answer, as they came over the wire. */
  #answerBytes = 0;

  constructor(origin: string, context: ConnectionContext, owner: ConnectionOwner) {
    this.origin = origin;
    this.#context = context;
    this.#owner = owner;
    this.#client = new Client(origin, {
      connect: (target, callback) => this.#connect(target, callback),
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: MAX_HEAD_BYTES,
      // The attempt has its own deadline. undici's timers are only precise to half a second.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: context.keepAliveMs,
      keepAliveMaxTimeout: context.keepAliveMs,
      keepAliveTimeoutThreshold: 1000,
    });
    this.#client.on('disconnect', () => this.#disconnected());
    this.#filter = new InterimFilter({
      onFinalAnswer: () => this.#attempt?.answerBegins(),
      onSwitchingProtocols: (head) => this.#attempt?.switchingProtocols(head),
      onFailure: (failure) => this.#attempt?.fail(failure),
    });
  }

  /** Sends the attempt's request to `path`. The attempt reports the outcome. */
  carry(attempt: Attempt, path: string): void {
    this.#attempt = attempt;
    this.#path = path;
    attempt.onEnd = (clean) => this.#ended(clean);
    attempt.certificate = this.#certificate;
    attempt.socket = this.#socket;
    const { method = 'POST', headers, body } = attempt.request;
    this.#client.dispatch({ path, method, headers: headers.flat(), body: method === 'GET' ? null : body }, attempt);
  }

  /** Ends the connection, whatever it is doing; resolves when its socket is closed. */
  close(): Promise<void> {
    this.#closing ??= this.#destroy();
    return this.#closing;
  }

  async #destroy(): Promise<void> {
    this.#opening?.cancel();
    this.#owner.gone(this);
    await this.#client.destroy();
  }

  #ended(clean: boolean): void {
    if (!clean) {
      this.#attempt = null;
      void this.close();
      return;
    }
    // undici decides whether to keep the connection right after its last call to the attempt.
    queueMicrotask(() => {
      this.#attempt = null;
      if (this.#closing) return;
      if (this.#socket && !this.#socket.destroyed) this.#owner.free(this);
      else void this.close();
    });
  }

  /** The other side or its age closed an idle connection. A busy connection fails its attempt. */
  #disconnected(): void {
    this.#socket = null;
    this.#certificate = null;
    if (!this.#attempt) void this.close();
  }

  #connect(target: buildConnector.Options, callback: buildConnector.Callback): void {
    const attempt = this.#attempt;
    if (!attempt || attempt.settled || attempt.written) {
      // undici reconnects for a request that it believes unsent. We do not send twice.
      attempt?.fail(noConnection('connection_closed', 'The connection was closed before an answer came.'));
      return;
    }
    attempt.certificate = null;
    const { hostname } = target;
    const isSecure = target.protocol === 'https:';
    const port = target.port === '' ? (isSecure ? 443 : 80) : Number(target.port);
    this.#opening = dial({ hostname, port }, this.#context, attempt.phases, (failure, raw) => {
      if (failure) {
        attempt.fail(failure);
        return;
      }
      if (!isSecure) {
        callback(null, this.#adopt(raw, attempt));
        return;
      }
      this.#opening = secure(raw, hostname, this.#context.trust(), attempt.phases, (refused, socket, certificate) => {
        this.#certificate = certificate;
        attempt.certificate = certificate;
        if (refused) attempt.fail(refused);
        else callback(null, this.#adopt(socket, attempt));
      });
    });
  }

  #tellPlace({ onWire, method, body }: AttemptRequest, socket: Socket): void {
    this.#requests += 1;
    onWire?.({
      client: `${socket.localAddress}:${socket.localPort}`,
      port: socket.remotePort ?? 0,
      order: this.#requests,
      path: this.#path,
      bodyBytes: method === 'GET' ? 0 : body.length,
    });
  }

  /** Watches the bytes on the wire: records the head that undici writes, and takes interim answers out. */
  #adopt<S extends Socket>(socket: S, attempt: Attempt): S {
    this.#opening = null;
    this.#socket = socket;
    this.#requests = 0;
    attempt.socket = socket;
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
    const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
    socket.write = (...args: unknown[]): boolean => {
      if (typeof args[0] === 'string' && this.#attempt && !this.#attempt.written) {
        this.#attempt.wroteHead(args[0]);
        this.#tellPlace(this.#attempt.request, socket);
        this.#filter.expectAnswer();
        this.#answerBytes = 0;
        const written = write(...args);
        failpoint('request_half_sent', () => {
          socket.uncork();
          socket.cork();
        });
        return written;
      }
      return write(...args);
    };
    socket.read = (size?: number): Buffer | null => {
      for (let chunk = read(size); chunk !== null; chunk = read(size)) {
        this.#answerBytes += chunk.length;
        if (this.#answerBytes > MAX_ANSWER_BYTES) {
          this.#attempt?.answerTooLarge();
          return null;
        }
        const passed = this.#filter.take(chunk);
        if (passed) return passed;
      }
      return null;
    };
    return socket;
  }
}
