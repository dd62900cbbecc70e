/** A copy of the engine and the simulation in its own folder, with a planted bug, run in a separate process. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PlantedBug, SourceChange } from './bug-list.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  'src/core',
  'src/contract',
  'src/shell',
  'tests/simulation',
  'tests/helpers/sim-ports.ts',
  'package.json',
];

export interface Found {
  /** Worlds until a violation, or null when there was none. */
  readonly worlds: number | null;
  readonly what: string;
  readonly seconds: number;
}

/**
 * Runs worlds with the planted bug until one has a violation, at most `seeds`. Throws when a change does not match
 * exactly once.
 */
export async function hunt(bug: PlantedBug, seeds: number, from = 1): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-bug-'));
  try {
    for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const change of bug.changes) plant(folder, change);
    return await run(folder, ['--plain', '--stop', '--json', '--seeds', String(seeds), '--from', String(from)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Changes of a bug that no longer match the source, as texts. */
export const checkMatches = ({ name, changes }: PlantedBug): string[] =>
  changes.flatMap(({ file, from }) => {
    const times = occurrences(join(ROOT, 'src/core', file), from);
    return times === 1 ? [] : [`${name}: ${file} has it ${times} times: ${from}`];
  });

const occurrences = (path: string, text: string): number => readFileSync(path, 'utf8').split(text).length - 1;

function plant(folder: string, { file, from, to }: SourceChange): void {
  const path = join(folder, 'src/core', file);
  const times = occurrences(path, from);
  if (times !== 1) throw new Error(`${file}: found ${times} times, not once: ${from}`);
  writeFileSync(path, readFileSync(path, 'utf8').split(from).join(to));
}

async function run(folder: string, options: readonly string[]): Promise<Found> {
  const { output } = await simulate(join(folder, 'tests/simulation/run.ts'), options);
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
