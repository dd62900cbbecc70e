/** In which ways the index reads a text. */
import { expect, test } from 'vitest';
import { readingsOf, receivedTexts, utf8Of } from '../../../src/core/search/received.ts';

const textsOf = (read: readonly Uint8Array[]): string[] => read.map((one) => Buffer.from(one).toString());

test('bytes that are not UTF-8 are read with a replacement character, all others as they are', () => {
  expect(Buffer.from(utf8Of(Uint8Array.of(0x61, 0xff, 0x62))).toString('hex')).toBe('61efbfbd62');
  const bytes = Buffer.from('Zoë');
  expect(utf8Of(bytes)).toBe(bytes);
  expect(utf8Of('Zoë')).toEqual(bytes);
});

test('only a body with a backslash is read in a second way', () => {
  // 92 is the backslash as a number.
  const escaped = String.raw`say \"hi\" 92`;
  expect(textsOf(readingsOf(Buffer.from(escaped)))).toEqual([escaped, 'say "hi" 92']);
  expect(textsOf(readingsOf(Buffer.from('say hi')))).toEqual(['say hi']);
  expect(textsOf(readingsOf(escaped))).toEqual([escaped]);
});

test('only the asked calls are taken out of a request', () => {
  const request = {
    path: '/v1/batch',
    encoding: null,
    code: null,
    body: Buffer.from('{"batch":[{"a":1},{"b":2},{"c":3}]}'),
  };
  expect(textsOf(receivedTexts({ ...request, positions: [2, 0] }))).toEqual(['{"c":3}', '{"a":1}']);
});
