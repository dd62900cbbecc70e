/**
 * Ingest alone: the engine as the shells run it, without webhooks, beside the shortest program that stores the same
 * (bench/ingest-reference.ts), turn by turn in one run (docs/benchmarks.md). Prints one JSON line.
 *
 *   node bench/ingest.ts [--runs 5] [--ms 1500] [--batches 1,20,100] [--connections 1,16,64] [--base DIR] [--markdown]
 *
 * `--base DIR` measures the engine whose `core` folder this is in place of the reference: before and after.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { environmentOfOurs, optionsOfOurs } from '../tools/run-child.mjs';
import { load } from './ingest-load.ts';
import { cpuSecondsOf, untilIdle } from './until-idle.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    ms: { type: 'string', default: '1500' },
    batches: { type: 'string', default: '1,20,100' },
    connections: { type: 'string', default: '1,16,64' },
    base: { type: 'string' },
    markdown: { type: 'boolean', default: false },
  },
});
const RUNS = Number(values.runs);
const MS = Number(values.ms);
const WARM_UP_MS = 1_500;
const GOAL = 0.9;
const numbersIn = (text: string): number[] => text.split(',').map(Number);
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** `HOOKBENCH_BENCH_PROFILE=DIR` writes CPU profiles of the engine's threads there. */
const PROFILE = process.env.HOOKBENCH_BENCH_PROFILE
  ? ['--cpu-prof', `--cpu-prof-dir=${process.env.HOOKBENCH_BENCH_PROFILE}`]
  : [];

interface Measured {
  readonly requestsPerSecond: number;
  /** Seconds of processor time of the whole process for 1,000 messages, until all is done. */
  readonly cpuPerThousand: number;
}

class Side {
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly #folder: string;

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#child = child;
    this.#port = port;
    this.#folder = folder;
  }

  static async start(args: readonly string[]): Promise<Side> {
    const folder = mkdtempSync(join(tmpdir(), 'hookbench-bench-'));
    const [program = '', ...more] = args;
    // The engine gets the options and the environment that its launchers give it.
    const isOurs = program.endsWith('ingest-engine.ts');
    const flags = isOurs ? [...PROFILE, ...optionsOfOurs()] : [];
    const child = spawn(process.execPath, [...flags, program, folder, ...more], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: isOurs ? environmentOfOurs() : process.env,
    });
    const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
    return new Side(child, (JSON.parse(line) as { port: number }).port, folder);
  }

  async measure(batch: number, connections: number, ms: number): Promise<Measured> {
    const cpuBefore = cpuSecondsOf(this.#child.pid!);
    const startedAt = performance.now();
    const answered = await load(this.#port, batch, connections, ms);
    const seconds = (performance.now() - startedAt) / 1000;
    await untilIdle(this.#child.pid!);
    const cpu = cpuSecondsOf(this.#child.pid!) - cpuBefore;
    return { requestsPerSecond: answered / seconds, cpuPerThousand: (cpu / (answered * batch)) * 1000 };
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

if (values.base !== undefined && !existsSync(resolve(values.base, 'engine/background-worker.ts'))) {
  console.error(
    `--base takes the src/core of another source tree with a background thread, and ${values.base} is none.`,
  );
  process.exit(2);
}
const ENGINE = [here('./ingest-engine.ts'), here('../src/core')];
const OTHER =
  values.base === undefined ? [here('./ingest-reference.ts')] : [here('./ingest-engine.ts'), resolve(values.base)];

const median = (given: readonly number[]): number => [...given].sort((a, b) => a - b)[Math.floor(given.length / 2)]!;
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

interface Row {
  readonly batch: number;
  readonly connections: number;
  readonly requestsPerSecond: number;
  readonly messagesPerSecond: number;
  readonly otherRequestsPerSecond: number;
  /** Of requests per second, and of processor time (the other's ÷ ours): medians of the ratios of neighbouring turns. */
  readonly ratio: number;
  readonly cpuRatio: number;
  readonly ratios: readonly number[];
}

async function measureRow(engine: Side, other: Side, batch: number, connections: number): Promise<Row> {
  const pairs: { ours: Measured; theirs: Measured }[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    // Each goes first in turn: the second one finds a warmer machine.
    const first = run % 2 === 0 ? engine : other;
    const one = await first.measure(batch, connections, MS);
    const two = await (first === engine ? other : engine).measure(batch, connections, MS);
    pairs.push(first === engine ? { ours: one, theirs: two } : { ours: two, theirs: one });
  }
  const perSecond = median(pairs.map(({ ours }) => ours.requestsPerSecond));
  const ratios = pairs.map(({ ours, theirs }) => ours.requestsPerSecond / theirs.requestsPerSecond);
  return {
    batch,
    connections,
    requestsPerSecond: round(perSecond, 0),
    messagesPerSecond: round(perSecond * batch, 0),
    otherRequestsPerSecond: round(median(pairs.map(({ theirs }) => theirs.requestsPerSecond)), 0),
    ratio: round(median(ratios)),
    cpuRatio: round(median(pairs.map(({ ours, theirs }) => theirs.cpuPerThousand / ours.cpuPerThousand))),
    ratios: ratios.map((ratio) => round(ratio)),
  };
}

const table = (rows: readonly Row[]): string =>
  [
    `| calls a batch | connections | requests/s | messages/s | ${values.base === undefined ? 'reference' : 'base'}, requests/s | ratio | ratio of CPU |`,
    '|---|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.batch} | ${row.connections} | ${row.requestsPerSecond} | ${row.messagesPerSecond} | ${row.otherRequestsPerSecond} | ${row.ratio} | ${row.cpuRatio} |`,
    ),
  ].join('\n');

const engine = await Side.start(ENGINE);
const other = await Side.start(OTHER);
const rows: Row[] = [];
try {
  for (const side of [engine, other]) for (const batch of [1, 20]) await side.measure(batch, 16, WARM_UP_MS);
  for (const batch of numbersIn(values.batches)) {
    for (const connections of numbersIn(values.connections))
      rows.push(await measureRow(engine, other, batch, connections));
  }
} finally {
  await engine.stop();
  await other.stop();
}
if (values.markdown) console.log(`${table(rows)}\n`);
const ratio = round(median(rows.map((row) => row.ratio)));
console.log(
  JSON.stringify({
    bench: 'ingest',
    runs: RUNS,
    ms: MS,
    beside: values.base === undefined ? 'reference' : 'base',
    ratio,
    goal: GOAL,
    rows,
  }),
);
