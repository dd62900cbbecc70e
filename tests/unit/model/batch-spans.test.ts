import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchSpans, memberSpan } from '../../../src/core/model/batch-spans.ts';

const slices = (text: string): string[] => batchSpans(text).map(([start, end]) => text.slice(start, end));

test('the spans of any batch are its calls, however it is written', () => {
  const blanks = fc.constantFrom('', ' ', '\n\t', '  ');
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), blanks, (calls, other, blank) => {
      const texts = calls.map((call) => JSON.stringify(call));
      const list = `[${blank}${texts.join(`${blank},${blank}`)}${blank}]`;
      const text = `${blank}{"a\\"]":${JSON.stringify(other)},${blank}"batch"${blank}:${blank}${list}${blank},"z":[1,{}]}`;
      expect(slices(text)).toEqual(texts);
    }),
  );
});

test('of a repeated key the last one counts, and a key may be escaped', () => {
  expect(slices('{"batch":[1],"batch":[2,3]}')).toEqual(['2', '3']);
  expect(slices('{"batch":["a"],"batch":["b"]}')).toEqual(['"b"']);
  expect(slices('{"b\\u0061tch":["}]",null]}')).toEqual(['"}]"', 'null']);
  expect(slices('{"other":{"batch":[1]}}')).toEqual([]);
  expect(slices('{"batch":null}')).toEqual([]);
  expect(slices('{"batch":"[1]"}')).toEqual([]);
  expect(slices('5')).toEqual([]);
});

test('a quote behind backslashes ends its text only when they are even', () => {
  const texts = ['', '"', '\\', '\\"', '\\\\', '\\\\"', '}]\\'].map((text) => JSON.stringify(text));
  expect(slices(`{"batch":[${texts.join()}]}`)).toEqual(texts);
});

test('in a text that is not JSON the search comes to an end, and no span leaves the text', () => {
  const sign = fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', ' ', 'x', '5', '"batch"', '"batch":[');
  const text = '{"batch":[{"a":"}"},[1,{}],"\\"",5],"sentAt":"x"}';
  const damaged = fc
    .tuple(fc.nat(text.length), fc.nat(8), fc.array(sign, { maxLength: 5 }))
    .map(([at, cut, signs]) => text.slice(0, at) + signs.join('') + text.slice(at + cut));
  fc.assert(
    fc.property(
      fc.oneof(
        damaged,
        fc.array(sign).map((signs) => signs.join('')),
      ),
      (broken) => {
        for (const [start, end] of [...batchSpans(broken), memberSpan(broken, 'sentAt') ?? ([0, 0] as const)])
          expect(0 <= start && start <= end && end <= broken.length).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});
