import { expect, test } from 'vitest';
import { Mentions } from '../../../src/core/deletions/mentions.ts';

const many = Array.from({ length: 50 }, (_, i) => `other-${i}`);

test.each([
  ['few ids', []],
  ['many ids', many],
])('of %s, a whole JSON value is found and a part of one is not', (_, more) => {
  const mentions = new Mentions(['usr_1', 'a"b', ...more]);
  expect(mentions.inText('{"by":"usr_1"}')).toBe(true);
  expect(mentions.inText('{"by":"usr_10","at":"xusr_1","usr":1}')).toBe(false);
  expect(mentions.inText('{"q":"a\\"b"}')).toBe(true);
});

test.each([
  ['few ids', []],
  ['many ids', many],
])('of %s, text that is not JSON counts where an id stands in quotes', (_, more) => {
  const mentions = new Mentions(['usr_1', ...more]);
  expect(mentions.inText('a 5" pipe for "usr_1"')).toBe(true);
  expect(['usr_1', 'usr_1"', '"usr_1', '"usr_1 "', ''].filter((text) => mentions.inText(text))).toEqual([]);
});

test('an id that looks like a number is also found as one', () => {
  const mentions = new Mentions(['42']);
  expect([mentions.inText('{"id":42}'), mentions.inText('[1, 42 ]'), mentions.inText('{"id":"42"}')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([mentions.inText('42'), mentions.inText('-42'), mentions.inText('42x')]).toEqual([true, false, false]);
  expect([mentions.inText('{"id":421}'), mentions.inText('{"id":4.42}')]).toEqual([false, false]);
  expect(new Mentions(['usr_1', '-4.25']).inText('{"id":-4.25}')).toBe(true);
});

test.each([
  [false, ['usr_1', 'a b@c.d:e+f-g']],
  [true, ['42']],
  [true, ['usr_1', '42']],
  [true, ['usr_1', 'é']],
  [true, ['éa']],
  [true, ['aé']],
  [true, ['']],
])('clients can write an id in several ways: %s for %j', (expected, ids) => {
  expect(new Mentions(ids).isSpeltManyWays).toBe(expected);
});

test('columns are compared as a whole, the name of an alias by its parts', () => {
  const mentions = new Mentions(['a', 'b c']);
  expect([mentions.has('a'), mentions.has('A'), mentions.has(null)]).toEqual([true, false, false]);
  expect([mentions.inName('x → a'), mentions.inName('b c → x'), mentions.inName('ab')]).toEqual([true, true, false]);
});
