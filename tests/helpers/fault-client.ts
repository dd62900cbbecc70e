/** A plain HTTP client that reports how a request ended, for misbehaving answers. */
import { request } from 'node:http';
import { WRITE_KEY } from './engine-fixture.ts';

export interface Ended {
  /** 0 when no answer came. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** `ECONNRESET` and the like; null when the answer was whole. */
  readonly error: string | null;
  readonly tookMs: number;
}

export interface SendOptions {
  readonly path?: string;
  readonly method?: string;
  readonly messageIds?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The key for the Basic header. Null sends it only in the body. */
  readonly key?: string | null;
  readonly bodyKey?: string;
  /** Disconnects then. */
  readonly leaveWhen?: Promise<unknown>;
  readonly onHeaders?: () => void;
}

const call = (messageId: string) => ({ type: 'track', userId: 'u', event: 'E', messageId });

/** Makes one request on its own connection. Never rejects. */
export function sendTo(ingest: string, options: SendOptions = {}): Promise<Ended> {
  const { path = '/v1/batch', method = 'POST', messageIds = ['m-1'], key = WRITE_KEY, headers = {} } = options;
  const body = JSON.stringify(
    path === '/v1/batch'
      ? { batch: messageIds.map(call), writeKey: options.bodyKey }
      : { ...call(messageIds[0]!), writeKey: options.bodyKey },
  );
  const from = performance.now();
  return new Promise((resolve) => {
    const done = (part: Partial<Ended>): void =>
      resolve({ status: 0, headers: {}, body: '', error: null, tookMs: performance.now() - from, ...part });
    const sent = request(`${ingest}${path}`, {
      method,
      agent: false,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'plain/1.0',
        ...(key !== null && { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
        ...headers,
      },
    });
    sent.on('response', (response) => {
      options.onHeaders?.();
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      const head = { status: response.statusCode ?? 0, headers: response.headers };
      response.on('error', (error: NodeJS.ErrnoException) => done({ ...head, body: text, error: error.code ?? '' }));
      response.on('end', () => done({ ...head, body: text }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => done({ error: error.code ?? error.message }));
    sent.end(method === 'POST' ? body : undefined);
    void options.leaveWhen?.then(() => sent.destroy());
  });
}
