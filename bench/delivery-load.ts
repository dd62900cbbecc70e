/** What benchmarks of the whole path share: the receiver in its process, batches posted to a program, its usage. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'undici';
import { environmentOfOurs, optionsOfOurs } from '../tools/run-child.mjs';
import { CALLS, type CallKind } from './calls.ts';
import { cpuOf } from './until-idle.ts';

/** Calls of a request. */
export const BATCH = 20;
const REST_MS = 200;
/** `HOOKBENCH_BENCH_PROFILE=DIR` writes CPU profiles of Hookbench's threads there. */
const PROFILE = process.env.HOOKBENCH_BENCH_PROFILE
  ? ['--cpu-prof', `--cpu-prof-dir=${process.env.HOOKBENCH_BENCH_PROFILE}`]
  : [];
export const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export class Receiver {
  readonly #child: ChildProcess;
  readonly urls: readonly string[];

  private constructor(child: ChildProcess, port: number, webhooks: number) {
    this.#child = child;
    this.urls = Array.from({ length: webhooks }, (_, i) => `http://127.0.0.1:${port}/hook/${i + 1}`);
  }

  /** Of the first webhook. */
  get url(): string {
    return this.urls[0]!;
  }

  static async start(webhooks = 1): Promise<Receiver> {
    const child = fork(here('./receiver.ts'));
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new Receiver(child, port, webhooks);
  }

  /** Starts to count anew; `all` resolves when `n` messages have arrived. */
  async expect(n: number): Promise<{ all: Promise<unknown> }> {
    this.#child.send({ type: 'expect', n });
    await once(this.#child, 'message');
    return { all: once(this.#child, 'message') };
  }

  /** `at` is when a message arrived at the first webhook, `repeats` how often one came to the same webhook again. */
  async arrivals(): Promise<{ at: Map<number, number>; sends: number; repeats: number }> {
    this.#child.send({ type: 'read' });
    const [{ arrivals, sends, repeats }] = (await once(this.#child, 'message')) as [
      { arrivals: Array<[number, number]>; sends: number; repeats: number },
    ];
    return { at: new Map(arrivals), sends, repeats };
  }

  /** Requests that came since {@link expect}, once none came for a while: a message may still go to further webhooks. */
  async rest(): Promise<number> {
    for (let before = -1; ; await new Promise((resolve) => setTimeout(resolve, REST_MS))) {
      const { sends } = await this.arrivals();
      if (sends === before) return sends;
      before = sends;
    }
  }

  stop(): void {
    this.#child.disconnect();
  }
}

export const bodyOf = (kind: CallKind, from: number, count: number): string =>
  JSON.stringify({
    batch: Array.from({ length: count }, (_, i) => CALLS[kind](from + i)),
    sentAt: new Date().toISOString(),
  });

export const now = (): number => performance.timeOrigin + performance.now();
const headers = {
  'content-type': 'application/json',
  authorization: `Basic ${Buffer.from('bench:').toString('base64')}`,
};

export async function post(pool: Pool, body: string): Promise<number> {
  const answer = await pool.request({ path: '/v1/batch', method: 'POST', headers, body });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`ingest answered ${answer.statusCode}`);
  return now();
}

export interface Load {
  readonly kind: CallKind;
  /** A multiple of `batch`. */
  readonly messages: number;
  /** Calls of a request. */
  readonly batch: number;
}

/** Posts batches over 16 connections. Messages a second, from the first post to the last arrival. */
export async function throughput(pool: Pool, receiver: Receiver, { kind, messages, batch }: Load): Promise<number> {
  const bodies = Array.from({ length: messages / batch }, (_, i) => bodyOf(kind, i * batch, batch));
  const { all } = await receiver.expect(messages);
  const startedAt = now();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < bodies.length) await post(pool, bodies[next++]!);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  await all;
  return (messages / (now() - startedAt)) * 1000;
}

export const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
export const median = (numbers: readonly number[]): number =>
  at(
    [...numbers].sort((a, b) => a - b),
    0.5,
  );
export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** What a process has used so far, its threads included. CPU time in seconds. */
export interface Usage {
  readonly user: number;
  readonly system: number;
  readonly writtenBytes: number;
  readonly writeCalls: number;
}

export function usageOf(pid: number): Usage {
  const io = readFileSync(`/proc/${pid}/io`, 'utf8');
  const count = (name: string): number => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(io)?.[1]);
  return {
    ...cpuOf(pid),
    writtenBytes: count('wchar'),
    writeCalls: count('syscw'),
  };
}

/** Starts a program that prints a line with the address of its ingest. */
export type Start = (folder: string, receiver: Receiver) => ChildProcess;

/** With the environment and the options that its launchers give it. */
export const hookbench: Start = (folder, receiver) => {
  const config = {
    sources: [{ name: 'bench', writeKey: 'bench' }],
    webhooks: {
      sharedSecret: 'bench-secret',
      entries: receiver.urls.map((url, i) => ({ name: `receiver ${i + 1}`, url })),
    },
    // Nothing is removed, and a filled store is not full.
    storage: { maxMessages: 100_000_000, maxBytes: 1_000_000_000_000 },
  };
  writeFileSync(join(folder, 'hookbench.json'), JSON.stringify(config));
  const options = ['--workspace', join(folder, 'workspace'), '--config', join(folder, 'hookbench.json')];
  return spawn(
    process.execPath,
    [
      ...PROFILE,
      ...optionsOfOurs(),
      here('../out/main/cli.js'),
      'serve',
      ...options,
      '--ingest-port',
      '0',
      '--ui-port',
      '0',
      '--no-open',
      '--no-receivers',
      '--json',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: environmentOfOurs() },
  );
};
