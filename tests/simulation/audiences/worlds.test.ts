/** The short form of the model test. `npm run sim:audiences -- --runs 10000` is the long one (docs/simulation.md). */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkMatches, hunt, OF_AUDIENCES, simulate } from '../workbench.ts';
import { STORES, type StoreName } from '../world-store.ts';
import { AUDIENCE_BUGS, AUDIENCE_BUGS_IN_TESTS } from './bug-list.ts';

interface Summary {
  readonly worlds: number;
  readonly messages: number;
  readonly sends: number;
  readonly syncs: number;
  readonly lives: number;
  readonly rulesChecked: number;
  readonly imports: number;
  readonly removed: number;
  readonly refused: number;
  readonly violations: ReadonlyArray<{ seed: number; what: string; detail: string }>;
}

const script = fileURLToPath(new URL('./run.ts', import.meta.url));

async function worlds(store: StoreName, ...options: string[]): Promise<Summary> {
  const { output } = await simulate(script, ['--json', '--store', store, ...options]);
  console.log(output);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Summary;
}

describe('audiences and deletions do what a simple model expects', () => {
  test.each([
    ['memory', 60, 1],
    ['sqlite', 25, 1_001],
  ] as const)('in worlds on the %s store', async (store, runs, from) => {
    const ran = await worlds(store, '--runs', String(runs), '--from', String(from));
    expect(ran.violations).toEqual([]);
    // Checks that something happened in these worlds.
    expect(ran.worlds).toBe(runs);
    expect(ran.syncs).toBeGreaterThan(runs);
    expect(ran.messages).toBeGreaterThan(20 * runs);
    expect(ran.sends).toBeGreaterThan(20 * runs);
    expect(ran.lives).toBeGreaterThan(1.5 * runs);
    expect(ran.rulesChecked).toBeGreaterThan(20 * runs);
    expect(ran.imports).toBeGreaterThan(0.05 * runs);
    expect(ran.removed).toBeGreaterThan(0.5 * runs);
    expect(ran.refused).toBeGreaterThan(0.2 * runs);
  });

  test.each(STORES)('one seed has one history on the %s store', async (store) => {
    const { violations } = await worlds(store, '--runs', '3', '--twice');
    expect(violations).toEqual([]);
  });

  test.each(AUDIENCE_BUGS_IN_TESTS)('a planted bug is found: %s', async (name) => {
    const bug = AUDIENCE_BUGS.find((one) => one.name === name);
    if (bug === undefined) throw new Error(`There is no bug called ${name}.`);
    const { worlds: found, what } = await hunt(bug, { seeds: 100, store: 'memory', worlds: OF_AUDIENCES });
    expect(found, what).not.toBeNull();
  });

  test('every planted bug still matches the source', () => {
    expect(AUDIENCE_BUGS.flatMap(checkMatches)).toEqual([]);
  });
});
