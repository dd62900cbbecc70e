import { expect, test } from 'vitest';
import { COUNTED_KEYS, isCountedKey, LONGEST_EVENT, termOfValue } from '../../../src/core/model/filter-counted.ts';
import { FIELD_OPS, FILTER_LIMITS } from '../../../src/core/model/filter-terms.ts';

test('the keys with few values are counted, and no other', () => {
  expect(COUNTED_KEYS.join(' ')).toBe('type status source event hook code is note reason');
  for (const key of COUNTED_KEYS) expect(isCountedKey(key)).toBe(true);
  for (const key of ['text', 'user', 'after', 'field', 'toString', '']) expect(isCountedKey(key)).toBe(false);
});

test.each([
  ['type', 'track', ['track']],
  ['status', 'not_selected', ['not_selected']],
  ['source', '12', [12]],
  ['event', 'A * b\\c', ['A \\* b\\\\c']],
  ['hook', '3', [{ slot: 3 }]],
  ['hook', '3=t', [{ slot: 3, cell: 't' }]],
  ['code', '5xx', ['5xx']],
  ['is', 'noted', ['noted']],
  ['note', 'number_lost', ['number_lost']],
  ['reason', 'event_off', ['event_off']],
] as const)('as a term, the value of %s that is %s takes its own type', (key, value, values) => {
  expect(termOfValue(key, value)).toStrictEqual({ key, values });
});

test('the longest counted event is within the limits of a filter, whatever its characters are', () => {
  expect(LONGEST_EVENT).toBe(200);
  const { values } = termOfValue('event', '*'.repeat(LONGEST_EVENT));
  expect(String(values[0]).length).toBeLessThanOrEqual(FILTER_LIMITS.characters);
});

test('a filter has its comparisons and its limits', () => {
  expect(FIELD_OPS.join(' ')).toBe('= != > < >= <=');
  expect(FILTER_LIMITS).toEqual({
    ...{ terms: 50, values: 100, characters: 500, id: 1_000, path: 200, stars: 4 },
  });
});
