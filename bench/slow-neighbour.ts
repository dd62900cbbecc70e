/**
 * `npm run bench:fairness`: what a webhook that hangs costs the four others (goal: no more than 100 ms). 200 messages a
 * second to five webhooks in another process, with all five fast and then with the last one hanging until the limit;
 * once with webhooks that accept, and once with webhooks that answer 500 first, so that rounds wait for the slow one.
 * Measures from the ingest's answer to the arrival of each message's first attempt at the four. Prints one JSON line.
 *
 *   node bench/slow-neighbour.ts [--seconds 20] [--rate 200] [--runs 1] [--cli PATH]
 *
 * With several runs the figures are medians.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import type { FiveAnswer, FiveArrivals, ToFive } from './receiver-five.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '200' },
    runs: { type: 'string', default: '1' },
    cli: { type: 'string', default: join(import.meta.dirname, '../out/main/cli.js') },
  },
});
const RATE = Number(values.rate);
const TOTAL = RATE * Number(values.seconds);
const RUNS = Number(values.runs);
const FAST = 4;
const KEY = 'bench';
const SETTLE_MS = 1_000;

const now = (): number => performance.timeOrigin + performance.now();
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const headers = { 'content-type': 'application/json', authorization: `Basic ${btoa(`${KEY}:`)}` };

async function ask(receiver: ChildProcess, message: ToFive): Promise<FiveArrivals> {
  receiver.send(message);
  const [answer] = (await once(receiver, 'message')) as [FiveArrivals];
  return answer;
}

function startServe(folder: string, port: number): ChildProcess {
  const entries = [1, 2, 3, 4, 5].map((path) => ({ name: `webhook ${path}`, url: `http://127.0.0.1:${port}/${path}` }));
  const config = { sources: [{ name: 'bench', writeKey: KEY }], webhooks: { sharedSecret: 'bench-secret', entries } };
  const file = join(folder, 'hookbench.json');
  writeFileSync(file, JSON.stringify(config));
  const options = ['--workspace', join(folder, 'workspace'), '--config', file, '--no-receivers', '--no-open', '--json'];
  return spawn(process.execPath, [values.cli, 'serve', ...options, '--ingest-port', '0', '--ui-port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function post(pool: Pool, n: number): Promise<number> {
  const call = { userId: `user-${n % 97}`, event: 'Order Completed', properties: { n, note: 'x'.repeat(300) } };
  const answer = await pool.request({ path: '/v1/track', method: 'POST', headers, body: JSON.stringify(call) });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`ingest answered ${answer.statusCode}`);
  return now();
}

/** When each of the calls `from` to `to` was answered. */
async function load(pool: Pool, from: number, to: number): Promise<Map<number, number>> {
  const answeredAt = new Map<number, number>();
  const startedAt = now();
  const sent: Promise<unknown>[] = [];
  for (let n = from; n < to; ) {
    const due = Math.min(to, from + Math.floor(((now() - startedAt) / 1000) * RATE));
    for (; n < due; n++) {
      const at = n;
      sent.push(post(pool, at).then((time) => answeredAt.set(at, time)));
    }
    await pause(1);
  }
  await Promise.all(sent);
  return answeredAt;
}

/** Of those that arrived, in order. */
async function latencies(receiver: ChildProcess, answeredAt: Map<number, number>): Promise<number[]> {
  const all: number[] = [];
  for (let path = 1; path <= FAST; path++) {
    const at = new Map((await ask(receiver, { type: 'read', path })).arrivals);
    for (const [n, answered] of answeredAt) if (at.has(n)) all.push(Math.max(0, at.get(n)! - answered));
  }
  return all.sort((a, b) => a - b);
}

interface Run {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** First attempts that had not arrived a second after the last call: with webhooks that accept, not needed any more. */
  readonly missing: number;
}

async function measure(answers: readonly FiveAnswer[]): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-fairness-'));
  const receiver = fork(join(import.meta.dirname, 'receiver-five.ts'));
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
  const serve = startServe(folder, port);
  try {
    const [line] = (await once(createInterface({ input: serve.stdout! }), 'line')) as [string];
    const pool = new Pool((JSON.parse(line) as { ingest: string }).ingest, { connections: 16 });
    await ask(receiver, { type: 'begin', answers: answers.map(() => 'ok') });
    await load(pool, TOTAL, TOTAL + RATE);
    await ask(receiver, { type: 'begin', answers });
    const answeredAt = await load(pool, 0, TOTAL);
    await pause(SETTLE_MS);
    const sorted = await latencies(receiver, answeredAt);
    await pool.close();
    const at = (part: number): number => Number(sorted[Math.floor((sorted.length - 1) * part)]!.toFixed(2));
    return { p50: at(0.5), p99: at(0.99), longest: at(1), missing: FAST * TOTAL - sorted.length };
  } finally {
    serve.kill('SIGTERM');
    await once(serve, 'exit');
    receiver.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}

const KEYS = ['p50', 'p99', 'longest', 'missing'] as const;

function medians(runs: readonly Run[]): Run {
  const of = (key: keyof Run): number =>
    runs.map((run) => run[key]).sort((a, b) => a - b)[Math.floor(runs.length / 2)]!;
  return Object.fromEntries(KEYS.map((key) => [key, of(key)])) as unknown as Run;
}

/** With and without the slow one in turn, so that a busy moment of the machine meets both. */
async function compare(fast: FiveAnswer) {
  const four = Array.from({ length: FAST }, () => fast);
  const pairs: Array<{ allFast: Run; oneHangs: Run }> = [];
  for (let run = 0; run < RUNS; run++)
    pairs.push({ allFast: await measure([...four, fast]), oneHangs: await measure([...four, 'hangs']) });
  const allFast = medians(pairs.map((pair) => pair.allFast));
  const oneHangs = medians(pairs.map((pair) => pair.oneHangs));
  const difference = (key: 'p50' | 'p99'): number => Number((oneHangs[key] - allFast[key]).toFixed(2));
  return { allFast, oneHangs, difference: { p50: difference('p50'), p99: difference('p99') } };
}

const report = {
  bench: 'fairness',
  rate: RATE,
  seconds: Number(values.seconds),
  runs: RUNS,
  accepting: await compare('ok'),
  failingFirst: await compare('fails_first'),
};
console.log(JSON.stringify(report));
