import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  computeTrait,
  lastChange,
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
    expect(sameValue(['a'], 'a')).toBe(false);
    expect(sameValue(1, '1')).toBe(false);
  });

  test('reads as one sentence', () => {
    const where = [{ path: 'properties.currency', test: { op: 'is', value: 'EUR' } }] as const;
    expect(traitSentence({ ...definition('sum', 90 * 86_400_000), where })).toBe(
      'Sum of properties.total over Order Completed where properties.currency is EUR in the last 90 days',
    );
    expect(traitSentence({ ...definition('first_seen'), event: null })).toBe('First seen over every call');
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

  test('of texts and lists are the eight most frequent, and the others', () => {
    const values = Array.from({ length: 10 }, (_, i) => Array.from({ length: i + 1 }, () => `v${i}`)).flat();
    const { ranges } = spreadOf({ kind: 'last' }, values);
    expect(ranges).toHaveLength(9);
    expect(ranges[0]).toEqual({ value: 'v9', people: 10 });
    expect(ranges[8]).toEqual({ others: 2, people: 3 });
    expect(spreadOf({ kind: 'unique_list' }, [['a', 'b'], ['b']]).ranges[0]).toEqual({ value: 'b', people: 2 });
  });
});
