/** The status line and headers of an answer, as text. */
import { describe, expect, test } from 'vitest';
import { readHead } from '../../../src/core/delivery/transport/answer-head.ts';

const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;

describe('a status line', () => {
  test.each([
    ['HTTP/1.1 200 OK', '1.1', 200, 'OK'],
    ['HTTP/1.0 404 Not  Found ', '1.0', 404, 'Not  Found '],
    ['HTTP/1.1 000 ', '1.1', 0, ''],
    ['HTTP/1.1 999', '1.1', 999, ''],
    ['HTTP/1.1 200 gr\xc3\xbcn', '1.1', 200, 'grün'],
    ['HTTP/1.1 200 \xff', '1.1', 200, '\ufffd'],
  ])('%j is read', (line, version, status, statusText) => {
    expect(readHead(head(line))).toEqual({ version, status, statusText, headers: [] });
  });

  test.each([
    'HTTP/1.2 200 OK',
    'HTTP/2.0 200 OK',
    'HTTP/3.7 200 OK',
    'HTTP/1.1  200 OK',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1 abc OK',
    'HTTP/1.1 200OK',
    'HTTP/1.1 200 a\rb',
    'xHTTP/1.1 200 OK',
    '',
  ])('%j is refused', (line) => {
    expect(readHead(head(line))).toBe(`The status line is ${JSON.stringify(line)}.`);
  });

  test('that is refused is shown up to 40 characters', () => {
    expect(readHead(head('x'.repeat(41)))).toBe(`The status line is "${'x'.repeat(40)}".`);
  });
});

describe('a header', () => {
  test.each([
    ['X-A: 1', ['X-A', '1']],
    ['x-a:1', ['x-a', '1']],
    ['X-A: \t a b\t ', ['X-A', 'a b']],
    ['X-A:', ['X-A', '']],
    ['X-A: \t', ['X-A', '']],
    ['X-A: b: c', ['X-A', 'b: c']],
    ['X-A: caf\xe9', ['X-A', 'caf\xe9']],
    ["!#$%&'*+-.^_`|~: ~", ["!#$%&'*+-.^_`|~", '~']],
  ])('%j is read', (line, header) => {
    expect(readHead(head('HTTP/1.1 200 OK', 'First: x', line, 'Last: y'))).toMatchObject({
      headers: [['First', 'x'], header, ['Last', 'y']],
    });
  });

  test.each([
    'Bad Name: x',
    'Bad-Name : x',
    ': x',
    'no colon',
    'nocolon',
    ' folded',
    '\tfolded',
    'X-Nul: a\0b',
    'X-Cr: a\rb',
    'X-Del: a\x7fb',
    'X-N\xe4me: x',
    'X-A: \x0b',
  ])('%j is refused', (line) => {
    expect(readHead(head('HTTP/1.1 200 OK', line))).toBe(`A header line is ${JSON.stringify(line)}.`);
  });

  test('that is refused is shown up to 40 characters', () => {
    expect(readHead(head('HTTP/1.1 200 OK', ` ${'x'.repeat(40)}`))).toBe(`A header line is " ${'x'.repeat(39)}".`);
  });
});
