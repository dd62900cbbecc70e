import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactJson, prettyJson } from '../../../src/renderer/lib/json.ts';
import { editedLines } from '../../../src/renderer/screens/replay/edited-lines.ts';

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
const edited = (before: unknown, now: unknown) => {
  const { marks, count } = editedLines(pretty(before), pretty(now));
  return [count, ...marks.map(({ line, note }) => `${line} ${note}`)];
};

test('a line with the same key says what its value was, without the comma', () => {
  expect(edited({ a: 1, total: 184.5, b: 2 }, { a: 1, total: 0, b: 2 })).toEqual([1, '3 was 184.5']);
});

test('another line says what it was as a whole', () => {
  expect(edited({ a: 1, total: 184.5 }, { a: 1, sum: 184.5 })).toEqual([1, '3 was "total": 184.5']);
  expect(edited([1, 2], [1, 3])).toEqual([1, '3 was 2']);
});

test('a new line is new, a removed one is counted, and the comma before it is no edit', () => {
  expect(edited({ a: 1 }, { a: 1, b: 2 })).toEqual([1, '3 new']);
  expect(edited({ a: 1, b: 2 }, { a: 1 })).toEqual([1]);
});

test('a long value is cut', () => {
  const [, note] = edited({ a: 'x'.repeat(100), b: 1 }, { a: 1, b: 1 });
  expect(note).toBe(`2 was "${'x'.repeat(59)}\u2026`);
});

test('the same text has no edits', () => expect(edited({ a: 1 }, { a: 1 })).toEqual([0]));

test('an indented body without its white space is the body again, whatever its numbers and escapes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(compactJson(prettyJson(text))).toBe(text);
    }),
  );
  const odd = '{"n":1.50,"n":1e400,"s":"a\\u0041 \\" , "}';
  expect(compactJson(prettyJson(odd))).toBe(odd);
});
