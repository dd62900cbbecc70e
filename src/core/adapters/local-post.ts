/** Posts JSON to a port of this machine, as an SDK does: a kept connection, the write key as the user name. */
import { Agent, request } from 'node:http';

export interface LocalPost {
  readonly port: number;
  readonly path: string;
  readonly writeKey: string;
}

/** Real milliseconds for one request. */
const LIMIT_MS = 10_000;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Resolves with the status; 0 when there was no answer. Never rejects. */
export const localPost = ({ port, path, writeKey }: LocalPost, body: string): Promise<number> =>
  new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent,
        timeout: LIMIT_MS,
        headers: {
          Authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'User-Agent': 'hookbench-demo',
        },
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', () => resolve(0));
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
