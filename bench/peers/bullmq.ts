/** BullMQ over Redis: one worker with 16 jobs at once. A completed job is kept with its result. */
import { AT_ONCE, FIRST_WAIT_MS, optional, RETRIES, type Result, sender, serve } from './delivery.ts';

interface BullMq {
  readonly Queue: new (
    name: string,
    options: object,
  ) => { addBulk(jobs: readonly object[]): Promise<unknown>; getCompletedCount(): Promise<number> };
  readonly Worker: new (name: string, run: (job: { data: object }) => Promise<Result>, options: object) => unknown;
}
interface IoRedis {
  readonly Redis: new (options: object) => { config(get: 'GET', name: string): Promise<string[]>; disconnect(): void };
}

const [, receiver, port] = process.argv.slice(2) as [string, string, string];
const { Queue, Worker } = await optional<BullMq>('bullmq');
const { Redis } = await optional<IoRedis>('ioredis');
const connection = { host: '127.0.0.1', port: Number(port), maxRetriesPerRequest: null };
const redis = new Redis(connection);
const [, fsync] = await redis.config('GET', 'appendfsync');
redis.disconnect();

const queue = new Queue('calls', {
  connection,
  defaultJobOptions: { attempts: RETRIES, backoff: { type: 'exponential', delay: FIRST_WAIT_MS } },
});
const send = sender(receiver);
new Worker('calls', ({ data }) => send(JSON.stringify(data)), { connection, concurrency: AT_ONCE });
serve({
  store: async (calls) => {
    await queue.addBulk(calls.map((data) => ({ name: 'call', data })));
  },
  completed: () => queue.getCompletedCount(),
  durability: `appendfsync ${fsync}`,
});
