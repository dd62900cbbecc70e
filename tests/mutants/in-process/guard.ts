/**
 * Notices a test that never ends, by what it does and not by the clock, which proves nothing on a busy machine.
 *
 * - A test that waits is given up once the event loop has turned so often that nothing can be left to wait for.
 * - A test that loops uses processor time. A thread watches that, notes the mutant and ends the process. Stryker starts
 *   a process in its place and hands it the same mutant, which is then known to hang.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

export const PATIENCE = {
  /** Turns of the event loop, `turnMs` apart. */
  turns: 60,
  turnMs: 50,
  /** Processor time of a test and the load of its file, and beyond that a multiple of its time without a mutant. */
  processorMs: 5_000,
  times: 10,
};

/** In the sandbox: the ids of mutants that hang, one a line. */
const HUNG = resolve('hung-mutants.txt');

const WATCH = `
const { appendFileSync } = require('node:fs');
const { shared, file } = require('node:worker_threads').workerData;
setInterval(() => {
  const { user, system } = process.cpuUsage();
  const [limit, mutant] = shared;
  if (limit === 0 || (user + system) / 1000 < limit) return;
  appendFileSync(file, mutant + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, 200);
`;

export class Guard {
  /** The processor time at which the running test hangs, in milliseconds (0: none runs), and its mutant. */
  readonly #shared = new Float64Array(new SharedArrayBuffer(16));
  readonly #hung = new Set(existsSync(HUNG) ? readFileSync(HUNG, 'utf8').split('\n') : []);

  constructor() {
    new Worker(WATCH, { eval: true, execArgv: [], workerData: { shared: this.#shared, file: HUNG } }).unref();
  }

  isKnownToHang(mutant: string): boolean {
    return this.#hung.has(mutant);
  }

  /** Runs a job of a mutant that usually takes `usualMs`. Returns undefined when it waits forever. */
  async watch<T>(mutant: string, usualMs: number, job: () => Promise<T>): Promise<T | undefined> {
    const { user, system } = process.cpuUsage();
    this.#shared[1] = Number(mutant);
    this.#shared[0] = (user + system) / 1_000 + PATIENCE.processorMs + usualMs * PATIENCE.times;
    const done = new AbortController();
    try {
      return await Promise.race([job(), turns(done.signal)]);
    } finally {
      this.#shared[0] = 0;
      done.abort();
    }
  }
}

async function turns(signal: AbortSignal): Promise<undefined> {
  for (let i = 0; i < PATIENCE.turns; i += 1) await wait(PATIENCE.turnMs, undefined, { signal });
}
