/** Ingest behind its listener on real sockets, and clients that send exactly the bytes of a test. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { systemTimers } from '../../src/core/adapters/clock.ts';
import { createListener, type Listener, type ListenerParts } from '../../src/core/ingest/listener.ts';
import { basic, KEY, makeWorld, type World } from './ingest-parts.ts';

export interface Running extends World {
  readonly listener: Listener;
  readonly addresses: readonly string[];
  readonly tlsHellos: (string | null)[];
}

const running: Running[] = [];

/** Listens on a free port. {@link stopAll} ends it. */
export async function startIngest(over: Partial<ListenerParts> = {}): Promise<Running> {
  const world = makeWorld();
  const tlsHellos: (string | null)[] = [];
  const listener = createListener({
    handle: (incoming) => world.ingest.handle(incoming),
    timers: systemTimers,
    logger: world.logger,
    onTlsHello: (remote) => void tlsHellos.push(remote),
    ...over,
  });
  const { port, addresses } = await listener.start(0);
  const one: Running = Object.assign(world, { listener, port, addresses, tlsHellos });
  running.push(one);
  return one;
}

export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((one) => one.listener.stop()));
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly json: { success?: boolean; code?: string; message?: string; error?: string };
  readonly localPort: number;
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  /** A flat list of names and values when names repeat. */
  readonly headers?: Record<string, string> | readonly string[];
  readonly body?: string | Uint8Array;
  /** Without Content-Length. */
  readonly chunked?: boolean;
  readonly host?: string;
  readonly agent?: Agent;
}

/** One request, by default a POST to /v1/batch with the key of the test source. */
export function send(port: number, sent: Sent): Promise<Answered> {
  const headers = sent.headers ?? { Authorization: basic(KEY), 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const client = request(
      {
        host: sent.host ?? '127.0.0.1',
        port,
        path: sent.path ?? '/v1/batch',
        method: sent.method ?? 'POST',
        headers: headers as Record<string, string>,
        agent: sent.agent ?? false,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        // Read before the end: a kept-alive connection is detached from its answer when the answer ends.
        const localPort = answer.socket.localPort ?? 0;
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const body = Buffer.concat(chunks);
          const isJson = answer.headers['content-type'] === 'application/json' && body.length > 0;
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body,
            json: isJson ? JSON.parse(body.toString('utf8')) : {},
            localPort,
          });
        });
      },
    );
    client.on('error', reject);
    if (sent.chunked && sent.body !== undefined) {
      const bytes = Buffer.from(sent.body);
      for (let at = 0; at < bytes.length; at += 7) client.write(bytes.subarray(at, at + 7));
      client.end();
    } else client.end(sent.body);
  });
}

export const sendJson = (port: number, path: string, value: unknown, over: Sent = {}): Promise<Answered> =>
  send(port, { path, body: JSON.stringify(value), ...over });

export const track = (over: object = {}): object => ({ type: 'track', event: 'E', userId: 'u', ...over });

/** A socket on which a test writes every byte. */
export class RawClient {
  readonly socket: Socket;
  received = '';
  ended = false;
  error: NodeJS.ErrnoException | null = null;
  #wake: (() => void)[] = [];

  constructor(port: number, host = '127.0.0.1') {
    this.socket = connect({ port, host, allowHalfOpen: true });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text: string) => {
      this.received += text;
      this.#changed();
    });
    this.socket.on('end', () => {
      this.ended = true;
      this.#changed();
    });
    this.socket.on('error', (error) => {
      this.error = error;
      this.#changed();
    });
    this.socket.on('close', () => {
      this.ended = true;
      this.#changed();
    });
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  write(text: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.socket.write(text, () => resolve()));
  }

  /** Resolves when what was received so far satisfies `enough`, or the connection has ended. */
  async until(enough: (received: string) => boolean): Promise<string> {
    while (!enough(this.received) && !this.ended && this.error === null) {
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
    return this.received;
  }

  /** Resolves with everything received when the server has closed. */
  untilEnd(): Promise<string> {
    return this.until(() => false);
  }

  close(): void {
    this.socket.destroy();
  }
}

export { Agent };
