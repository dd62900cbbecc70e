import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Ranks } from '../../../src/core/store/ranks.ts';

const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), skip: fc.integer({ min: 0, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('removeUnknown' as const), id: fc.integer({ min: -2, max: 200 }) }),
  },
);

describe('ranks', () => {
  test('are those of a plain list of ids, after any appends and removals', () => {
    fc.assert(
      fc.property(fc.nat({ max: 20 }), fc.array(command, { maxLength: 80 }), (loaded, commands) => {
        const ranks = new Ranks();
        let ids: number[] = [];
        let last = 0;
        if (loaded > 0) {
          ranks.appendRange(1, loaded);
          ids = Array.from({ length: loaded }, (_, i) => i + 1);
          last = loaded;
        }
        for (const one of commands) {
          if (one.kind === 'append') {
            last += 1 + one.skip;
            ranks.append(last);
            ids.push(last);
          } else {
            const id = one.kind === 'removeUnknown' ? one.id : ids[one.at % Math.max(1, ids.length)];
            if (id === undefined) continue;
            ranks.removeAll([id]);
            ids = ids.filter((other) => other !== id);
          }
          expect(ranks.total).toBe(ids.length);
          expect(Array.from({ length: ids.length + 2 }, (_, rank) => ranks.idAt(rank))).toEqual([
            ...ids,
            undefined,
            undefined,
          ]);
          for (let id = 0; id <= last + 1; id += 1)
            expect(ranks.rankOf(id)).toBe(ids.includes(id) ? ids.indexOf(id) : null);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('an empty list has no ids, and takes new ones after everything was removed', () => {
    const ranks = new Ranks();
    expect(ranks.total).toBe(0);
    expect(ranks.idAt(0)).toBeUndefined();
    ranks.append(5);
    ranks.removeAll([5]);
    expect(ranks.total).toBe(0);
    ranks.append(6);
    expect([ranks.idAt(0), ranks.total]).toEqual([6, 1]);
  });

  test('an id that is taken out twice at once goes once', () => {
    const ranks = new Ranks();
    ranks.appendRange(1, 5);
    ranks.removeAll([3, 3, 3]);
    expect([0, 1, 2, 3, 4].map((rank) => ranks.idAt(rank))).toEqual([1, 2, 4, 5, undefined]);
    expect(ranks.total).toBe(4);
  });

  test('follow a commit: an id that it adds and removes is gone', () => {
    const ranks = new Ranks();
    ranks.appendRange(1, 2);
    ranks.committed({ inserted: [3, 4], removed: [1, 4] });
    expect([0, 1, 2].map((rank) => ranks.idAt(rank))).toEqual([2, 3, undefined]);
  });

  test('many are taken out at once as one by one', () => {
    const ids = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 200 });
    fc.assert(
      fc.property(ids, fc.array(ids, { maxLength: 5 }), (stored, removals) => {
        const ranks = new Ranks();
        let left = [...new Set(stored)].sort((a, b) => a - b);
        for (const id of left) ranks.append(id);
        for (const gone of removals) {
          ranks.removeAll(gone);
          left = left.filter((id) => !gone.includes(id));
          expect(left.map((_, rank) => ranks.idAt(rank))).toEqual(left);
          expect(ranks.total).toBe(left.length);
        }
      }),
    );
  });
});
