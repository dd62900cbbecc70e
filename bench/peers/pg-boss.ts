/**
 * pg-boss over PostgreSQL. Its workers take up to 100 jobs at a time, without a pause while there are more, because
 * one job at a time would wait for the next poll after each. All of them together send 16 at once. A completed job is
 * kept with its result.
 */
import { AT_ONCE, FIRST_WAIT_MS, optional, RETRIES, type Result, sender, serve } from './delivery.ts';

interface Job {
  readonly id: string;
  readonly data: object;
}
interface JobResult {
  readonly id: string;
  readonly status: 'completed' | 'failed';
  readonly output?: object;
}
interface PgBoss {
  readonly PgBoss: new (
    options: object,
  ) => {
    on(event: 'error', listener: (error: unknown) => void): void;
    start(): Promise<unknown>;
    createQueue(name: string, options: object): Promise<void>;
    insert(name: string, jobs: ReadonlyArray<{ data: object }>): Promise<unknown>;
    work(name: string, options: object, run: (jobs: readonly Job[]) => Promise<JobResult[]>): Promise<unknown>;
    getDb(): { executeSql(text: string): Promise<{ rows: Array<Record<string, unknown>> }> };
  };
}

const WORKERS = 2;
const JOBS = 100;
const [, receiver, port] = process.argv.slice(2) as [string, string, string];
const pgBoss = await optional<PgBoss>('pg-boss');
const boss = new pgBoss.PgBoss({
  host: '127.0.0.1',
  port: Number(port),
  user: 'postgres',
  database: 'postgres',
  useListenNotify: true,
});
boss.on('error', console.error);
await boss.start();
await boss.createQueue('calls', {
  retryLimit: RETRIES,
  retryDelay: FIRST_WAIT_MS / 1_000,
  retryBackoff: true,
  notify: true,
});

let free = AT_ONCE;
const waiting: Array<() => void> = [];
const send = sender(receiver);

/** Waits for one of the 16 places. */
async function place(): Promise<void> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
}

function leave(): void {
  const next = waiting.shift();
  if (next === undefined) free += 1;
  else next();
}

async function deliver({ id, data }: Job): Promise<JobResult> {
  await place();
  try {
    const output: Result = await send(JSON.stringify(data));
    return { id, status: 'completed', output };
  } catch (error) {
    return { id, status: 'failed', output: { message: String(error) } };
  } finally {
    leave();
  }
}

const options = { batchSize: JOBS, localConcurrency: WORKERS, burstWhenBatchFull: true, perJobResults: true };
await boss.work('calls', { ...options, pollingIntervalSeconds: 0.5 }, (jobs) => Promise.all(jobs.map(deliver)));

const show = async (setting: string): Promise<unknown> =>
  Object.values((await boss.getDb().executeSql(`SHOW ${setting}`)).rows[0]!)[0];
serve({
  store: async (calls) => {
    await boss.insert(
      'calls',
      calls.map((data) => ({ data })),
    );
  },
  completed: async () => {
    const { rows } = await boss
      .getDb()
      .executeSql("SELECT count(*) AS n FROM pgboss.job WHERE name = 'calls' AND state = 'completed'");
    return Number(rows[0]!.n);
  },
  durability: `fsync ${await show('fsync')}, synchronous_commit ${await show('synchronous_commit')}`,
});
