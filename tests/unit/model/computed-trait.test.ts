import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  computeTrait,
  lastChange,
  needsPath,
  nextExpiry,
  sameValue,
  type TraitCall,
  type TraitDefinition,
  traitSentence,
} from '../../../src/core/model/computed-trait.ts';
import { spreadOf } from '../../../src/core/model/value-ranges.ts';

const definition = (kind: TraitDefinition['kind'], withinMs: number | null = null): TraitDefinition => ({
  kind,
  event: 'Order Completed',
  path: kind === 'count' || kind === 'first_seen' ? null : 'properties.total',
  where: [],
  withinMs,
});

/** Calls at these times with these values; ids from 1. */
const callsOf = (...given: Array<[at: number, value: unknown]>): TraitCall[] =>
  given.map(([at, value], i) => ({ id: i + 1, at, arrivedAt: at, time: Date.UTC(2026, 0, 1) + at, value }));

const valueOfCalls = (kind: TraitDefinition['kind'], ...values: unknown[]) =>
  computeTrait(definition(kind), callsOf(...values.map((value, i): [number, unknown] => [i, value])), 1_000);

describe('a computed trait', () => {
  test('adds only numbers, exactly to 15 digits, and counts what it leaves out', () => {
    expect(valueOfCalls('sum', 0.1, 0.2, '184.50', null, undefined, true, {})).toEqual({
      value: 0.3,
      leftOut: 3,
      calls: 2,
    });
    expect(valueOfCalls('sum', 1e16, 1, -1e16).value).toBe(1);
    expect(valueOfCalls('sum', 1e308, 1e308).value).toBeNull();
    expect(valueOfCalls('sum', '1').value).toBeNull();
    expect(valueOfCalls('sum', 5, -5).value).toBe(0);
  });

  test('takes the last value that happened, not the last that arrived', () => {
    const late: TraitCall[] = [
      { id: 1, at: 20, arrivedAt: 20, time: 0, value: 'second' },
      { id: 2, at: 10, arrivedAt: 30, time: 0, value: 'first' },
    ];
    expect(computeTrait(definition('last'), late, 100).value).toBe('second');
    expect(valueOfCalls('last', 'a', null, { deep: true }).value).toBe('a');
    expect(valueOfCalls('last', 'a', false).value).toBe(false);
  });

  test('takes the most frequent value, of equals the latest', () => {
    expect(valueOfCalls('most_frequent', 'a', 'b', 'b', 'a').value).toBe('a');
    expect(valueOfCalls('most_frequent', 'a', 'a', 'b').value).toBe('a');
    expect(valueOfCalls('most_frequent', 1, '1', '1').value).toBe('1');
  });

  test('lists each value once, in the order of appearance', () => {
    expect(valueOfCalls('unique_list', 'b', 'a', 'b', 1, '1').value).toEqual(['b', 'a', 1, '1']);
    expect(valueOfCalls('unique_list').value).toBeNull();
  });

  test('counts calls, and says when the first one happened', () => {
    expect(valueOfCalls('count', 1, undefined).value).toBe(2);
    expect(valueOfCalls('count').value).toBeNull();
    expect(valueOfCalls('first_seen', 1, 2).value).toBe('2026-01-01T00:00:00.000Z');
  });

  test('forgets calls that are as old as its window', () => {
    const calls = callsOf([0, 1], [10, 2]);
    const sum = (at: number) => computeTrait(definition('sum', 100), calls, at).value;
    expect([sum(99), sum(100), sum(109), sum(110)]).toEqual([3, 2, 2, null]);
  });

  test('stops to count the next call when the oldest that counts is as old as its window', () => {
    const next = (at: number, ...times: number[]) =>
      nextExpiry(definition('sum', 100), callsOf(...times.map((time): [number, unknown] => [time, 1])), at);
    expect(next(50, 30, 10, 20)).toBe(110);
    expect(next(110, 30, 10, 20)).toBe(120);
    expect([next(130, 30, 10, 20), next(0)]).toEqual([null, null]);
    expect(nextExpiry(definition('sum'), callsOf([10, 1]), 0)).toBeNull();
  });

  test('needs a path but for counting calls and finding the first', () => {
    const kinds = ['count', 'sum', 'last', 'most_frequent', 'first_seen', 'unique_list'] as const;
    expect(kinds.filter((kind) => !needsPath(kind))).toEqual(['count', 'first_seen']);
  });

  test('of calls at one time takes the one that arrived last as the last', () => {
    const calls = callsOf([5, 'a'], [5, 'b']);
    expect(computeTrait(definition('last'), calls.toReversed(), 10).value).toBe('b');
  });

  test('adds up without the rounding errors on the way, in either order', () => {
    expect(valueOfCalls('sum', 1, 1e100, 1, -1e100).value).toBe(2);
    expect(valueOfCalls('sum', 1e100, 1, -1e100, 1).value).toBe(2);
  });

  test('has nothing to say of nobody', () => {
    for (const kind of ['count', 'sum', 'last', 'most_frequent', 'first_seen', 'unique_list'] as const)
      expect(valueOfCalls(kind)).toEqual({ value: null, leftOut: 0, calls: 0 });
  });

  test('counts every call that made it', () => {
    expect(valueOfCalls('count', 'x', null)).toEqual({ value: 2, leftOut: 0, calls: 2 });
    expect(valueOfCalls('first_seen', 'x', null)).toMatchObject({ leftOut: 0, calls: 2 });
    expect(valueOfCalls('last', 'a', {}, null)).toEqual({ value: 'a', leftOut: 1, calls: 1 });
  });

  test('looks back at 50 moments for its last change', () => {
    const same = (count: number) =>
      callsOf([0, 1], ...Array.from({ length: count }, (_, i): [number, 2] => [i + 1, 2]));
    const change = (count: number) => lastChange(definition('unique_list'), same(count), 1_000);
    expect(change(50)).toEqual({ at: 1, cause: { messageId: 2 } });
    expect(change(51)).toBeNull();
  });

  test('is not changed by a call that was too old when it came', () => {
    const late: TraitCall[] = [
      { id: 1, at: 0, arrivedAt: 0, time: 0, value: 1 },
      { id: 2, at: 10, arrivedAt: 110, time: 0, value: 1 },
    ];
    expect(lastChange(definition('sum', 100), late, 150)).toEqual({ at: 100, cause: { agedOut: 1 } });
    expect(lastChange(definition('sum', 100), late, -1)).toBeNull();
  });

  test('counts as grown too old only calls that had come before', () => {
    const calls = [50, 150, 180].map((arrivedAt, i) => ({ id: i + 1, at: 50, arrivedAt, time: 0, value: 5 }));
    expect(lastChange(definition('sum', 100), calls, 200)).toEqual({ at: 150, cause: { agedOut: 1 } });
  });

  test('came with the first call of all', () => {
    expect(lastChange(definition('sum'), callsOf([10, 5]), 100)).toEqual({ at: 10, cause: { messageId: 1 } });
  });

  test('is found past many calls that changed nothing', () => {
    const same = Array.from({ length: 40 }, (_, i): [number, unknown] => [i + 1, 0]);
    const first = { at: 0, cause: { messageId: 1 } };
    expect(lastChange(definition('sum'), callsOf([0, 5], ...same), 1_000)).toEqual(first);
    const late = same.map(([at], i) => ({ id: i + 2, at: at + 900, arrivedAt: at + 1_000, time: 0, value: 7 }));
    const calls = [...callsOf([50, 5]), ...late];
    expect(lastChange(definition('sum', 100), calls, 2_000)).toEqual({ at: 150, cause: { agedOut: 1 } });
  });

  test('first ages and then grows when both happen at one time', () => {
    const calls: TraitCall[] = [
      { id: 1, at: 0, arrivedAt: 0, time: 0, value: 1 },
      { id: 2, at: 100, arrivedAt: 100, time: 0, value: 2 },
      { id: 3, at: 100, arrivedAt: 100, time: 0, value: 0 },
    ];
    expect(lastChange(definition('sum', 100), calls, 100)).toEqual({ at: 100, cause: { messageId: 2 } });
  });

  test('says which call changed it last, or how many grew too old', () => {
    const calls = callsOf([0, 1], [0, 1], [10, 5], [20, 5]);
    const change = (kind: TraitDefinition['kind'], at: number) => lastChange(definition(kind, 100), calls, at);
    expect(change('sum', 50)).toEqual({ at: 20, cause: { messageId: 4 } });
    expect(change('sum', 105)).toEqual({ at: 100, cause: { agedOut: 2 } });
    // The call at 20 did not change the list.
    expect(change('unique_list', 50)).toEqual({ at: 10, cause: { messageId: 3 } });
    expect(change('sum', 500)).toEqual({ at: 120, cause: { agedOut: 1 } });
    expect(lastChange(definition('sum'), [], 50)).toBeNull();
  });

  test('is the same for a receiver only with equal values in equal order', () => {
    expect(sameValue(['a', 1], ['a', 1])).toBe(true);
    expect(sameValue(['a', 1], [1, 'a'])).toBe(false);
    expect(sameValue(['a', 1], ['a', 2])).toBe(false);
    expect(sameValue(['a'], 'a')).toBe(false);
    expect(sameValue(1, '1')).toBe(false);
    expect(sameValue('a', ['a'])).toBe(false);
    expect(sameValue(['a', 1], ['a'])).toBe(false);
    expect(sameValue(['a'], ['a', 1])).toBe(false);
    expect([sameValue(null, null), sameValue(null, 0)]).toEqual([true, false]);
  });

  test('reads as one sentence', () => {
    const where = [{ path: 'properties.currency', test: { op: 'is', value: 'EUR' } }] as const;
    expect(traitSentence({ ...definition('sum', 90 * 86_400_000), where })).toBe(
      'Sum of properties.total over Order Completed where properties.currency is EUR in the last 90 days',
    );
    expect(traitSentence({ ...definition('first_seen'), event: null })).toBe('First seen over every call');
    const kinds = ['count', 'last', 'most_frequent', 'unique_list'] as const;
    expect(kinds.map((kind) => traitSentence({ ...definition(kind), event: 'E', path: 'p' }))).toEqual([
      'Count over E',
      'Last of p over E',
      'Most frequent of p over E',
      'Unique list of p over E',
    ]);
  });
});

