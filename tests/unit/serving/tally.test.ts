import { expect, test } from 'vitest';
import { Tally } from '../../../src/core/serving/tally.ts';

test('each is counted and told, and the log has one line a minute with the count', () => {
  let now = 0;
  let told = 0;
  const lines: unknown[] = [];
  const tally = new Tally(
    { wall: () => 1_000_000 + now, mono: () => now },
    { log: (...line) => void lines.push(line) },
    'bad_thing',
    () => {
      told += 1;
    },
  );
  expect(tally.seen).toBeNull();
  for (now = 0; now < 120_000; now += 100) tally.add({ problem: 'x' });
  expect(tally.seen).toEqual({ count: 1_200, lastAt: 1_119_900 });
  expect(told).toBe(1_200);
  expect(lines).toEqual([
    ['warn', 'bad_thing', { count: 1, problem: 'x' }],
    ['warn', 'bad_thing', { count: 601, problem: 'x' }],
  ]);
});
