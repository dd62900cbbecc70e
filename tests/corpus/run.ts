/**
 * The whole corpus in both modes, then what ingest must bear: bombs, slow clients, idle connections.
 * Prints one JSON line; exit code 1 when anything is not as it must be.
 *
 *   node tests/corpus/run.ts [--idle 500] [--calls 1000] [--markdown]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BombReport, type IdleReport, keepIdle, SLOW, type SlowReport, sendBombs, sendSlowly } from './bounds.ts';
import type { Mode } from './case.ts';
import { CorpusEngine } from './engine.ts';
import { blockName, type Failure, play } from './play.ts';
import { corpus } from './tables/index.ts';

const { values } = parseArgs({
  options: {
    idle: { type: 'string', default: '500' },
    calls: { type: 'string', default: '1000' },
    markdown: { type: 'boolean', default: false },
  },
});

/** A request has 10 s, and that is looked at every half second. */
const SLOW_LIMIT_MS = 11_500;
const GOALS = { growthMb: 8, blockMs: 50, idleP99: 50 } as const;
const BOMB_ROUNDS = 10;
const DRIP_MS = 1_000;

interface CorpusReport {
  readonly mode: Mode;
  readonly cases: number;
  readonly failures: readonly Failure[];
  readonly countersRight: boolean;
  readonly builtInsUntouched: boolean;
  /** Longest time that the event loop stood still, in milliseconds of processor time and of the clock, and in which topic. */
  readonly longest: { readonly name: string; readonly cpuMs: number; readonly wallMs: number };
  readonly seconds: number;
}

async function withEngine<T>(mode: Mode, act: (engine: CorpusEngine) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-corpus-'));
  try {
    const engine = await CorpusEngine.start(folder, mode);
    try {
      return await act(engine);
    } finally {
      await engine.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const playAll = (mode: Mode): Promise<CorpusReport> =>
  withEngine(mode, async (engine) => {
    const startedAt = performance.now();
    const { cases, failures, expected, blocks } = await play(engine, corpus, mode);
    const longest = blocks[0]!;
    const { kept, counted } = engine.counts();
    const { builtInsUntouched, errors } = await engine.facts();
    const isRight = JSON.stringify(kept) === JSON.stringify(counted);
    const states = new Set([...Object.keys(kept), ...Object.keys(expected)]);
    return {
      mode,
      cases,
      failures,
      countersRight: isRight && errors === 0 && [...states].every((state) => kept[state] === expected[state]),
      builtInsUntouched,
      longest: { ...longest, name: blockName(longest) },
      seconds: (performance.now() - startedAt) / 1000,
    };
  });

interface BoundsReport {
  readonly bombs: BombReport;
  readonly slow: readonly SlowReport[];
  readonly idle: IdleReport;
}

const bear = (): Promise<BoundsReport> =>
  withEngine('segment', async (engine) => {
    const bombs = await sendBombs(engine, BOMB_ROUNDS);
    const slow = await Promise.all(SLOW.map((one) => sendSlowly(engine.port, one, DRIP_MS)));
    const idle = await keepIdle(engine, Number(values.idle), Number(values.calls));
    return { bombs, slow, idle };
  });

function problemsOf(runs: readonly CorpusReport[], { bombs, slow, idle }: BoundsReport): string[] {
  const problems: string[] = [];
  const unless = (holds: boolean, problem: string): void => void (holds || problems.push(problem));
  for (const { mode, failures, countersRight, builtInsUntouched, longest } of runs) {
    for (const { topic, name, faults } of failures) problems.push(`${mode}, ${topic}, ${name}: ${faults.join('; ')}`);
    unless(countersRight, `${mode}: counters or log are not as the cases say`);
    unless(builtInsUntouched, `${mode}: built-in objects were changed`);
    unless(longest.cpuMs <= GOALS.blockMs, `${mode}: ${longest.name} took ${longest.cpuMs} ms at once`);
  }
  unless(bombs.growthMb <= GOALS.growthMb, `a bomb took ${bombs.growthMb} MB`);
  for (const { name, status, ms } of slow)
    unless(status === 408 && ms <= SLOW_LIMIT_MS, `slow client, ${name}: ${status} after ${ms} ms`);
  unless(idle.open === idle.sockets, `only ${idle.open} of ${idle.sockets} idle connections stayed`);
  unless(idle.p99 <= GOALS.idleP99, `p99 beside idle connections is ${idle.p99} ms`);
  return problems;
}

const round = (value: number): number => Number(value.toFixed(1));

function markdown(runs: readonly CorpusReport[], { bombs, slow, idle }: BoundsReport): string {
  const modes = runs.map(
    ({ mode, cases, failures, longest, seconds }) =>
      `| ${mode} | ${cases} | ${failures.length} | ${round(longest.cpuMs)} (${longest.name}) | ${round(seconds)} |`,
  );
  const slowest = Math.max(...slow.map(({ ms }) => ms)) / 1000;
  return [
    '| mode | cases | failures | longest block, ms of processor time | seconds |',
    '|---|---|---|---|---|',
    ...modes,
    '',
    `${bombs.bombs} bombs: at most ${round(bombs.growthMb)} MB more for a single one, ${round(bombs.inARowMb)} MB for all in a row. ${slow.length} slow clients: cut off with 408 after at most ${round(slowest)} s. ` +
      `${idle.open} of ${idle.sockets} idle connections open: p50 ${round(idle.p50)} ms, p99 ${round(idle.p99)} ms.`,
  ].join('\n');
}

const runs: CorpusReport[] = [];
for (const mode of ['segment', 'strict'] as const) runs.push(await playAll(mode));
const bounds = await bear();
const problems = problemsOf(runs, bounds);
if (values.markdown) console.log(`${markdown(runs, bounds)}\n`);
for (const problem of problems.slice(0, 50)) console.error(problem);
console.log(
  JSON.stringify({
    corpus: runs.map(({ mode, cases, failures, longest, seconds }) => ({
      mode,
      cases,
      failures: failures.length,
      longestBlockMs: round(longest.cpuMs),
      longestBlockWallMs: round(longest.wallMs),
      seconds: round(seconds),
    })),
    bombs: {
      count: bounds.bombs.bombs,
      growthMb: round(bounds.bombs.growthMb),
      inARowMb: round(bounds.bombs.inARowMb),
      longestBlockMs: round(bounds.bombs.longestCpuMs),
    },
    slow: bounds.slow.map(({ name, status, ms }) => ({ name, status, ms: Math.round(ms) })),
    idle: { ...bounds.idle, p50: round(bounds.idle.p50), p99: round(bounds.idle.p99) },
    problems: problems.length,
  }),
);
process.exit(problems.length === 0 ? 0 : 1);
