/**
 * `npm run bench:peers`: the same durable delivery by job queues that others made, in turns with Hookbench
 * (docs/benchmarks.md). Batches of mixed calls come in over HTTP, each call becomes a job that is on the disk before
 * the answer, and goes out as a signed POST, 16 at once. Prints one JSON line. The queues are no packages of the
 * project (bench/peers/package.json); what is absent is named and skipped.
 *
 *   node bench/peers.ts [--runs 3] [--messages 20000] [--only plainjob,bullmq,pg-boss] [--markdown]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { BATCH, here, hookbench, median, Receiver, round, throughput } from './delivery-load.ts';
import { cpuSeconds } from './peers/cpu.ts';
import { postgres, redis, type Server, type ServerKind } from './peers/servers.ts';
import { untilIdle } from './until-idle.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    messages: { type: 'string', default: '20000' },
    only: { type: 'string', default: 'plainjob,bullmq,pg-boss' },
    markdown: { type: 'boolean', default: false },
  },
});
const MESSAGES = Number(values.messages);
const RECORD_LIMIT_MS = 60_000;

interface Contender {
  readonly name: string;
  readonly packages: readonly string[];
  readonly server: ServerKind | null;
}

interface Measured {
  readonly perSecond: number;
  /** Seconds for 1,000 messages, of the program that takes and sends the calls. */
  readonly cpuPerThousand: number;
  readonly serverCpuPerThousand: number;
  readonly durability: string;
}

const PEERS: readonly Contender[] = [
  { name: 'plainjob', packages: ['plainjob'], server: null },
  { name: 'bullmq', packages: ['bullmq', 'ioredis'], server: redis },
  { name: 'pg-boss', packages: ['pg-boss'], server: postgres },
];
const OURS: Contender = { name: 'hookbench', packages: [], server: null };

/** Why a queue cannot be measured here and what to do, or null. */
function absent({ packages, server }: Contender): string | null {
  const missing = packages.find((name) => !existsSync(here(`./peers/node_modules/${name}`)));
  if (missing !== undefined) return `the package ${missing} is absent; npm ci --prefix bench/peers installs it`;
  if (server === null || server.program !== null) return null;
  return `${server.name} is absent; ${server.install} installs it`;
}

/** What must end with this process, newest last. */
const running = new Map<string, { program?: ChildProcess; server?: Server }>();

async function endAll(): Promise<void> {
  for (const [folder, { program, server }] of running) {
    program?.kill('SIGKILL');
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  running.clear();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void endAll().finally(() => process.exit(1)));

async function measure(contender: Contender, receiver: Receiver): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-peers-'));
  running.set(folder, {});
  const server = await contender.server?.start(folder);
  running.set(folder, { server });
  const program = start(contender, folder, receiver, server);
  running.set(folder, { server, program });
  const ended = once(program, 'exit');
  try {
    const [line] = (await once(createInterface({ input: program.stdout! }), 'line')) as [string];
    const { ingest, durability = 'synchronous FULL' } = JSON.parse(line) as { ingest: string; durability?: string };
    const pool = new Pool(ingest, { connections: 16 });
    await throughput(pool, receiver, { kind: 'mixed', messages: MESSAGES, batch: BATCH });
    if (contender === OURS) await untilIdle(program.pid!);
    const before = [cpuSeconds(program.pid!), server ? cpuSeconds(server.process.pid!) : 0] as const;
    const perSecond = await throughput(pool, receiver, { kind: 'mixed', messages: MESSAGES, batch: BATCH });
    await (contender === OURS ? untilIdle(program.pid!) : allRecorded(pool));
    const { repeats } = await receiver.arrivals();
    if (repeats > 0) throw new Error(`${contender.name} sent ${repeats} messages twice`);
    const perThousand = (pid: number, from: number): number => ((cpuSeconds(pid) - from) / MESSAGES) * 1000;
    const measured = {
      perSecond,
      cpuPerThousand: perThousand(program.pid!, before[0]),
      serverCpuPerThousand: server ? perThousand(server.process.pid!, before[1]) : 0,
      durability,
    };
    await pool.close();
    return measured;
  } finally {
    program.kill('SIGTERM');
    await ended;
    await server?.stop();
    running.delete(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(contender: Contender, folder: string, receiver: Receiver, server: Server | undefined): ChildProcess {
  if (contender === OURS) return hookbench(folder, receiver);
  const args = [here(`./peers/${contender.name}.ts`), folder, receiver.url, String(server?.port ?? '')];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The queue must have recorded both rounds; a delivery alone is only half of the work. */
async function allRecorded(pool: Pool): Promise<void> {
  const limit = performance.now() + RECORD_LIMIT_MS;
  for (;;) {
    const { body } = await pool.request({ path: '/completed', method: 'GET' });
    const { completed } = (await body.json()) as { completed: number };
    if (completed === 2 * MESSAGES) return;
    if (completed > 2 * MESSAGES || performance.now() > limit)
      throw new Error(`${completed} jobs are completed of ${2 * MESSAGES}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const medianOf = (runs: readonly Measured[], key: Exclude<keyof Measured, 'durability'>, digits: number): number =>
  round(median(runs.map((run) => run[key])), digits);

function summary(runs: readonly Measured[], ours: readonly Measured[]) {
  const ratios = ours.map((our, i) => our.perSecond / runs[i]!.perSecond);
  return {
    perSecond: medianOf(runs, 'perSecond', 0),
    ratio: round(median(ratios)),
    ratios: ratios.map((ratio) => round(ratio)),
    cpuPerThousand: medianOf(runs, 'cpuPerThousand', 3),
    serverCpuPerThousand: medianOf(runs, 'serverCpuPerThousand', 3),
    durability: runs[0]!.durability,
  };
}

const contenders: Contender[] = [OURS];
for (const peer of PEERS.filter(({ name }) => values.only.split(',').includes(name))) {
  const why = absent(peer);
  if (why === null) contenders.push(peer);
  else console.error(`${peer.name} is skipped: ${why}.`);
}
const loadBefore = round(loadavg()[0]!, 1);
const receiver = await Receiver.start();
const measured = new Map<string, Measured[]>(contenders.map(({ name }) => [name, []]));
try {
  for (let run = 0; run < Number(values.runs); run += 1)
    for (const contender of contenders) measured.get(contender.name)!.push(await measure(contender, receiver));
} finally {
  receiver.stop();
}
const ours = measured.get(OURS.name)!;
const results = Object.fromEntries([...measured].map(([name, runs]) => [name, summary(runs, ours)]));
if (values.markdown) {
  console.log('| | messages/s | Hookbench ÷ it | CPU s for 1,000: program | its server | a commit is durable by |');
  console.log('|---|---|---|---|---|---|');
  for (const [name, { perSecond, ratio, cpuPerThousand, serverCpuPerThousand, durability }] of Object.entries(results))
    console.log(
      `| ${name} | ${perSecond} | ${ratio} | ${cpuPerThousand} | ${serverCpuPerThousand || ''} | ${durability} |`,
    );
} else
  console.log(
    JSON.stringify({
      bench: 'peers',
      runs: Number(values.runs),
      messages: MESSAGES,
      calls: 'mixed',
      loadBefore,
      results,
    }),
  );
