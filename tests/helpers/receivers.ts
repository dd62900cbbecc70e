import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One request that a receiver has read completely. */
export interface ReceivedRequest {
  /** From 1, in order of arrival. */
  readonly number: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values as received, flat. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Milliseconds of the real clock since the process began. */
  readonly at: number;
}

/** `hang` never answers, `reset` resets the connection. */
export type Answer =
  | 'hang'
  | 'reset'
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string | Uint8Array };

export interface Receiver {
  readonly port: number;
  /** `http://127.0.0.1:PORT/hook` */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Resolves once this many requests have arrived in total. */
  waitFor(count: number): Promise<void>;
  /** Changes the answer from now on. */
  setAnswer(answer: Answer | ((request: ReceivedRequest) => Answer | Promise<Answer>)): void;
  close(): Promise<void>;
}

/** A well-behaved HTTP receiver with chosen answers, by default 200. */
export async function startReceiver(
  answer: Answer | ((request: ReceivedRequest) => Answer | Promise<Answer>) = { status: 200 },
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  const sockets = new Set<Socket>();
  let current = answer;

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => {});
    incoming.on('end', () => {
      const request: ReceivedRequest = {
        number: requests.length + 1,
        path: incoming.url ?? '',
        headers: incoming.headers,
        rawHeaders: incoming.rawHeaders,
        body: Buffer.concat(chunks),
        at: performance.now(),
      };
      requests.push(request);
      for (const check of waiting) check();
      void reply(response, current, request);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    waitFor(count) {
      return new Promise((resolve) => {
        const check = (): void => {
          if (requests.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    },
    setAnswer(next) {
      current = next;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function reply(
  response: ServerResponse,
  answer: Answer | ((request: ReceivedRequest) => Answer | Promise<Answer>),
  request: ReceivedRequest,
): Promise<void> {
  const chosen = typeof answer === 'function' ? await answer(request) : answer;
  if (chosen === 'hang') return;
  if (chosen === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const { status = 200, headers = {}, body = '' } = chosen;
  response.writeHead(status, headers).end(body);
}
