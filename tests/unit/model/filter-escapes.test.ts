/** The two readings of a body: as it is written, and with the escapes of JSON undone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inEitherReading, mayBeEscaped, unescaped } from '../../../src/core/model/filter-escapes.ts';

/** Every code unit as `\u….`. */
const inHex = (text: string): string =>
  [...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
/** What this word finds, with letters that count. */
const finds = (part: string, body: string): boolean => inEitherReading(part, (text) => text.includes(part))(body);

test('whatever JSON writes for a text, undone it is that text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(unescaped(JSON.stringify(text).slice(1, -1))).toBe(text);
      expect([unescaped(inHex(text)), unescaped(inHex(text).toUpperCase().replaceAll('\\U', '\\u'))]).toEqual([
        text,
        text,
      ]);
    }),
  );
});

test.each([
  [String.raw`\b\f\n\r\t\"\\\/`, '\b\f\n\r\t"\\/'],
  // Only what JSON knows is an escape.
  [String.raw`\x41 \u00e \U00e9 \N \'`, String.raw`\x41 \u00e \U00e9 \N \'`],
  // A pair of backslashes escapes nothing behind it.
  [String.raw`\\n \\u0041 \\\n`, '\\n \\u0041 \\\n'],
  ['a\\', 'a\\'],
  [String.raw`\ud83d\ude00 \ud83d! \ude00\ud83d`, '😀 \ufffd! \ufffd\ufffd'],
])('%j read with the escapes undone is %j', (written, read) => {
  expect(unescaped(written)).toBe(read);
});

test('a part is found in each reading, and not across both', () => {
  const body = String.raw`{"said":"a \"b\" c"}`;
  expect(['"b"', String.raw`\"b\"`, '"said":"a', 'said":"a "b'].map((part) => finds(part, body))).toEqual([
    ...[true, true, true, true],
  ]);
  expect([String.raw`a "b\"`, String.raw`\"b"`].map((part) => finds(part, body))).toEqual([false, false]);
});

test('letters, digits, spaces and marks that no encoder escapes are looked for once', () => {
  const looks = (part: string): number => {
    let n = 0;
    inEitherReading(part, () => {
      n += 1;
      return false;
    })('a\\nb');
    return n;
  };
  expect(['Order Completed', 'usr_1-2', '{[(a:b,c)]}', '*!?;#$%@^|~'].map(looks)).toEqual([1, 1, 1, 1]);
  expect([...'"\\/<>&\'=+`é\n\t\u007f'].filter((part) => !mayBeEscaped(part) || looks(part) !== 2)).toEqual([]);
});

test('a body without a backslash is read once', () => {
  const read: string[] = [];
  const holds = inEitherReading('é', (text) => {
    read.push(text);
    return false;
  });
  expect([holds('plain'), holds('a\\u00e9')]).toEqual([false, false]);
  expect(read).toEqual(['plain', 'a\\u00e9', 'aé']);
});
