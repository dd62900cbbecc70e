import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MessageRecord } from '../../../src/core/model/stored.ts';
import { rankNear } from '../../../src/core/serving/handlers/time-place.ts';

const near = (time: number, times: ReadonlyArray<number | null>): number | null =>
  rankNear(
    time,
    { total: times.length, idAt: (rank) => (rank >= 0 && rank < times.length ? rank + 1 : undefined) },
    {
      message: (id) => {
        const receivedAt = times[id - 1];
        return receivedAt === null || receivedAt === undefined ? undefined : ({ receivedAt } as MessageRecord);
      },
    },
  );

test('it is the nearest of all, whatever the times are', () => {
  const times = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(times, fc.integer({ min: -5, max: 70 }), (drawn, time) => {
      const sorted = drawn.sort((a, b) => a - b);
      const rank = near(time, sorted)!;
      const least = Math.min(...sorted.map((one) => Math.abs(one - time)));
      expect(Math.abs(sorted[rank]! - time)).toBe(least);
    }),
  );
});

test('of two as near it is the older one, and of an empty store none', () => {
  expect(near(15, [10, 20])).toBe(0);
  expect(near(5, [])).toBeNull();
});

test('a message that cannot be read is passed over', () => {
  expect(near(40, [10, null, 30, null, 50, 60])).toBe(2);
  expect(near(55, [10, null, null, null, 50, 60])).toBe(4);
  expect(near(99, [10, null])).toBeGreaterThanOrEqual(0);
});
