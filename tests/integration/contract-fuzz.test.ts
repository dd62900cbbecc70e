import { expect, test } from 'vitest';
import { fuzzContract } from '../fuzz/contract.ts';

test('texts of every kind on every way end their connection at most, never the engine', async () => {
  const { closed, counted, restarts } = await fuzzContract(300, 1);
  expect(restarts).toBe(0);
  for (const texts of Object.values(closed)) expect(texts).toBeGreaterThan(100);
  expect(counted).toBeGreaterThan(300);
});
