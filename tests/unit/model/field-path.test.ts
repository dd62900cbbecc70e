import { expect, test } from 'vitest';
import { valuesAtPath } from '../../../src/core/model/field-path.ts';

test.each([
  ['through objects', { a: { b: 1 } }, 'a.b', [1]],
  ['through lists, also lists in lists', { a: [{ b: 1 }, [{ b: 2 }], 3, { c: 4 }] }, 'a.b', [1, 2]],
  ['of a list, itself and its items', { a: [1, [2]] }, 'a', [[1, [2]], 1, [2]]],
  ['that are null or empty', { a: { b: null }, c: '' }, 'a.b', [null]],
  ['of a key with dots first', { 'a.b': 'dotted', a: { b: 'nested' } }, 'a.b', ['dotted']],
  ['of a dotted key inside', { a: { 'b.c': 1 } }, 'a.b.c', [1]],
  ['of a dotted key outside', { a: { b: {} }, 'a.b': { c: 1 } }, 'a.b.c', [1]],
  ['of the shorter first key, when both fit', { a: { 'b.c': 'short' }, 'a.b': { c: 'long' } }, 'a.b.c', ['short']],
])('finds values %s', (_, value, path, found) => {
  expect(valuesAtPath(value, path)).toEqual(found);
});

test.each([
  ['a null', { a: null }, 'a.b'],
  ['a text, whose length is no field', { a: 'text' }, 'a.length'],
  ['a number', { a: 5 }, 'a.b'],
  ['what an object inherits', { a: {} }, 'a.constructor'],
  ['a key that is not there', { a: {} }, 'b.c'],
  ['two keys without a dot between', { a: { c: 1 }, '': { bc: 1 } }, 'abc'],
  ['a path into nothing', undefined, 'a'],
])('finds nothing in %s', (_, value, path) => {
  expect(valuesAtPath(value, path)).toEqual([]);
});
