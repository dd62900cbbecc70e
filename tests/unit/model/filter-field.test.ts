import { expect, test } from 'vitest';
import { fieldTest, numberOf } from '../../../src/core/model/filter-field.ts';

test.each([
  ['1', 1],
  ['-1.5', -1.5],
  ['1.', 1],
  ['.55', 0.55],
  ['1e10', 1e10],
  ['1E+10', 1e10],
  ['25e-12', 25e-12],
])('%s is the number %d', (text, number) => {
  expect(numberOf(text)).toBe(number);
});

test.each(['', '.', '-', 'x1', '1x', '.x', '1e', '1ex5', '+1', '--1', '1.5.5', ' 1'])('%j is no number', (text) => {
  expect(numberOf(text)).toBeNull();
});

const wire = Buffer.from(JSON.stringify({ properties: { n: 7, text: 'b', thing: {}, yes: true } }));
const holds = (path: string, op: '=' | '!=' | '>' | '<' | '>=' | '<=', value: string): boolean =>
  fieldTest({ path: `properties.${path}`, op, values: [value] })(wire);

test.each([
  ['>', [true, false, false]],
  ['<', [false, false, true]],
  ['>=', [true, true, false]],
  ['<=', [false, true, true]],
  ['=', [false, true, false]],
  ['!=', [true, false, true]],
] as const)('%s compares with what is less, equal and more', (op, expected) => {
  expect(['6', '7.0', '8'].map((value) => holds('n', op, value))).toEqual(expected);
  expect(['a', 'b', 'c'].map((value) => holds('text', op, value))).toEqual(expected);
});

test('an object has no text, and a truth value no size', () => {
  expect([holds('thing', '=', '[object*'), holds('thing', '!=', '[object*'), holds('thing', '=', '*')]).toEqual([
    ...[false, true, true],
  ]);
  expect([holds('yes', '>', 'a'), holds('yes', '>=', '1'), holds('yes', '=', 'true')]).toEqual([false, false, true]);
});
