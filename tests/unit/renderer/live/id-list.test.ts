import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdList, MAX_IDS } from '../../../../src/renderer/stores/live/id-list.ts';

const dayOf = (ms: number) => `day ${Math.floor(ms / 1000)}`;

function listOf(ids: number[], { before = 1, complete = true } = {}): IdList {
  const list = new IdList(dayOf);
  list.append(ids, before, complete);
  return list;
}
const shownIds = (list: IdList) => Array.from({ length: list.count }, (_, p) => list.idAt(p));

describe('a filtered list', () => {
  it('is read on page by page, newest first', () => {
    const list = listOf([9, 7], { before: 6, complete: false });
    expect(list.matching).toBeNull();
    list.append([5, 2], 1, true);
    expect(shownIds(list)).toEqual([9, 7, 5, 2]);
    expect(list.matching).toBe(4);
  });

  it('puts a row that begins to match into its place', () => {
    const list = listOf([9, 5, 2]);
    expect(list.insert([7, 11], false)).toBe(2);
    expect(shownIds(list)).toEqual([11, 9, 7, 5, 2]);
  });

  it('holds rows while reading and shows them in order afterwards', () => {
    const list = listOf([9, 5]);
    list.insert([7, 12, 10], true);
    expect(shownIds(list)).toEqual([9, 5]);
    expect(list.held).toBe(3);
    list.admit();
    expect(shownIds(list)).toEqual([12, 10, 9, 7, 5]);
  });

  it('keeps a row that no longer matches until it is refreshed', () => {
    const list = listOf([9, 7, 5]);
    expect(list.unmatch(7)).toBe(true);
    expect(list.unmatch(7)).toBe(false);
    expect(shownIds(list)).toEqual([9, 7, 5]);
    expect(list.unmatched).toBe(1);
    expect(list.isUnmatched(7)).toBe(true);
    expect(list.rematch([7])).toBe(true);
    list.unmatch(5);
    list.refresh();
    expect(shownIds(list)).toEqual([9, 7]);
    expect(list.unmatched).toBe(0);
  });

  it('drops a held row that no longer matches: nobody saw it', () => {
    const list = listOf([5]);
    list.insert([7], true);
    list.unmatch(7);
    expect(list.held).toBe(0);
    expect(list.unmatched).toBe(0);
  });

  it('hides by Clear, lets new rows in, and brings the old ones back', () => {
    const list = listOf([9, 7]);
    list.clear();
    list.insert([12], false);
    expect(shownIds(list)).toEqual([12]);
    expect(list.cleared).toBe(2);
    list.undoClear();
    expect(shownIds(list)).toEqual([12, 9, 7]);
  });

  it('marks the days of neighbours that were fetched', () => {
    const list = listOf([4, 3, 2, 1]);
    list.seen({ id: 4, receivedAt: 1500 });
    list.seen({ id: 2, receivedAt: 900 });
    expect(list.breaks()).toEqual([]);
    list.seen({ id: 3, receivedAt: 1200 });
    expect(list.breaks()).toEqual([{ position: 2, day: 'day 0' }]);
    list.remove([2]);
    list.seen({ id: 1, receivedAt: 100 });
    expect(list.breaks()).toEqual([{ position: 2, day: 'day 0' }]);
  });

  it('lets the oldest ids go when it grows without end, and reads them again later', () => {
    const list = listOf(Array.from({ length: MAX_IDS }, (_, i) => MAX_IDS - i));
    list.insert([MAX_IDS + 1], false);
    expect(list.count).toBe(MAX_IDS);
    expect(list.complete).toBe(false);
    expect(list.before).toBe(2);
  });
});

type Step =
  | { kind: 'insert'; ids: number[]; hold: boolean }
  | { kind: 'remove' | 'unmatch'; ids: number[] }
  | { kind: 'admit' | 'clear' | 'undoClear' | 'refresh' };
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 8 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), ids, hold: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('remove' as const, 'unmatch' as const), ids }),
  fc.record({ kind: fc.constantFrom('admit' as const, 'clear' as const, 'undoClear' as const, 'refresh' as const) }),
);

function run(list: IdList, step: Step): void {
  if (step.kind === 'insert') list.insert(step.ids, step.hold);
  else if (step.kind === 'remove') list.remove(step.ids);
  else if (step.kind === 'unmatch') for (const id of step.ids) list.unmatch(id);
  else list[step.kind]();
}

describe('whatever happens to a filtered list', () => {
  it('no row is shown twice, the order is that of arrival, and positions are those of the rows', () => {
    fc.assert(
      fc.property(ids, fc.array(step, { maxLength: 30 }), (start, steps) => {
        const list = listOf([...start].sort((a, b) => b - a));
        for (const one of steps) {
          const before = shownIds(list) as number[];
          run(list, one);
          const shown = shownIds(list) as number[];
          expect(shown).toEqual([...new Set(shown)].sort((a, b) => b - a));
          for (const [position, id] of shown.entries()) expect(list.positionOf(id)).toBe(position);
          if (one.kind === 'insert' && one.hold) expect(shown).toEqual(before);
          if (one.kind === 'unmatch') expect(shown).toEqual(before);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('rows that enter move the anchor by exactly the number that stands above it', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), ids, (start, fresh) => {
        const sorted = [...start].sort((a, b) => b - a);
        const list = listOf(sorted);
        const anchor = sorted[Math.floor(sorted.length / 2)] as number;
        const before = list.positionOf(anchor) as number;
        list.insert(fresh, false);
        const above = fresh.filter((id) => id > anchor && !start.includes(id)).length;
        expect(list.positionOf(anchor)).toBe(before + above);
      }),
    );
  });

  it('hides rows that it has and rows that come later, and shows them again in their place', () => {
    const list = listOf([9, 7], { before: 6, complete: false });
    list.hide(new Set([7, 5, 12, 99]));
    list.append([5, 2], 1, true);
    list.insert([12, 10], false);
    expect(shownIds(list)).toEqual([10, 9, 2]);
    expect([list.hidden, list.matching]).toEqual([3, 3]);
    expect(list.knows(7)).toBe(true);
    list.hide(new Set([12]));
    expect(shownIds(list)).toEqual([10, 9, 7, 5, 2]);
    list.hide(new Set());
    expect(shownIds(list)).toEqual([12, 10, 9, 7, 5, 2]);
    expect(list.hidden).toBe(0);
  });

  it('does not show a hidden row again that stopped matching or was removed', () => {
    const list = listOf([9, 7, 5]);
    list.hide(new Set([9, 7]));
    list.unmatch(9);
    list.remove([7]);
    list.hide(new Set());
    expect(shownIds(list)).toEqual([5]);
  });
});
