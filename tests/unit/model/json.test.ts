import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DEPTH, parseJsonBytes, parseJsonText } from '../../../src/core/model/json.ts';
import { findJsonError } from '../../../src/core/model/json-error.ts';

const problemOf = (bytes: Uint8Array | string) => {
  const parsed = typeof bytes === 'string' ? parseJsonText(bytes) : parseJsonBytes(bytes);
  return parsed.ok ? null : `${parsed.problem.kind}: ${parsed.problem.detail}`;
};
const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

describe('bytes that are no JSON', () => {
  it.each([
    ['nothing', Buffer.from(''), 'empty: The body is empty.'],
    ['a byte order mark', Buffer.from('\ufeff{}'), 'byte_order_mark: The body starts with a byte order mark.'],
    ['a lone continuation byte', Buffer.from([0x22, 0x80, 0x22]), 'not_utf8: The body is not valid UTF-8.'],
    ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'not_utf8: The body is not valid UTF-8.'],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'not_utf8: The body is not valid UTF-8.'],
    ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le'), 'not_utf8: The body is not valid UTF-8.'],
    ['UTF-16 without a mark', Buffer.from('{}', 'utf16le'), 'syntax: Unexpected token at line 1, column 2.'],
    ['an end in the middle', Buffer.from('{"a":['), 'syntax: The body ends too early.'],
    ['a comment', Buffer.from('{}// x'), 'syntax: Unexpected token at line 1, column 3.'],
    ['NaN', Buffer.from('{"a":NaN}'), 'syntax: Unexpected token at line 1, column 6.'],
  ])('%s', (_, bytes, expected) => {
    expect(problemOf(bytes)).toBe(expected);
  });

  it('names line and column of the first token that cannot be there', () => {
    expect(problemOf('{\n  "event": "x",\n  "properties": x\n}')).toBe(
      'syntax: Unexpected token at line 3, column 17.',
    );
  });
});

describe('depth', () => {
  it.each([
    ['arrays', arrays],
    ['objects', objects],
  ])(`${MAX_DEPTH} levels of %s pass and one more does not`, (_, nest) => {
    expect(problemOf(nest(MAX_DEPTH - 1))).toBeNull();
    expect(problemOf(nest(MAX_DEPTH))).toBeNull();
    expect(problemOf(nest(MAX_DEPTH + 1))).toBe('too_deep: The body nests deeper than 512 levels.');
  });

  it.each([
    [1, 511],
    [511, 1],
    [200, 312],
  ])('counts %i arrays and %i objects around each other as 512 levels', (inner, outer) => {
    const mixed = (more: number) => '{"a":'.repeat(outer + more) + arrays(inner) + '}'.repeat(outer + more);
    expect(problemOf(mixed(0))).toBeNull();
    expect(problemOf(mixed(1))).toContain('too_deep');
  });

  it('sees through escaped quotes where brackets are many enough to be counted', () => {
    const brackets = '['.repeat(600);
    expect(problemOf(JSON.stringify({ a: `"${brackets}`, b: `\\"${brackets}`, c: `${brackets}\\` }))).toBeNull();
    expect(problemOf(`["\\\\",${arrays(512)}]`)).toContain('too_deep');
  });

  it('counts levels, not brackets', () => {
    expect(problemOf(`[${'[],'.repeat(600)}${arrays(511)}]`)).toBeNull();
    expect(problemOf(`[${'[],'.repeat(600)}${arrays(512)}]`)).toContain('too_deep');
    expect(problemOf(`[${arrays(512)},[]]`)).toContain('too_deep');
    expect(problemOf(`[${'[],{},'.repeat(2000)}0]`)).toBeNull();
  });

  it('does not count brackets inside strings', () => {
    expect(problemOf(JSON.stringify({ a: `${'['.repeat(2000)}"\\` }))).toBeNull();
  });

  it('survives 250,000 levels', () => {
    expect(problemOf(arrays(250_000))).toContain('too_deep');
    expect(problemOf('['.repeat(500_000))).toContain('too_deep');
  });

  it('is looked at before the syntax', () => {
    expect(problemOf('['.repeat(512))).toBe('syntax: The body ends too early.');
    expect(problemOf('['.repeat(513))).toContain('too_deep');
    expect(problemOf(`x${arrays(513)}`)).toContain('too_deep');
    expect(problemOf(`"${'['.repeat(600)}`)).toBe('syntax: The body ends too early.');
    expect(problemOf(']'.repeat(600))).toBe('syntax: Unexpected token at line 1, column 1.');
  });
});

