/** Of what a filter reads, and for which states the index of rare ones may be used. */
import { expect, test } from 'vitest';
import { whereOf } from '../../../src/core/store/filter-sql.ts';
import { RARE_STATE, SLOW } from '../../../src/core/store/migrations.ts';
import { filterOf } from '../../helpers/filters.ts';

test.each([
  ['', 'row'],
  ['status:failed type:track source:#1 is:noted note:n reason:r user:u event:e after:10m before:2026-01-01', 'row'],
  ['a', 'texts'],
  ['code:5xx', 'more'],
  ['took:1s', 'more'],
  ['-hook:1', 'more'],
  ['hook:1=accepted', 'row'],
  ['hook:1=accepted,2', 'more'],
  ['properties.total>1 code:5xx', 'fields'],
  ['properties.total>1 a', 'texts'],
])('%j reads %s', (text, reads) => {
  expect(whereOf(filterOf(text)).reads).toBe(reads);
});

test.each([
  ['status:failed', true],
  ['status:failed,expired', true],
  ['status:failed,delivered', false],
  ['status:delivered,failed', false],
  ['status:queued', false],
  ['is:noted', false],
  ['is:dropped', true],
  ['is:silent', true],
])('%j has the condition of the index of rare states: %s', (text, isRare) => {
  expect(whereOf(filterOf(text)).sql.includes(RARE_STATE)).toBe(isRare);
});

test.each([
  ['took:1s', true],
  ['took:1001ms', true],
  ['took:999ms', false],
])('%j has the condition of the index of slow attempts: %s', (text, isSlow) => {
  expect(whereOf(filterOf(text)).sql.includes(`t.${SLOW}`)).toBe(isSlow);
});

test('a filter without terms is true of every row', () => {
  expect(whereOf({})).toEqual({ sql: 'TRUE', values: {}, reads: 'row' });
  expect(whereOf({ terms: [] })).toEqual(whereOf({}));
});

test('every value is a parameter, and LIKE takes only stars for any text', () => {
  const { sql, values } = whereOf({
    terms: [
      { key: 'type', values: ['page', 'track'] },
      { key: 'source', values: [3] },
      { key: 'note', values: ['a"b'] },
      { key: 'user', values: ['x'] },
      { key: 'event', values: ['Order*', '5\\*%'] },
      { key: 'text', values: ['1%_\\*'] },
      { key: 'field', path: "a'b", op: '>', values: ["'"], not: true },
    ],
  });
  expect(Object.values(values)).toEqual([
    ...['page', 'track', 3, '"code":"a\\"b"', '%x%', 'Order%', '5*\\%', '%1\\%\\_\\\\*%', '1%_\\*'],
    `{"path":"a'b","op":">","values":["'"]}`,
  ]);
  expect(sql).not.toMatch(/page|Order|a'b/);
});

test('only a text that JSON may write otherwise makes bodies be read a second time', () => {
  const isReadTwice = (text: string): boolean =>
    whereOf({ terms: [{ key: 'text', values: [text] }] }).sql.includes('holds_text(@p1, b.wire)');
  expect(['order 7', 'usr_1', '"a"', '\\', 'é', 'a/b'].map(isReadTwice)).toEqual([
    ...[false, false, true, true, true, true],
  ]);
});

test('a term without values is true of no row', () => {
  for (const key of ['user', 'event', 'text'] as const)
    expect(whereOf({ terms: [{ key, values: [] }] })).toMatchObject({ sql: '(FALSE)', values: {} });
});

test('a whole id is asked for as it is, and a part with stars', () => {
  const valuesOf = (...values: ReadonlyArray<string | { id: string }>) =>
    Object.values(whereOf({ terms: [{ key: 'user', values }] }).values);
  expect(valuesOf({ id: 'a' })).toEqual(['a', 'a']);
  expect(valuesOf('b')).toEqual(['%b%']);
  expect(valuesOf('b', { id: 'a' })).toEqual(['a', 'a', '%b%']);
});

test('every term must hold', () => {
  expect(whereOf(filterOf('type:track source:#1')).sql).toBe('(type IN (@p0)) AND (source_id IN (@p1))');
});
