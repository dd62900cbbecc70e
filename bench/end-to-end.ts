/**
 * End to end: from an SDK's batch to a receiver in another process, everything durable, beside the straight-line
 * program in the same run (docs/benchmarks.md). Prints one JSON line.
 *
 *   node bench/end-to-end.ts [--runs 3] [--messages 20000] [--seconds 20] [--only hookbench|reference] [--search on|off]
 *     [--calls track|large|mixed] [--batch 20] [--reference straight-line|once|empty] [--stored 0]
 *     [--webhooks 1]
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { createSealer } from '../src/core/adapters/sealer.ts';
import type { CallKind } from './calls.ts';
import {
  at,
  BATCH,
  bodyOf,
  here,
  hookbench,
  median,
  now,
  post,
  Receiver,
  round,
  type Start,
  throughput,
  type Usage,
  usageOf,
} from './delivery-load.ts';
import { fillSearchStore } from './search-store.ts';
import { untilIdle } from './until-idle.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    messages: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '20' },
    only: { type: 'string' },
    search: { type: 'string', default: 'on' },
    calls: { type: 'string', default: 'track' },
    batch: { type: 'string', default: String(BATCH) },
    reference: { type: 'string', default: 'straight-line' },
    stored: { type: 'string', default: '0' },
    webhooks: { type: 'string', default: '1' },
  },
});
const RUNS = Number(values.runs);
const MESSAGES = Number(values.messages);
const SECONDS = Number(values.seconds);
const KIND = values.calls as CallKind;
const LOAD = { kind: KIND, messages: MESSAGES, batch: Number(values.batch) };
const STORED = Number(values.stored);
const PER_SECOND = 1000;

interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly longest: number;
  readonly peakMb: number;
  /** Seconds for 1,000 messages, until all is done: the search index waits while the engine is busy. */
  readonly cpuPerThousand: number;
  readonly userPerThousand: number;
  readonly systemPerThousand: number;
  /** To files and sockets, by message. */
  readonly writtenBytes: number;
  readonly writeCalls: number;
  /** Requests to webhooks, by message. With several webhooks, a message that one accepted goes to no further one. */
  readonly sends: number;
}

/** One call a request, evenly spread; the latency is from the answer's arrival to the receiver's. */
async function latency(pool: Pool, receiver: Receiver): Promise<number[]> {
  const total = PER_SECOND * SECONDS;
  const bodies = Array.from({ length: total }, (_, n) => bodyOf(KIND, n, 1));
  const { all } = await receiver.expect(total);
  const answeredAt = new Array<number>(total);
  const startedAt = now();
  const sent: Promise<void>[] = [];
  for (let n = 0; n < total; ) {
    const due = Math.min(total, Math.floor(((now() - startedAt) / 1000) * PER_SECOND));
    for (; n < due; n++) {
      const at = n;
      sent.push(
        post(pool, bodies[at]!).then((time) => {
          answeredAt[at] = time;
        }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(sent);
  await all;
  const { at, repeats } = await receiver.arrivals();
  if (repeats > 0) throw new Error(`${repeats} messages came twice`);
  return answeredAt.map((answered, n) => Math.max(0, at.get(n)! - answered)).sort((a, b) => a - b);
}

function peakMb(pid: number): number {
  const kb = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}

/** Hookbench over a copy of the filled workspace. */
const filled: Start = (folder, receiver) => {
  cpSync(stored, join(folder, 'workspace'), { recursive: true });
  return hookbench(folder, receiver);
};

const straightLine: Start = (folder, receiver) =>
  spawn(process.execPath, [here('./straight-line.ts'), folder, values.reference, ...receiver.urls], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Turns the search index of a running Hookbench off. */
function turnSearchOff(folder: string): void {
  execFileSync(process.execPath, [
    here('../out/main/cli.js'),
    'search',
    'off',
    '--workspace',
    join(folder, 'workspace'),
  ]);
}

async function measure(start: Start, receiver: Receiver): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-bench-'));
  const child = start(folder, receiver);
  try {
    const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
    const { ingest } = JSON.parse(line) as { ingest: string };
    if (start !== straightLine && values.search === 'off') turnSearchOff(folder);
    const pool = new Pool(ingest, { connections: 16 });
    await throughput(pool, receiver, LOAD);
    await receiver.rest();
    await untilIdle(child.pid!);
    const before = usageOf(child.pid!);
    const perSecond = await throughput(pool, receiver, LOAD);
    const sends = (await receiver.rest()) / MESSAGES;
    await untilIdle(child.pid!);
    const after = usageOf(child.pid!);
    const perMessage = (key: keyof Usage): number => (after[key] - before[key]) / MESSAGES;
    const sorted = await latency(pool, receiver);
    await pool.close();
    return {
      perSecond,
      p50: at(sorted, 0.5),
      p95: at(sorted, 0.95),
      p99: at(sorted, 0.99),
      longest: at(sorted, 1),
      peakMb: peakMb(child.pid!),
      cpuPerThousand: (perMessage('user') + perMessage('system')) * 1000,
      userPerThousand: perMessage('user') * 1000,
      systemPerThousand: perMessage('system') * 1000,
      writtenBytes: perMessage('writtenBytes'),
      writeCalls: perMessage('writeCalls'),
      sends,
    };
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

function summary(runs: readonly Measured[]): Record<keyof Measured, number> {
  const of = (key: keyof Measured, digits?: number): number => round(median(runs.map((run) => run[key])), digits);
  return {
    perSecond: of('perSecond', 0),
    p50: of('p50'),
    p95: of('p95'),
    p99: of('p99'),
    longest: of('longest', 0),
    peakMb: of('peakMb', 0),
    cpuPerThousand: of('cpuPerThousand', 3),
    userPerThousand: of('userPerThousand', 3),
    systemPerThousand: of('systemPerThousand', 3),
    writtenBytes: of('writtenBytes', 0),
    writeCalls: of('writeCalls'),
    sends: of('sends'),
  };
}

const stored = mkdtempSync(join(tmpdir(), 'hookbench-stored-'));
if (STORED > 0) await fillSearchStore(stored, createSealer(Buffer.alloc(32, 1)), STORED);
const receiver = await Receiver.start(Number(values.webhooks));
const ours: Measured[] = [];
const reference: Measured[] = [];
for (let run = 0; run < RUNS; run++) {
  if (values.only !== 'hookbench')
    reference.push(await measure(values.reference === 'empty' ? hookbench : straightLine, receiver));
  if (values.only !== 'reference') ours.push(await measure(STORED > 0 ? filled : hookbench, receiver));
}
receiver.stop();
rmSync(stored, { recursive: true, force: true });
const ratios = ours.length === reference.length ? ours.map((run, i) => run.perSecond / reference[i]!.perSecond) : [];
console.log(
  JSON.stringify({
    bench: 'end-to-end',
    runs: RUNS,
    calls: KIND,
    reference: values.reference,
    messages: MESSAGES,
    batch: LOAD.batch,
    stored: STORED,
    webhooks: receiver.urls.length,
    latencySeconds: SECONDS,
    ...(ratios.length > 0 && { throughputRatio: round(median(ratios)), ratios: ratios.map((ratio) => round(ratio)) }),
    ...(ours.length > 0 && { hookbench: summary(ours) }),
    ...(reference.length > 0 && { [values.reference === 'empty' ? 'empty' : 'straightLine']: summary(reference) }),
  }),
);
