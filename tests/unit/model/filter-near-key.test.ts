import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distance } from '../../../src/core/model/filter-near-key.ts';

/** Letters added, removed, replaced, or swapped with their neighbour, by the table of all beginnings. */
function slips(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_unused, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? table[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY;
      table[i]![j] = Math.min(replaced, swapped, table[i - 1]![j]! + 1, table[i]![j - 1]! + 1);
    }
  return table[a.length]![b.length]!;
}

test.each([
  ['status:', 'status:', 0],
  ['staus:', 'status:', 1],
  ['sttatus:', 'status:', 1],
  ['eevent:', 'event:', 1],
  ['evnet:', 'event:', 1],
  ['evemt:', 'event:', 1],
  ['event', 'event:', 1],
  ['evet:', 'event:', 1],
  ['nevet:', 'event:', 2],
  ['hook:', 'code:', 2],
])('%s is %s but for %i slips', (typed, known, apart) => {
  expect([distance(typed, known), distance(known, typed)]).toEqual([apart, apart]);
});

test('one slip is told from none and from more, for any two words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
  const near = fc
    .tuple(word, fc.nat(6), fc.nat(2), fc.constantFrom('', 'a', 'b', 'ab', 'ba'))
    .map(([one, at, cut, put]) => [one, one.slice(0, at) + put + one.slice(at + cut)]);
  fc.assert(
    fc.property(fc.oneof(fc.tuple(word, word), near), ([a = '', b = '']) => {
      expect([a, b, Math.min(2, distance(a, b))]).toEqual([a, b, Math.min(2, slips(a, b))]);
    }),
    { numRuns: 2_000 },
  );
});
