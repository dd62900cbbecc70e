import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_KNOWN_RANKS } from '../../../../src/renderer/stores/live/known-ranks.ts';
import type { Entry } from '../../../../src/renderer/stores/live/list.ts';
import { RankList } from '../../../../src/renderer/stores/live/rank-list.ts';

const dayOf = (ms: number) => `day ${Math.floor(ms / 1000)}`;
const row = (id: number, receivedAt = 0): Entry => ({ id, receivedAt });
const rows = (from: number, count: number) => Array.from({ length: count }, (_, i) => row(from + i));

/** A store with the ids 1 to `count`; the newest page has `page` rows. */
function started(count: number, page = count): RankList {
  const list = new RankList(dayOf);
  list.restart(count, rows(count - page + 1, page), false);
  return list;
}
const shownIds = (list: RankList) => Array.from({ length: list.count }, (_, p) => list.idAt(p));

describe('the unfiltered list', () => {
  it('shows the newest row first', () => {
    expect(shownIds(started(3))).toEqual([3, 2, 1]);
  });

  it('knows positions only of rows that were fetched', () => {
    const list = started(10, 2);
    expect(shownIds(list)).toEqual([10, 9, ...Array(8).fill(undefined)]);
    list.answer(0, rows(1, 3));
    expect(list.idAt(9)).toBe(1);
    expect(list.idAt(7)).toBe(3);
    expect(list.idAt(6)).toBeUndefined();
  });

  it('lets new rows enter at the top while following', () => {
    const list = started(3);
    expect(list.arrive([row(5), row(4)], false)).toBe(2);
    expect(shownIds(list)).toEqual([5, 4, 3, 2, 1]);
  });

  it('holds new rows while reading, and no position moves', () => {
    const list = started(3);
    list.arrive([row(4), row(5)], true);
    expect(shownIds(list)).toEqual([3, 2, 1]);
    expect(list.held).toBe(2);
    list.admit();
    expect(shownIds(list)).toEqual([5, 4, 3, 2, 1]);
    expect(list.held).toBe(0);
  });

  it('counts a row once when an answer is ahead of the change batch', () => {
    const list = started(3);
    list.answer(0, rows(1, 5));
    expect(list.count).toBe(3);
    list.arrive([row(4), row(5)], false);
    expect(shownIds(list)).toEqual([5, 4, 3, 2, 1]);
  });

  it('says so when an answer cannot be true beside what was counted', () => {
    const list = started(3);
    expect(list.answer(0, [row(2), row(3)])).toBe(true);
    expect(list.answer(2, rows(4, 1))).toBe(false);
  });

  it('takes a change of a known row for no arrival', () => {
    const list = started(3);
    expect(list.arrive([row(2), row(3)], false)).toBe(0);
    expect(list.count).toBe(3);
  });

  it('moves up when rows below are removed, and asks for them again', () => {
    const list = started(6);
    list.remove([1, 3]);
    expect(shownIds(list)).toEqual([6, 5, 4, 2]);
    expect(list.isReady(0, () => true)).toBe(false);
    list.answer(0, [row(2), row(4), row(5), row(6)]);
    expect(list.isReady(0, () => true)).toBe(true);
  });

  it('removes held and unknown rows from the right side of the line', () => {
    const list = started(6, 2);
    list.arrive([row(7), row(8)], true);
    list.remove([1, 8]);
    expect(list.count).toBe(5);
    expect(list.held).toBe(1);
    expect(list.idAt(0)).toBe(6);
  });

  it('hides what is shown by Clear and brings it back by undo, rows that came meanwhile included', () => {
    const list = started(3);
    list.arrive([row(4)], true);
    list.clear();
    expect(list.count).toBe(0);
    list.admit();
    expect(shownIds(list)).toEqual([4]);
    expect(list.cleared).toBe(3);
    list.undoClear();
    expect(shownIds(list)).toEqual([4, 3, 2, 1]);
  });

  it('counts cleared rows down when they are removed, not shown ones', () => {
    const list = started(3);
    list.clear();
    list.arrive([row(4), row(5)], false);
    list.remove([1, 2]);
    expect(list.cleared).toBe(1);
    expect(shownIds(list)).toEqual([5, 4]);
  });

  it('shows no row twice when an answer already lacks rows of whose removal it has not heard', () => {
    const list = started(4);
    list.answer(0, [row(2), row(3), row(4)]);
    expect(shownIds(list)).toEqual([undefined, 4, 3, 2]);
    list.remove([1]);
    list.answer(0, [row(2), row(3), row(4)]);
    expect(shownIds(list)).toEqual([4, 3, 2]);
  });

  it('undoes only the last Clear, and unclear undoes all', () => {
    const list = started(2);
    list.clear();
    list.arrive([row(3)], false);
    list.clear();
    list.undoClear();
    expect(shownIds(list)).toEqual([3]);
    list.unclear();
    expect(shownIds(list)).toEqual([3, 2, 1]);
  });

  it('keeps its place through a reset while reading, and holds what came meanwhile', () => {
    const list = started(300);
    list.restart(305, rows(6, 300), true);
    expect(list.idAt(0)).toBe(300);
    expect(list.held).toBe(5);
  });

  it('puts a day break between neighbours of different days and nowhere else', () => {
    const list = new RankList(dayOf);
    list.restart(4, [row(1, 500), row(2, 900), row(3, 1100), row(4, 1200)], false);
    expect(list.breaks()).toEqual([{ position: 2, day: 'day 0' }]);
    list.arrive([row(5, 2500)], false);
    expect(list.breaks()).toEqual([
      { position: 1, day: 'day 1' },
      { position: 3, day: 'day 0' },
    ]);
    list.remove([2]);
    expect(list.breaks().map(({ position }) => position)).toEqual([1, 3]);
  });

  it('finds the day break between two pages once both are known', () => {
    const list = new RankList(dayOf);
    list.restart(4, [row(3, 1100), row(4, 1200)], false);
    expect(list.breaks()).toEqual([]);
    list.answer(0, [row(1, 100), row(2, 200)]);
    expect(list.breaks()).toEqual([{ position: 2, day: 'day 0' }]);
  });

  it('forgets far rows once it knows too many', () => {
    const list = started(MAX_KNOWN_RANKS + 5_000, 10);
    for (let from = 0; from < MAX_KNOWN_RANKS + 5_000; from += 500) list.answer(from, rows(from + 1, 500));
    list.evict(0);
    expect(list.idAt(0)).toBe(MAX_KNOWN_RANKS + 5_000);
    expect(list.idAt(MAX_KNOWN_RANKS + 4_999)).toBeUndefined();
  });
});

