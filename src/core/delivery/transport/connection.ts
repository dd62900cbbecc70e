import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { WirePlace } from '../../model/wire-place.ts';
import type { Timer } from '../../ports.ts';
import { AnswerReader } from './answer-reader.ts';
import type { Attempt, Carrier } from './attempt.ts';
import { type Cancellable, type DialContext, dial } from './dial.ts';
import { failureOf, noConnection } from './failures.ts';
import { Origin } from './origin.ts';
import { allHeaders, headersProblem, headText } from './request-head.ts';
import { secure } from './secure.ts';
import { writeRequest } from './write-request.ts';

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

const NO_BODY = new Uint8Array(0);

/** A server that says how long it keeps a connection is taken at its word, but for this much. */
const KEEP_ALIVE_MARGIN_MS = 1000;

/**
 * One connection to one origin. It carries one attempt at a time, so all of its work belongs to that attempt, and an
 * attempt may always end its connection. It writes each request once and never writes one again.
 */
export class Connection implements Carrier {
  readonly origin: string;
  readonly #target: Origin;
  readonly #context: ConnectionContext;
  readonly #owner: ConnectionOwner;
  readonly #reader: AnswerReader;
  #attempt: Attempt | null = null;
  /** Of the current attempt. */
  #path = '';
  #certificate: Attempt['certificate'] = null;
  #socket: Socket | null = null;
  #opening: Cancellable | null = null;
  /** Ends the connection when nobody uses it. */
  #idle: Timer | null = null;
  /** How long the last answer lets us keep it. */
  #keptMs = 0;
  /** The two ends of the socket; set with it. */
  #place: Omit<WirePlace, 'order'> | null = null;
  /** Requests that went over it. */
  #requests = 0;
  #closing: Promise<void> | null = null;
  // Made once. When each attempt made one to send it and one for its end, attempts stayed in memory until the next full
  // garbage collection.
  readonly #sendSoon = (): void => this.#send();
  readonly #closeUnused = (): void => void this.close();

  constructor(origin: string, context: ConnectionContext, owner: ConnectionOwner) {
    this.origin = origin;
    this.#target = new Origin(origin);
    this.#context = context;
    this.#owner = owner;
    this.#reader = new AnswerReader({
      begins: () => this.#attempt?.answerBegins(),
      head: (head) => this.#attempt?.answered(head),
      body: (bytes) => this.#attempt?.received(bytes),
      end: (keptMs) => {
        this.#keptMs = keptMs - KEEP_ALIVE_MARGIN_MS;
        this.#attempt?.answerEnded();
      },
      switchingProtocols: (head) => this.#attempt?.switchingProtocols(head),
      failed: (failure) => this.#attempt?.fail(failure),
      tooLarge: () => this.#attempt?.answerTooLarge(),
    });
  }

  /** Sends the attempt's request to `path`. The attempt reports the outcome. */
  carry(attempt: Attempt, path: string): void {
    this.#idle?.cancel();
    this.#attempt = attempt;
    this.#path = path;
    attempt.carrier = this;
    attempt.certificate = this.#certificate;
    const problem = headersProblem(attempt.request.headers);
    const socket = this.#socket;
    if (problem !== null) attempt.fail(noConnection('connection_error', problem));
    else if (!socket) this.#open(attempt);
    // What has come in for the unused socket is read first. Its end, above all, must not meet a request half sent.
    else this.#context.timers.soon(this.#sendSoon);
  }

  /** Ends the connection, whatever it is doing; resolves when its socket is closed. */
  close(): Promise<void> {
    this.#closing ??= this.#destroy();
    return this.#closing;
  }

  #destroy(): Promise<void> {
    this.#idle?.cancel();
    this.#opening?.cancel();
    this.#owner.gone(this);
    const socket = this.#socket;
    if (!socket || socket.closed) return Promise.resolve();
    return new Promise((resolve) => {
      socket.once('close', () => resolve());
      socket.destroy();
    });
  }

  attemptEnded(clean: boolean): void {
    const socket = this.#socket;
    this.#attempt = null;
    const keepMs = Math.min(this.#keptMs, this.#context.keepAliveMs);
    // An answer that came before all of the request was written leaves the rest of it on the way.
    if (clean && keepMs > 0 && socket && !socket.destroyed && socket.writableLength === 0) {
      this.#idle = this.#context.timers.after(keepMs, this.#closeUnused);
      this.#owner.free(this);
    } else void this.close();
  }

  #open(attempt: Attempt): void {
    const { hostname, port, isSecure } = this.#target;
    // TLS reads from its socket itself.
    const onBytes = isSecure ? undefined : (bytes: Buffer) => this.#arrived(bytes);
    this.#opening = dial({ hostname, port, onBytes }, this.#context, attempt.phases, (failure, raw) => {
      if (failure) attempt.fail(failure);
      else if (isSecure) this.#secure(attempt, raw);
      else this.#opened(raw);
    });
  }

  #secure(attempt: Attempt, raw: Socket): void {
    const { hostname } = this.#target;
    this.#opening = secure(raw, hostname, this.#context.trust(), attempt.phases, (refused, socket, certificate) => {
      this.#certificate = certificate;
      attempt.certificate = certificate;
      if (refused) {
        attempt.fail(refused);
        return;
      }
      socket.on('data', (bytes: Buffer) => this.#arrived(bytes));
      this.#opened(socket);
    });
  }

  #opened(socket: Socket): void {
    this.#opening = null;
    this.#socket = socket;
    this.#requests = 0;
    this.#place = { client: `${socket.localAddress}:${socket.localPort}`, port: socket.remotePort ?? 0 };
    const ended = (): void => this.#lost(socket, () => this.#reader.connectionEnded());
    socket.on('error', (error) => this.#lost(socket, () => this.#attempt?.fail(failureOf(error))));
    socket.on('end', ended);
    socket.on('close', ended);
    this.#send();
  }

  /** Writes the request, unless the attempt or the socket is gone or it was written already. */
  #send(): void {
    const attempt = this.#attempt;
    const socket = this.#socket;
    if (!attempt || !socket || attempt.written) return;
    const { method = 'POST', body, onWire } = attempt.request;
    const headers = allHeaders(this.#target.host, attempt.request);
    this.#requests += 1;
    attempt.sending(headers);
    onWire?.({
      ...this.#place!,
      order: this.#requests,
      path: this.#path,
      bodyBytes: method === 'GET' ? 0 : body.length,
    });
    this.#reader.expectAnswer();
    const head = headText(method, this.#path, headers);
    writeRequest(socket, head, method === 'GET' ? NO_BODY : body, () => attempt.sent());
  }

  #arrived(bytes: Buffer): void {
    if (this.#reader.isReading) this.#reader.take(bytes);
    // Nobody asked for this. It would be taken for the next answer.
    else if (this.#socket) this.#lost(this.#socket, () => {});
  }

  /** The socket is of no more use. What was written over it ends; what was not goes over a new one. */
  #lost(socket: Socket, endAttempt: () => void): void {
    if (socket !== this.#socket) return;
    const attempt = this.#attempt;
    if (!attempt || attempt.written) {
      endAttempt();
      void this.close();
      return;
    }
    this.#socket = null;
    this.#certificate = null;
    attempt.certificate = null;
    socket.destroy();
    this.#open(attempt);
  }
}