describe('where a text stops being JSON', () => {
  const parses = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  it('agrees with JSON.parse on valid and broken documents', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.nat(3), fc.constantFrom(...'{}[]",:\\/0123-+.eEtfnu \n\u0000\u001f'))
      .map(([json, at, remove, insert]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + insert + json.slice(place + remove);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        expect(findJsonError(text) === null).toBe(parses(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['01', 1],
    ['1.', 2],
    ['1.x', 2],
    ['-', 1],
    ['1e+', 3],
    ['tru', 3],
    ['trux', 3],
    ['tnull', 1],
    ['{"a":fanull}', 7],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['{a:1}', 1],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{]', 1],
    ['[}', 1],
    ['"\\x"', 2],
    ['"\\u12g4"', 5],
    ['"a\tb"', 2],
    ['"abc', 4],
    ['{} {}', 3],
    ['{}:1', 2],
    [']', 0],
  ])('%j stops at %i', (text, offset) => {
    expect(findJsonError(text)?.offset).toBe(offset);
    expect(parses(text)).toBe(false);
  });

  it.each([
    ['x', { offset: 0, atEnd: false, line: 1, column: 1 }],
    ['', { offset: 0, atEnd: true, line: 1, column: 1 }],
    ['\n x', { offset: 2, atEnd: false, line: 2, column: 2 }],
    ['{\n\n"a":\tx}', { offset: 8, atEnd: false, line: 3, column: 6 }],
    ['[1,\n2', { offset: 5, atEnd: true, line: 2, column: 2 }],
    ['["é😀",]', { offset: 7, atEnd: false, line: 1, column: 8 }],
    ['[1\n', { offset: 3, atEnd: true, line: 2, column: 1 }],
  ])('%j is told by line and column', (text, place) => {
    expect(findJsonError(text)).toEqual(place);
  });

  it.each([
    '{"a":{"b":[{},[],-0.5e+7,1E-2,10,0]},"c":"\\u00aF\\"\\\\/\\/\\b\\f\\n\\r\\t"}',
    ' \t\n\r[ true , false , null ] \r\n',
    '[[[{"a":[[{}]]}]]]',
    '"\u007f\u2028"',
    '-0',
  ])('%j is valid', (text) => {
    expect(parses(text)).toBe(true);
    expect(findJsonError(text)).toBeNull();
  });

  it.each([
    ['nul\u00a0l', 3],
    ['t', 1],
    ['[truf]', 4],
    ['\u00a01', 0],
    ['1\f', 1],
    ['-a', 1],
    ['1.5.5', 3],
    ['1e5.5', 3],
    ['1ee5', 2],
    ['1e+-5', 3],
    ['00', 1],
    ['-01', 2],
    ['{"a":1 "b":2}', 7],
    ['{"a":1,"b"}', 10],
    ['{"a":1,b}', 7],
    ['{"a",1}', 4],
    ['{1:2}', 1],
    ['{,}', 1],
    ['{true:1}', 1],
    ['[,1]', 1],
    ['[1}', 2],
    ['{"a":1]', 6],
    ['{"a":}', 5],
    ['[]]', 2],
    ['[{}}', 3],
    ['"\\', 2],
    ['"\\u12', 5],
    ['"\\u', 3],
    ['"\\uG"', 3],
    ['"\\u123"', 6],
    ['"a\u0000"', 2],
    ['"a\u001f"', 2],
    ['/', 0],
    [':', 0],
    ['[1:2]', 2],
  ])('%j stops at %i, and is refused by JSON.parse too', (text, offset) => {
    expect(parses(text)).toBe(false);
    expect(findJsonError(text)?.offset).toBe(offset);
  });
});
