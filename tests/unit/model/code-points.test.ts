import { expect, test } from 'vitest';
import { byCodePoints } from '../../../src/core/model/code-points.ts';

const asBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

test('texts are in the order of their UTF-8 bytes', () => {
  const texts = [
    '',
    'a',
    'aa',
    'ab',
    'b',
    'é',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
    'a\u{10ffff}',
    '\u{10ffff}a',
  ];
  for (const a of texts)
    for (const b of texts) expect(Math.sign(byCodePoints(a, b)), JSON.stringify([a, b])).toBe(asBytes(a, b));
  expect(texts.toReversed().sort(byCodePoints)).toEqual(texts.toSorted(asBytes));
});

test('halves of surrogate pairs are above everything else', () => {
  for (const half of ['\ud800', '\udbff', '\udc00', '\udfff']) {
    expect(byCodePoints(half, '\uffff')).toBeGreaterThan(0);
    expect(byCodePoints('\ue000', half)).toBeLessThan(0);
  }
});
