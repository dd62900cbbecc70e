/**
 * The folder of the demo. A file in it says that Hookbench made it for a demo and with which seed, so that nothing else
 * is ever emptied.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { DEFAULT_DEMO } from '../contract/demo-limits.ts';
import { ContractError } from '../contract/errors.ts';
import type { Environment } from './start-options.ts';

const MARK = 'demo.json';
/** What a reset leaves: open pages connect again with the same token, and the key opens what is sealed from then on. */
const KEPT = [MARK, 'interface-token', 'key'];

/** `--workspace`, else `HOOKBENCH_DEMO_WORKSPACE`, else a folder beside the default workspace. */
export const demoFolder = (given: string | undefined, env: Environment, folder = process.cwd()): string =>
  resolve(folder, given ?? (env.HOOKBENCH_DEMO_WORKSPACE || join(homedir(), '.hookbench', 'demo-shop')));

/** Null when the folder is no demo. */
function seedOf(folder: string): number | null {
  try {
    const { seed } = JSON.parse(readFileSync(join(folder, MARK), 'utf8')) as { seed?: unknown };
    return typeof seed === 'number' ? seed : null;
  } catch {
    return null;
  }
}

/** True for a folder that Hookbench made for a demo. */
export const isDemoFolder = (folder: string): boolean => seedOf(folder) !== null;

function mark(folder: string, seed: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, MARK), `${JSON.stringify({ seed })}\n`, { mode: 0o600 });
}

/**
 * Makes the folder of a demo, or takes the one that is there. Error `demo_failed` for a folder with anything else in
 * it, and for a demo with another seed.
 */
export function openDemoFolder(
  folder: string,
  { seed, reset = false }: { readonly seed: number | undefined; readonly reset?: boolean | undefined },
): { readonly seed: number } {
  const stored = seedOf(folder);
  const isNew = !existsSync(folder) || readdirSync(folder).length === 0;
  if (stored === null && !isNew)
    throw new ContractError('demo_failed', `${folder} is no demo, so it is left alone. Name another folder.`);
  if (stored !== null && !reset) {
    if (seed === undefined || seed === stored) return { seed: stored };
    throw new ContractError(
      'demo_failed',
      `The demo in ${folder} has the seed ${stored}. Add --reset to begin again with ${seed}.`,
    );
  }
  const chosen = seed ?? stored ?? DEFAULT_DEMO.seed;
  if (stored !== null) emptyDemoFolder(folder, chosen);
  else mark(folder, chosen);
  return { seed: chosen };
}

/** Removes what the demo stored, while no engine runs on it. */
export function emptyDemoFolder(folder: string, seed: number): void {
  if (seedOf(folder) === null) return;
  for (const name of readdirSync(folder))
    if (!KEPT.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
  mark(folder, seed);
}
