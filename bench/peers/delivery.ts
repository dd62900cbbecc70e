/**
 * What the programs over a job queue share: batches in, signed POSTs out, 16 at once with 5 s each. The queue stores
 * each call as a job, in the form in which it is sent.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { Pool } from 'undici';

const SECRET = 'bench-secret';
const LIMIT_MS = 5_000;
export const AT_ONCE = 16;
/** Of queues that have a retry policy. Waits double from one second. */
export const RETRIES = 10;
export const FIRST_WAIT_MS = 1_000;

/** What the queue keeps of a delivery. */
export interface Result {
  readonly status: number;
  readonly ms: number;
}

export interface PeerQueue {
  /** Resolves when the jobs are durable. */
  store(calls: readonly object[]): Promise<void>;
  /** How many jobs are stored as completed. */
  completed(): Promise<number>;
  /** What the server, or the file, says about when a commit is on the disk. */
  readonly durability: string;
}

/** Loads a package that is installed only for this benchmark; `Package` is the part of it that we use. */
export const optional = async <Package>(name: string): Promise<Package> => (await import(name)) as Package;

/** Rejects unless the receiver accepts, so that the queue tries again. */
export function sender(receiver: string): (wire: string) => Promise<Result> {
  const { origin, pathname: path } = new URL(receiver);
  const pool = new Pool(origin, { connections: AT_ONCE, headersTimeout: LIMIT_MS, bodyTimeout: LIMIT_MS });
  return async (wire) => {
    const headers = {
      'user-agent': 'Hookbench/1.0',
      'content-type': 'application/json',
      'x-signature': createHmac('sha1', SECRET).update(wire).digest('hex'),
    };
    const startedAt = performance.now();
    const { statusCode: status, body } = await pool.request({ path, method: 'POST', headers, body: wire });
    await body.dump();
    if (status >= 300) throw new Error(`The receiver answered ${status}.`);
    return { status, ms: performance.now() - startedAt };
  };
}

/** Listens and says so on standard output. `GET /completed` has the number of completed jobs. */
export function serve(queue: PeerQueue): void {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const answer = request.method === 'GET' ? { completed: await queue.completed() } : await take(parts);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
  });
  const take = async (parts: readonly Buffer[]): Promise<object> => {
    const { batch } = JSON.parse(Buffer.concat(parts).toString()) as { batch: Array<Record<string, unknown>> };
    await queue.store(batch.map(({ messageId: _id, ...call }) => ({ ...call, version: 1 })));
    return { success: true };
  };
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number };
    console.log(JSON.stringify({ ready: true, ingest: `http://127.0.0.1:${port}`, durability: queue.durability }));
  });
  process.on('SIGTERM', () => process.exit(0));
}
