import { expect, it } from 'vitest';
import { hexPanes } from '../../../src/renderer/lib/hex-panes.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
/** Marked characters of each pane, and the offsets of its rows. */
const shown = (sent: string, other: string, at: number) =>
  hexPanes(bytes(sent), bytes(other), at).map((rows) => [
    rows
      .flatMap((row) => row.bytes)
      .filter(({ differs }) => differs)
      .map(({ value }) => String.fromCharCode(value))
      .join(''),
    rows.map((row) => row.at),
  ]);

it.each([
  ['one byte for six', '0123456789ABCDEFGH&IJKLMNOPQ', '0123456789ABCDEFGH\\u0026IJKLMNOPQ', 18, '&', '\\u0026'],
  ['one byte for another', '{"a":1,"b":22}', '{"a":2,"b":22}', 5, '1', '2'],
  ['something more', '{"a":1}', '{"a":1}\n', 7, '', '\n'],
  ['something less', 'abcdef\n', 'abcdef', 6, '\n', ''],
  ['all of it', 'abc', 'xyz!', 0, 'abc', 'xyz!'],
])('marks %s', (_name, sent, other, at, inSent, inOther) => {
  expect(shown(sent, other, at).map(([marked]) => marked)).toEqual([inSent, inOther]);
});

it('begins a row before the difference, and shows three', () => {
  const long = 'x'.repeat(200);
  const [[, rows]] = shown(`${long}a${long}`, `${long}b${long}`, 200) as [[string, number[]]];
  expect(rows).toEqual([192, 200, 208]);
  expect(shown('ab', 'ac', 1)[0]![1]).toEqual([0]);
});

it('marks to the end of what is shown where nothing agrees again', () => {
  const [[sent]] = shown('a'.repeat(80), 'b'.repeat(80), 8) as [[string]];
  expect(sent).toBe('a'.repeat(16));
});
