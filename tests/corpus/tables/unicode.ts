/** Bytes that are not UTF-8, byte by byte; other encodings; the byte order mark. */
import { notJson, queued, request, taken, trackText } from '../build.ts';
import type { CorpusCase, Topic } from '../case.ts';

const NOT_UTF8 = 'The body is not valid UTF-8.';

const around = (bytes: readonly number[]): Buffer => {
  const [before, after] = trackText('"@"').split('@') as [string, string];
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
};

const hex = (bytes: readonly number[]): string =>
  bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');

const invalid = (what: string, ...bytes: readonly number[]): CorpusCase =>
  notJson(`${hex(bytes)}: ${what}`, request('/v1/track', around(bytes)), NOT_UTF8);

/** No byte from 80 on can stand alone. */
const alone = Array.from({ length: 0x80 }, (_, i) => invalid('alone', 0x80 + i));

const sequences: readonly CorpusCase[] = [
  invalid('two continuation bytes', 0x80, 0xbf),
  invalid('overlong NUL', 0xc0, 0x80),
  invalid('overlong slash', 0xc0, 0xaf),
  invalid('overlong DEL', 0xc1, 0xbf),
  invalid('two bytes, second is a space', 0xc2, 0x20),
  invalid('two bytes, second begins another', 0xc3, 0xc3, 0xa9),
  invalid('two bytes and one too many', 0xc3, 0xa9, 0xa9),
  invalid('Latin-1 e acute before a letter', 0xe9, 0x74),
  invalid('overlong in three', 0xe0, 0x80, 0x80),
  invalid('overlong in three, last of them', 0xe0, 0x9f, 0xbf),
  invalid('three bytes, one missing', 0xe2, 0x82),
  invalid('three bytes, second is none', 0xe2, 0x28, 0xa1),
  invalid('three bytes, third is none', 0xe2, 0x82, 0x28),
  invalid('high surrogate', 0xed, 0xa0, 0x80),
  invalid('last high surrogate', 0xed, 0xaf, 0xbf),
  invalid('low surrogate', 0xed, 0xb0, 0x80),
  invalid('last low surrogate', 0xed, 0xbf, 0xbf),
  invalid('surrogate pair in three bytes each', 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80),
  invalid('overlong in four', 0xf0, 0x80, 0x80, 0x80),
  invalid('overlong in four, last of them', 0xf0, 0x8f, 0xbf, 0xbf),
  invalid('four bytes, one missing', 0xf0, 0x9f, 0x98),
  invalid('four bytes, two missing', 0xf0, 0x9f),
  invalid('four bytes, third is none', 0xf0, 0x9f, 0x28, 0x80),
  invalid('past the last code point', 0xf4, 0x90, 0x80, 0x80),
  invalid('first of five', 0xf8, 0x88, 0x80, 0x80, 0x80),
  invalid('first of six', 0xfc, 0x84, 0x80, 0x80, 0x80, 0x80),
  invalid('byte order mark of UTF-16', 0xff, 0xfe),
  invalid('quotation marks of Windows-1252', 0x93, 0x61, 0x94),
  invalid('Shift JIS', 0x93, 0xfa, 0x96, 0x7b),
  invalid('GBK', 0xd6, 0xd0, 0xce, 0xc4),
  invalid('gzip data', 0x1f, 0x8b, 0x08),
];

const valid: readonly CorpusCase[] = [
  [0x7f],
  [0xc2, 0x80],
  [0xdf, 0xbf],
  [0xe0, 0xa0, 0x80],
  [0xed, 0x9f, 0xbf],
  [0xee, 0x80, 0x80],
  [0xef, 0xbf, 0xbd],
  [0xef, 0xbf, 0xbf],
  [0xf0, 0x90, 0x80, 0x80],
  [0xf4, 0x8f, 0xbf, 0xbf],
].map((bytes) =>
  taken(`${hex(bytes)}: valid`, request('/v1/track', around(bytes)), [
    queued({ wire: `"v":"${Buffer.from(bytes).toString('utf8')}"` }),
  ]),
);

const places: readonly CorpusCase[] = [
  notJson('bad byte in a key', request('/v1/track', Buffer.from('{"\xff":1}', 'latin1')), NOT_UTF8),
  notJson('bad byte before the body', request('/v1/track', Buffer.from('\xff{}', 'latin1')), NOT_UTF8),
  notJson('bad byte after the body', request('/v1/track', Buffer.from('{}\xff', 'latin1')), NOT_UTF8),
  notJson('bad byte, and bad JSON before it', request('/v1/track', Buffer.from('{,\xff', 'latin1')), NOT_UTF8),
  notJson('a body that ends within a character', request('/v1/track', Buffer.from([0x22, 0xe2, 0x82])), NOT_UTF8),
  notJson(
    'a body of 100 KB whose last byte is bad',
    request('/v1/track', Buffer.concat([Buffer.from(`"${'x'.repeat(100_000)}`), Buffer.from([0xff])])),
    NOT_UTF8,
  ),
];

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf32 = (text: string): Buffer =>
  Buffer.from(new Uint32Array([...text].map((one) => one.codePointAt(0)!)).buffer);
const MARKED = 'The body starts with a byte order mark.';
const charset = (name: string) => ({ type: `application/json; charset=${name}` });

const encodings: readonly CorpusCase[] = [
  notJson('UTF-8 with a byte order mark', request('/v1/track', `\ufeff${trackText('1')}`), MARKED),
  notJson('two byte order marks', request('/v1/track', `\ufeff\ufeff${trackText('1')}`), MARKED),
  notJson('a byte order mark and nothing else', request('/v1/track', '\ufeff'), MARKED),
  notJson('UTF-16 LE with a mark', request('/v1/track', utf16(`\ufeff${trackText('1')}`), charset('utf-16')), NOT_UTF8),
  notJson('UTF-16 BE with a mark', request('/v1/track', utf16(`\ufeff${trackText('1')}`).swap16()), NOT_UTF8),
  notJson('UTF-16 LE without one', request('/v1/track', utf16('{"a":1}')), 'line 1, column 2.'),
  notJson('UTF-16 BE without one', request('/v1/track', utf16('{"a":1}').swap16()), 'line 1, column 1.'),
  notJson('UTF-32 LE with a mark', request('/v1/track', utf32('\ufeff{}')), NOT_UTF8),
  notJson('UTF-32 LE without one', request('/v1/track', utf32('{}')), 'line 1, column 2.'),
  notJson('UTF-32 BE', request('/v1/track', utf32('{}').swap32()), 'line 1, column 1.'),
  notJson('Latin-1 that says so', request('/v1/track', around([0xe9]), charset('iso-8859-1')), NOT_UTF8),
  taken('UTF-8 that calls itself UTF-16', request('/v1/track', trackText('"\u00e9"'), charset('utf-16')), [
    queued({ wire: '"v":"\u00e9"' }),
  ]),
  taken('UTF-8 that calls itself Latin-1', request('/v1/track', trackText('"\u00e9"'), charset('iso-8859-1')), [
    queued({ wire: '"v":"\u00e9"' }),
  ]),
];

export const unicode: readonly Topic[] = [
  { topic: 'UTF-8', cases: [...alone, ...sequences, ...valid, ...places] },
  { topic: 'other encodings of text', cases: encodings },
];
