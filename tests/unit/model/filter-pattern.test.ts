import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  folded,
  holdsTest,
  likeOf,
  literalPattern,
  patternTest,
  piecesOf,
  starsIn,
} from '../../../src/core/model/filter-pattern.ts';

const text = fc.string({ unit: fc.constantFrom(...'aAbZ*\\%_ \n.[]^$(-éÉ漢😀'), maxLength: 6 });

test.each([
  ['a b\n', ['a b\n']],
  ['a*b', ['a', 'b']],
  ['*', ['', '']],
  ['a\\*b', ['a*b']],
  ['a\\\\*b', ['a\\', 'b']],
])('the pattern %j has the pieces %j', (pattern, pieces) => {
  expect(piecesOf(pattern)).toEqual(pieces);
  expect(starsIn(pattern)).toBe(pieces.length - 1);
});

test.each([
  ['ab*', 'ABc', true],
  ['ab*', 'cab', false],
  ['*ab', 'cab', true],
  ['*ab', 'abc', false],
  ['*ab*ab*', 'xab', false],
  ['*ab*ab*', 'abxab', true],
  ['ab*ba', 'aba', false],
  ['a*b*c', 'a-b-c', true],
])('%s fits %s: %s', (pattern, given, fits) => {
  expect(patternTest(pattern)(given)).toBe(fits);
});

test.each([
  ['a*b', 'a%b'],
  ['5%_\\*\\\\*', '5\\%\\_*\\\\%'],
])('%s is %s for LIKE', (pattern, like) => {
  expect(likeOf(pattern)).toBe(like);
});

test('a text as a pattern matches itself in either case, and nothing else', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(patternTest(literalPattern(one))(other)).toBe(folded(one) === folded(other));
      expect(patternTest(literalPattern(one))(one.toUpperCase() === folded(one) ? one : folded(one))).toBe(true);
    }),
  );
});

test('a text holds a part by its code units, with letters A to Z in either case', () => {
  fc.assert(
    fc.property(text, text, text, (before, part, after) => {
      expect(holdsTest(part)(before + folded(part) + after)).toBe(true);
      expect(holdsTest(folded(part))(before + part + after)).toBe(true);
      expect(holdsTest(part)(before + after)).toBe(folded(before + after).includes(folded(part)));
    }),
  );
  expect(holdsTest('É')('é')).toBe(false);
});
