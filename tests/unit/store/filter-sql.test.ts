/** Of what a filter reads, and for which states the index of rare ones may be used. */
import { expect, test } from 'vitest';
import type { ListFilter } from '../../../src/core/model/filter.ts';
import { whereOf } from '../../../src/core/store/filter-sql.ts';
import { RARE_STATE } from '../../../src/core/store/migrations.ts';

test.each<[ListFilter, boolean]>([
  [{}, false],
  [{ states: ['failed'], types: ['track'], sourceId: 1, is: ['noted'], note: 'n', reason: 'r', user: 'u' }, false],
  [{ text: '' }, false],
  [{ text: 'a' }, true],
  [{ code: '5xx' }, true],
  [{ hook: { slot: 1 } }, true],
  [{ hook: { slot: 1, cell: 'a' } }, false],
  [{ hook: { slot: 1, cell: 'a' }, code: '200' }, true],
])('%j reads bodies or attempts: %s', (filter, readsMore) => {
  expect(whereOf(filter).readsMore).toBe(readsMore);
});

test.each<[ListFilter, boolean]>([
  [{ states: ['failed'] }, true],
  [{ states: ['failed', 'expired'] }, true],
  [{ states: ['failed', 'delivered'] }, false],
  [{ states: ['delivered', 'failed'] }, false],
  [{ states: ['queued'] }, false],
  [{ states: [] }, false],
  [{ is: ['noted'] }, false],
  [{ is: ['dropped'] }, true],
  [{ is: ['silent'] }, true],
])('%j has the condition of the index of rare states: %s', (filter, isRare) => {
  expect(whereOf(filter).sql.includes(RARE_STATE)).toBe(isRare);
});

test('a filter without a part is true of every row, and lists without an item are no part', () => {
  expect(whereOf({})).toEqual({ sql: 'TRUE', values: {}, readsMore: false });
  expect(whereOf({ states: [], types: [], is: [], note: '', user: '', text: '' })).toEqual(whereOf({}));
});

test('every value is a parameter', () => {
  const filter: ListFilter = {
    types: ['page', 'track'],
    sourceId: 3,
    note: 'a"b',
    reason: 'r',
    user: 'x',
    text: '1%_\\',
  };
  expect(whereOf(filter).values).toEqual({
    type0: 'page',
    type1: 'track',
    sourceId: 3,
    note: '"code":"a\\"b"',
    reason: 'r',
    user: '%x%',
    text: '%1\\%\\_\\\\%',
  });
});
