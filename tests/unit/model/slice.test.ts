import { expect, test } from 'vitest';
import { beginSlice, SLICE_MS, SLICE_UNITS } from '../../../src/core/model/slice.ts';

test('a slice is over after its time, or after its units', () => {
  let now = 100;
  const timed = beginSlice({ mono: () => now });
  expect(timed.isOver()).toBe(false);
  now += SLICE_MS - 0.1;
  expect(timed.isOver()).toBe(false);
  now += 0.1;
  expect(timed.isOver()).toBe(true);
  const counted = beginSlice({ mono: () => now });
  const answers = Array.from({ length: SLICE_UNITS }, () => counted.isOver());
  expect(answers.indexOf(true)).toBe(SLICE_UNITS - 1);
});
