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

test('42 worlds, 30 of them in memory, every seed that ever failed and the seed of this commit hold every invariant', {
  timeout: 300_000,
}, async () => {
  const both = [await worlds('--seeds', '12'), await worlds('--seeds', '30', '--from', '31', '--store', 'memory')];
  expect(both.flatMap(({ violations }) => violations)).toEqual([]);
  // Checks that something happened in these worlds.
  const sum = (count: (one: Summary) => number): number => both.reduce((all, one) => all + count(one), 0);
  expect(sum((one) => one.worlds)).toBeGreaterThan(42);
  expect(sum((one) => one.messages)).toBeGreaterThan(336);
  expect(sum((one) => one.sends)).toBeGreaterThan(1_680);
  expect(sum((one) => one.lives)).toBeGreaterThan(84);
  for (const { faults } of both) expect(faults).toBeGreaterThan(4);
});

test.each(['sqlite', 'memory'])('one seed has one history: 3 seeds twice have the same logs: %s', async (store) => {
  const { violations } = await worlds('--plain', '--seeds', '3', '--twice', '--store', store);
  expect(violations).toEqual([]);
});