/** A store as the engine keeps it, beside the list that looks at it. */
type Step =
  | { kind: 'arrive'; count: number; hold: boolean }
  | { kind: 'page'; from: number; count: number }
  | { kind: 'remove'; picks: number[] }
  | { kind: 'admit' }
  | { kind: 'clear' }
  | { kind: 'undoClear' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('arrive' as const), count: fc.integer({ min: 1, max: 20 }), hold: fc.boolean() }),
  fc.record({ kind: fc.constant('page' as const), from: fc.nat(200), count: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ kind: fc.constant('remove' as const), picks: fc.array(fc.nat(200), { maxLength: 6 }) }),
  fc.constant({ kind: 'admit' as const }),
  fc.constant({ kind: 'clear' as const }),
  fc.constant({ kind: 'undoClear' as const }),
);

function run(list: RankList, store: number[], step: Step): void {
  switch (step.kind) {
    case 'arrive': {
      const first = Math.max(0, list.lastId) + 1;
      const fresh = rows(first, step.count);
      store.push(...fresh.map(({ id }) => id));
      list.arrive(fresh, step.hold);
      return;
    }
    case 'page':
      list.answer(
        step.from,
        store.slice(step.from, step.from + step.count).map((id) => row(id)),
      );
      return;
    case 'remove': {
      const gone = step.picks.map((pick) => store[pick]).filter((id) => id !== undefined);
      for (const id of gone) if (store.includes(id)) store.splice(store.indexOf(id), 1);
      list.remove(gone);
      return;
    }
    default:
      list[step.kind]();
  }
}

describe('whatever happens to the unfiltered list', () => {
  it('no row is shown twice, newer rows stand above older ones, and each stands where the store has it', () => {
    fc.assert(
      fc.property(fc.nat(120), fc.array(step, { maxLength: 40 }), (count, steps) => {
        const store = rows(1, count).map(({ id }) => id);
        const list = started(count, Math.min(count, 30));
        for (const one of steps) {
          run(list, store, one);
          const ids = shownIds(list).filter((id) => id !== undefined);
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids).toEqual([...ids].sort((a, b) => b - a));
          expect(list.count + list.held + list.cleared).toBe(store.length);
          const shown = store.slice(0, store.length - list.held).reverse();
          for (const id of ids) expect(shown[list.positionOf(id) as number]).toBe(id);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a held arrival moves no row, and an admitted one moves every row by the same number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 80 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(79),
        (count, fresh, pick) => {
          const list = started(count);
          const anchor = list.idAt(pick % count) as number;
          const before = list.positionOf(anchor) as number;
          list.arrive(rows(count + 1, fresh), true);
          expect(list.positionOf(anchor)).toBe(before);
          list.admit();
          expect(list.positionOf(anchor)).toBe(before + fresh);
        },
      ),
    );
  });

  it('hides rows anywhere, and every other row keeps its order and its day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 20 }),
        fc.nat(5),
        fc.integer({ min: 1, max: 40 }),
        (count, wanted, fresh, gone) => {
          const dated = (id: number) => row(id, id * 300);
          const list = new RankList(dayOf);
          list.restart(
            count,
            Array.from({ length: count }, (_, i) => dated(i + 1)),
            false,
          );
          const away = wanted.filter((id) => id <= count);
          list.hide(away.map((id) => ({ id, rank: id - 1 })));
          const left = (ids: number[]) => ids.filter((id) => !away.includes(id)).reverse();
          const store = Array.from({ length: count }, (_, i) => i + 1);
          const check = (ids: number[]) => {
            expect(shownIds(list)).toEqual(ids);
            expect(ids.map((id) => list.positionOf(id))).toEqual(ids.map((_, position) => position));
            for (const id of away) expect(list.positionOf(id)).toBeUndefined();
            const days = ids.map((id) => dayOf(id * 300));
            const breaks = days.flatMap((day, position) =>
              position > 0 && day !== days[position - 1] ? [{ position, day }] : [],
            );
            expect(list.breaks()).toEqual(breaks);
          };
          check(left(store));
          expect(list.hidden).toBe(away.length);
          expect(list.matching).toBe(count - away.length);
          for (let i = 1; i <= fresh; i += 1) store.push(count + i);
          list.arrive(store.slice(count).map(dated), true);
          expect(list.held).toBe(fresh);
          expect(list.count).toBe(count - away.length);
          list.admit();
          check(left(store));
          list.remove([gone]);
          check(left(store.filter((id) => id !== gone)));
          list.hide([]);
          expect(shownIds(list)).toEqual(store.filter((id) => id !== gone).reverse());
        },
      ),
      { numRuns: 300 },
    );
  });
});
