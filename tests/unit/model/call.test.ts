import { describe, expect, test } from 'vitest';
import { callTypeOf, clip, idText, isLongerThan, usableMessageId } from '../../../src/core/model/call.ts';

describe('the type of a call', () => {
  test('delete is a type of ours alone, and only itself', () => {
    expect(callTypeOf('track', false)).toBe('track');
    expect(callTypeOf('delete', false)).toBeNull();
    expect(callTypeOf('delete', true)).toBe('delete');
    expect(callTypeOf('deletion', true)).toBeNull();
    expect(callTypeOf('', true)).toBeNull();
  });
});

describe('an id', () => {
  test.each([
    ['u', 'u'],
    [7, '7'],
    [-0.5, '-0.5'],
    ['', null],
    [null, null],
    [undefined, null],
    // JSON can say 1e999, which no double holds.
    [Number.POSITIVE_INFINITY, undefined],
    [true, undefined],
    [{}, undefined],
    [[], undefined],
  ])('%j as text is %j', (value, text) => expect(idText(value)).toBe(text));

  test('of a message has 1 to 99 characters, a surrogate pair being one', () => {
    expect(usableMessageId('x'.repeat(99))).toBe('x'.repeat(99));
    expect(usableMessageId('x'.repeat(100))).toBeNull();
    expect(usableMessageId('😀'.repeat(99))).toBe('😀'.repeat(99));
    expect(usableMessageId('😀'.repeat(100))).toBeNull();
    expect(usableMessageId(5)).toBe('5');
    for (const value of ['', null, undefined, {}]) expect(usableMessageId(value)).toBeNull();
  });
});

test.each([
  ['', 0, false],
  ['ab', 2, false],
  ['abc', 2, true],
  ['abcde', 2, true],
  ['😀😀', 2, false],
  ['😀😀😀', 2, true],
  ['😀ab', 2, true],
])('%j has more than %i characters: %s', (text, limit, isLonger) => expect(isLongerThan(text, limit)).toBe(isLonger));

describe('a text that is cut for a row', () => {
  test.each([
    ['abcd', 4, 'abcd'],
    ['abcde', 4, 'abc…'],
    ['abc\ud800\udc00', 4, 'abc…'],
    // The cut would fall between the halves of a pair: the first and the last high surrogate.
    ['ab\ud800\udc00cd', 4, 'ab…'],
    ['ab\udbff\udfffcd', 4, 'ab…'],
    // Just outside of the high surrogates.
    ['ab\ud7ffcd', 4, 'ab\ud7ff…'],
    ['a\ud83d\ude00cd', 4, 'a\ud83d\ude00…'],
  ])('%j at %i is %j', (text, length, cut) => expect(clip(text, length)).toBe(cut));
});
