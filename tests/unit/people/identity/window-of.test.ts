import fc from 'fast-check';
import { expect, test } from 'vitest';
import { windowOf } from '../../../../src/core/people/identity/window-of.ts';

test('a window has the rows that sorting everything would put there, and all that match are counted', () => {
  const rows = fc.array(fc.record({ rank: fc.integer({ min: 0, max: 4 }), wanted: fc.boolean() }), { maxLength: 30 });
  const some = fc.nat({ max: 12 });
  fc.assert(
    fc.property(rows, some, some, fc.boolean(), (drawn, from, limit, isRanked) => {
      const all = drawn.map((row, i) => ({ ...row, i }));
      const wanted = all.filter((row) => row.wanted);
      const sorted = isRanked ? wanted.toSorted((a, b) => b.rank - a.rank) : wanted;
      const ask = { by: isRanked ? ({ rank }: { rank: number }) => rank : null, from, limit };
      const found = windowOf(all, (row) => row.wanted, ask);
      expect(found.rows).toEqual(sorted.slice(from, from + limit));
      expect(found.matching()).toBe(wanted.length);
    }),
    { numRuns: 2_000 },
  );
});
