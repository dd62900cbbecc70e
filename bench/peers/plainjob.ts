/**
 * plainjob over SQLite. It has no retries of its own, so a job that fails adds another one with a delay. Its workers
 * run one job each, and ask for the next as soon as it has ended; only an idle one waits.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AT_ONCE, FIRST_WAIT_MS, optional, RETRIES, sender, serve } from './delivery.ts';

interface Plainjob {
  better(db: Database.Database): unknown;
  defineQueue(options: object): {
    add(type: string, data: unknown, options: { delay: number }): void;
    addMany(type: string, data: readonly unknown[]): void;
    countJobs(of: { status: number }): number;
  };
  defineWorker(
    type: string,
    run: (job: { data: string }) => Promise<void>,
    options: object,
  ): { start(): Promise<void> };
  readonly JobStatus: { readonly Done: number };
}

const [folder, receiver] = process.argv.slice(2) as [string, string];
const { better, defineQueue, defineWorker, JobStatus } = await optional<Plainjob>('plainjob');
const IDLE_MS = 5;
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: console.error };
const db = new Database(join(folder, 'plainjob.sqlite'));
const queue = defineQueue({ connection: better(db), logger: quiet });
// The queue sets NORMAL, with which a loss of power may lose the last jobs.
db.pragma('synchronous = FULL');

interface Job {
  readonly call: object;
  readonly tries: number;
}

const send = sender(receiver);
async function deliver({ data }: { data: string }): Promise<void> {
  const { call, tries } = JSON.parse(data) as Job;
  try {
    await send(JSON.stringify(call));
  } catch (error) {
    if (tries < RETRIES) queue.add('call', { call, tries: tries + 1 }, { delay: FIRST_WAIT_MS * 2 ** tries });
    throw error;
  }
}

for (let i = 0; i < AT_ONCE; i += 1)
  void defineWorker('call', deliver, { queue, logger: quiet, pollIntervall: IDLE_MS }).start();
serve({
  store: async (calls) =>
    queue.addMany(
      'call',
      calls.map((call): Job => ({ call, tries: 0 })),
    ),
  completed: async () => queue.countJobs({ status: JobStatus.Done }),
  durability: `synchronous ${db.pragma('synchronous', { simple: true }) === 2 ? 'FULL' : 'not FULL'}`,
});
