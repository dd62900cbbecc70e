import { expect, test } from 'vitest';
import { seededRandom } from '../../../src/core/model/seeded-random.ts';

const drawn = (seed: number, count: number): number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random.next());
};

// A seed that someone wrote down must give the same shop and the same faults in every version.
test('a seed gives the same numbers in every version', () => {
  expect(drawn(7, 3)).toEqual([0.8936956545803696, 0.9803904530126601, 0.1866056271828711]);
  expect(drawn(7, 5)).toEqual(drawn(7, 5));
  expect(drawn(-1, 1)).toEqual(drawn(2 ** 32 - 1, 1));
  expect(drawn(8, 1)).not.toEqual(drawn(7, 1));
});

test('numbers are spread over [0, 1)', () => {
  const numbers = drawn(1, 10_000);
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThan(1);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const inside = numbers.filter((number) => Math.floor(number * 10) === tenth).length;
    expect(Math.abs(inside - 1_000)).toBeLessThan(120);
  }
});