describe('the ranges of values', () => {
  test('of a few take the highest in, so that two values are not eight empty ranges', () => {
    const { ranges } = spreadOf({ kind: 'sum' }, [80, 150.5]);
    expect(ranges).toEqual([
      { from: 80, to: 100, people: 1 },
      { from: 100, to: 120, people: 0 },
      { from: 120, to: 140, people: 0 },
      { from: 140, to: 160, people: 1 },
    ]);
  });

  test('of whole numbers are never narrower than one', () => {
    expect(spreadOf({ kind: 'count' }, [1, 1, 2, 4]).ranges).toEqual([
      { from: 1, to: 2, people: 2 },
      { from: 2, to: 3, people: 1 },
      { from: 3, to: 4, people: 0 },
      { from: 4, to: 5, people: 1 },
    ]);
  });

  test('of numbers have one round width and add up, whatever the numbers', () => {
    const numbers = fc.array(
      fc.oneof(fc.integer({ min: -1_000, max: 100_000 }), fc.double({ min: 0, max: 500, noNaN: true })),
      {
        minLength: 1,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(numbers, (values) => {
        const { ranges, median, highest } = spreadOf({ kind: 'sum' }, values);
        expect(ranges.length).toBeLessThanOrEqual(8);
        expect(ranges.reduce((sum, { people }) => sum + people, 0)).toBe(values.length);
        expect(highest).toBe(Math.max(...values));
        expect(values.filter((value) => value <= median!).length * 2).toBeGreaterThanOrEqual(values.length);
        for (const range of ranges) {
          if (!('from' in range)) throw new Error('not a range');
          const { from, to, people } = range;
          const slack = 1e-6;
          const inside = values.filter((value) => value >= from - slack && (to === null || value < to + slack)).length;
          expect(inside).toBeGreaterThanOrEqual(people);
        }
      }),
    );
  });

  test.each([
    ['next to no width', [0, 2e-323, 2e-323]],
    ['a width that no number can hold', [-1.7e308, 0, 1.7e308]],
  ])('of numbers add up with %s', (_, values) => {
    const { ranges } = spreadOf({ kind: 'sum' }, values);
    expect(ranges.reduce((sum, { people }) => sum + people, 0)).toBe(3);
  });

  test('are those that a person would choose', () => {
    const values = [...Array.from({ length: 90 }, (_, i) => i * 4), 4_871];
    const { ranges } = spreadOf({ kind: 'sum' }, values);
    expect(ranges.map((range) => ('from' in range ? [range.from, range.to] : []))).toEqual([
      [0, 50],
      [50, 100],
      [100, 150],
      [150, 200],
      [200, 250],
      [250, 300],
      [300, 350],
      [350, null],
    ]);
    expect(spreadOf({ kind: 'count' }, []).ranges).toEqual([]);
    expect(spreadOf({ kind: 'count' }, [3, 3]).ranges).toEqual([{ from: 3, to: 4, people: 2 }]);
  });

  test('of times are whole days', () => {
    const values = ['2026-01-01T00:00:00.000Z', '2026-01-04T12:00:00.000Z', '2026-01-08T00:00:00.000Z'];
    const { ranges } = spreadOf({ kind: 'first_seen' }, values);
    expect(ranges[0]).toEqual({ from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2), people: 1 });
  });

  test('of times are those of the earliest on, in whatever order the times come', () => {
    const day = (date: number) => new Date(Date.UTC(2026, 0, date)).toISOString();
    const { ranges } = spreadOf({ kind: 'first_seen' }, [day(8), day(1), day(4)]);
    expect(ranges[0]).toEqual({ from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2), people: 1 });
    expect(ranges).toHaveLength(8);
  });

  test('of numbers have their middle and the highest; of anything else neither', () => {
    expect(spreadOf({ kind: 'sum' }, [9, 1, 4])).toMatchObject({ median: 4, highest: 9 });
    expect(spreadOf({ kind: 'sum' }, [9, 1, 4, 2])).toMatchObject({ median: 3, highest: 9 });
    expect(spreadOf({ kind: 'last' }, ['a', 1])).toMatchObject({ median: null, highest: null });
    expect(spreadOf({ kind: 'first_seen' }, ['2026-01-01'])).toMatchObject({ median: null, highest: null });
    expect(spreadOf({ kind: 'last' }, [])).toEqual({ ranges: [], median: null, highest: null });
    expect(spreadOf({ kind: 'first_seen' }, [])).toEqual({ ranges: [], median: null, highest: null });
  });

  test.each([
    [[0, 0.07], 0.01],
    [[0, 0.7], 0.1],
    [[0, 0.71], 0.2],
    [[0, 1.4], 0.2],
    [[0, 3.5], 0.5],
    [[0, 3.6], 1],
    [[0, 7], 1],
    [[0, 14], 2],
    [[0, 14.5], 5],
    [[-35, 0], 5],
    [[0, 3_600], 1_000],
    [[5, 5], 1],
    [[0.5, 0.5], 1],
  ])('of %j are as wide as %s', (values, width) => {
    const [range] = spreadOf({ kind: 'sum' }, values).ranges;
    if (range === undefined || !('from' in range)) throw new Error('not a range');
    expect(range.to! - range.from).toBeCloseTo(width, 12);
    expect(range.from / width).toBeCloseTo(Math.round(range.from / width), 9);
  });

  test('of ten and more are chosen for nine tenths; of fewer for all', () => {
    const widthOf = (values: number[]) => {
      const [range] = spreadOf({ kind: 'sum' }, values).ranges;
      return range !== undefined && 'from' in range ? range.to! - range.from : null;
    };
    const few = Array.from({ length: 8 }, (_, i) => i);
    expect(widthOf([...few, 700])).toBe(100);
    expect(widthOf([...few, 8, 700])).toBe(2);
    expect(widthOf([...few, 8, 9, 10])).toBe(2);
  });

  test('have no end only where values are beyond the last', () => {
    const ends = (values: number[]) => {
      const last = spreadOf({ kind: 'sum' }, values).ranges.at(-1)!;
      return 'from' in last ? [last.from, last.to] : null;
    };
    const most = Array.from({ length: 50 }, (_, i) => i % 8);
    expect(ends(most)).toEqual([7, 8]);
    expect(ends([...most, 8])).toEqual([7, null]);
    expect(ends([...most, 7.9])).toEqual([7, 8]);
    expect(ends(Array.from({ length: 16 }, (_, i) => i))).toEqual([14, 16]);
  });

  test.each([
    [7 * 60_000, 60_000],
    [7 * 60_000 + 7, 600_000],
    [7 * 3_600_000, 3_600_000],
    [8 * 3_600_000, 6 * 3_600_000],
    [7 * 86_400_000, 86_400_000],
    [14 * 86_400_000, 2 * 86_400_000],
    [49 * 86_400_000, 7 * 86_400_000],
    [210 * 86_400_000, 30 * 86_400_000],
    [630 * 86_400_000, 90 * 86_400_000],
    [7 * 365 * 86_400_000, 365 * 86_400_000],
    [7 * 365 * 86_400_000 + 7, 730 * 86_400_000],
  ])('of times over %i milliseconds are %i wide', (span, width) => {
    const times = [0, span].map((at) => new Date(at).toISOString());
    expect(spreadOf({ kind: 'first_seen' }, times).ranges[0]).toMatchObject({ from: 0, to: width });
  });

  test('of texts and lists are the eight most frequent, and the others', () => {
    const values = Array.from({ length: 10 }, (_, i) => Array.from({ length: i + 1 }, () => `v${i}`)).flat();
    const { ranges } = spreadOf({ kind: 'last' }, values);
    expect(ranges).toHaveLength(9);
    expect(ranges[0]).toEqual({ value: 'v9', people: 10 });
    expect(ranges[8]).toEqual({ others: 2, people: 3 });
    expect(
      spreadOf(
        { kind: 'last' },
        values.filter((value) => value > 'v1'),
      ).ranges,
    ).toHaveLength(8);
    expect(spreadOf({ kind: 'unique_list' }, [['a', 'b'], ['b']]).ranges[0]).toEqual({ value: 'b', people: 2 });
  });
});
