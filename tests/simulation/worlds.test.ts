/** The short form of the simulation. `npm run sim -- --seeds 10000` is the long one (docs/simulation.md). */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { simulate } from './workbench.ts';

interface Summary {
  readonly worlds: number;
  readonly messages: number;
  readonly sends: number;
  readonly lives: number;
  readonly faults: number;
  readonly violations: ReadonlyArray<{ seed: number; what: string; detail: string }>;
}

const script = fileURLToPath(new URL('./run.ts', import.meta.url));

async function worlds(...options: string[]): Promise<Summary> {
  const { output } = await simulate(script, ['--json', '--keep', ...options]);
  console.log(output);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Summary;
}

test('200 worlds, every seed that ever failed and the seed of this commit hold every invariant', {
  timeout: 300_000,
}, async () => {
  const { violations, ...ran } = await worlds('--seeds', '200');
  expect(violations).toEqual([]);
  // Checks that something happened in these worlds.
  expect(ran.worlds).toBeGreaterThan(200);
  expect(ran.messages).toBeGreaterThan(2_000);
  expect(ran.sends).toBeGreaterThan(10_000);
  expect(ran.lives).toBeGreaterThan(500);
  expect(ran.faults).toBeGreaterThan(20);
});

test('one seed has one history: 10 seeds twice have the same logs', { timeout: 60_000 }, async () => {
  const { violations } = await worlds('--plain', '--seeds', '10', '--twice');
  expect(violations).toEqual([]);
});
