/** A copy of the engine and the simulation in its own folder, with a planted bug, run in a separate process. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changesIn, type PlantedBug, type SourceChange } from './planted-bug.ts';
import { STORES, type StoreName } from './world-store.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What a run needs. A test checks that it holds all that the simulation imports. */
export const COPIED = [
  'src/core',
  'src/contract',
  'src/shell',
  'tests/simulation',
  'tests/helpers/memory-folder.ts',
  'tests/helpers/sim-ports.ts',
  'tests/helpers/sim-transport.ts',
  'tests/helpers/memory-store',
  'tests/helpers/store-rows.ts',
  'package.json',
];

export interface Found {
  /** Worlds until a violation, or null when there was none. */
  readonly worlds: number | null;
  readonly what: string;
  readonly seconds: number;
}

export interface Hunt {
  /** At most so many worlds. */
  readonly seeds: number;
  readonly from?: number;
  readonly store?: StoreName;
  readonly worlds?: Worlds;
}

/** Which script runs the worlds, below tests/simulation, and how its option for their number is called. */
export interface Worlds {
  readonly script: string;
  readonly count: '--seeds' | '--runs';
  readonly options: readonly string[];
}

const DELIVERY: Worlds = { script: 'run.ts', count: '--seeds', options: ['--plain'] };
export const OF_AUDIENCES: Worlds = { script: 'audiences/run.ts', count: '--runs', options: [] };

/**
 * Runs worlds with the planted bug until one has a violation. Throws when a change does not match exactly once, or when
 * worlds on that store cannot have the bug.
 */
export async function hunt(
  bug: PlantedBug,
  { seeds, from = 1, store = 'sqlite', worlds = DELIVERY }: Hunt,
): Promise<Found> {
  const changes = changesIn(bug, store);
  if (changes === null) throw new Error(`${bug.name}: not in the ${store} store.`);
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-bug-'));
  try {
    for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const change of changes) plant(folder, change);
    const { script, count, options } = worlds;
    const wanted = [count, String(seeds), '--from', String(from), '--store', store];
    return await run(join(folder, 'tests/simulation', script), [...options, '--stop', '--json', ...wanted]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Changes of a bug that no longer match the source, as texts. */
export const checkMatches = (bug: PlantedBug): string[] =>
  [...new Set(STORES.flatMap((store) => changesIn(bug, store) ?? []).flatMap(mismatch))].map(
    (what) => `${bug.name}: ${what}`,
  );

function mismatch({ file, from }: SourceChange): string[] {
  const times = occurrences(join(ROOT, file), from);
  return times === 1 ? [] : [`${file} has it ${times} times: ${from}`];
}

const occurrences = (path: string, text: string): number => readFileSync(path, 'utf8').split(text).length - 1;

function plant(folder: string, { file, from, to }: SourceChange): void {
  const path = join(folder, file);
  const times = occurrences(path, from);
  if (times !== 1) throw new Error(`${file}: found ${times} times, not once: ${from}`);
  writeFileSync(path, readFileSync(path, 'utf8').split(from).join(to));
}

async function run(script: string, options: readonly string[]): Promise<Found> {
  const { output } = await simulate(script, options);
  const summary = output.trim().split('\n').at(-1) ?? '';
  if (!summary.startsWith('{')) throw new Error(`The simulation did not run:\n${output}`);
  const { worlds, seconds, violations } = JSON.parse(summary) as {
    worlds: number;
    seconds: number;
    violations: Array<{ what: string; detail: string }>;
  };
  const [first] = violations;
  if (first?.what === 'the harness') throw new Error(first.detail);
  return { worlds: first === undefined ? null : worlds, what: first?.what ?? '', seconds };
}

/** Runs the simulation in a separate process, so that errors thrown in a dead life do not disturb the caller. */
export function simulate(script: string, options: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
