import { expect, test } from 'vitest';
import { headerPairs } from '../../../src/core/model/header.ts';

test('headers keep their order, their case and repeats', () => {
  expect(headerPairs(['Host', 'a', 'x-B', '', 'host', 'c'])).toEqual([
    ['Host', 'a'],
    ['x-B', ''],
    ['host', 'c'],
  ]);
  expect(headerPairs([])).toEqual([]);
});
