import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTree } from '../../../src/core/signature-lab/json-tree.ts';
import { COMPACT, NO_ESCAPES, type Style, writeJson } from '../../../src/core/signature-lab/write-json.ts';
import { LIBRARIES } from '../../../src/core/signature-lab/writers.ts';

const AS_SENT: Style = { spacing: COMPACT };
const rewritten = (text: string, style: Partial<Style>): string => writeJson(readTree(text), { ...AS_SENT, ...style });
const libraryNamed = (name: string) => LIBRARIES.find((library) => library.name === name)!;

test('a compact text comes back as it was, with repeated keys and every spelling', () => {
  const text = '{"a":1.0,"a":[1e3,-0,"\\u00e9\\/é"],"":{},"b":[],"c":[[true,false,null]]}';
  expect(rewritten(text, {})).toBe(text);
  expect(rewritten(`\n ${text.replaceAll(',', ' ,\t')} \r\n`, {})).toBe(text);
});

test('JavaScript writes what JSON.stringify writes', () => {
  const { style } = libraryNamed('JSON.stringify(JSON.parse(body))');
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      expect(rewritten(text, style)).toBe(JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['  ', '{"a":{"b":[1,{"c":[]}]},"d":{}}'],
  ['\t', '[[],{},[{"a":null}]]'],
])('indents by %j as JSON.stringify does', (indent, text) => {
  expect(rewritten(text, { spacing: { indent, comma: ',', colon: ': ' } })).toBe(
    JSON.stringify(JSON.parse(text), null, indent),
  );
});

test('older Ruby puts line breaks into empty brackets', () => {
  const { style } = LIBRARIES.find(({ style: { empty } }) => empty === 'on_lines')!;
  expect(rewritten('{"a":{},"b":[]}', style)).toBe('{\n  "a": {\n  },\n  "b": [\n\n  ]\n}');
});

describe('escapes', () => {
  const written = (text: string, escapes: Partial<typeof NO_ESCAPES>) =>
    rewritten(JSON.stringify(text), { escapes: { ...NO_ESCAPES, ...escapes } });

  test('non-ASCII characters by UTF-16 unit, in either case, and DEL as it is', () => {
    expect(written('é😀\u007f', { nonAscii: true })).toBe('"\\u00e9\\ud83d\\ude00\u007f"');
    expect(written('é', { nonAscii: true, hex: 'upper' })).toBe('"\\u00E9"');
  });
  test('listed characters, though a short escape is known', () => {
    expect(written('a"&\u007f', { also: '"&\u007f', hex: 'upper' })).toBe('"a\\u0022\\u0026\\u007F"');
  });
  test('slashes', () => expect(written('a/b', { slash: true })).toBe('"a\\/b"'));
  test('control characters, short where JSON has a short form', () => {
    expect(written('\b\f\n\r\t\u0001\\', {})).toBe('"\\b\\f\\n\\r\\t\\u0001\\\\"');
  });
  test('half a surrogate pair, which UTF-8 cannot hold, at either end', () => {
    expect(written('\ud83d', {})).toBe('"\\ud83d"');
    expect(written('a\ude00', {})).toBe('"a\\ude00"');
    expect(written('😀', {})).toBe('"😀"');
  });
});

describe('members', () => {
  const text = '{"b":1,"10":null,"a":2,"9":3,"b":4,"01":5,"4294967295":6}';
  test('sorted, every repeated one kept', () => {
    expect(rewritten(text, { keys: 'bytes' })).toBe('{"01":5,"10":null,"4294967295":6,"9":3,"a":2,"b":1,"b":4}');
  });
  test('sorted by bytes or by UTF-16 units, which differ beyond U+FFFF', () => {
    const wide = '{"\uffee":1,"😀":2}';
    expect(rewritten(wide, { keys: 'bytes' })).toBe(wide);
    expect(rewritten(wide, { keys: 'code_units' })).toBe('{"😀":2,"\uffee":1}');
  });
  test('integers first', () => {
    expect(rewritten(text, { keys: 'integers_first', repeated: 'last' })).toBe(
      '{"9":3,"10":null,"b":4,"a":2,"01":5,"4294967295":6}',
    );
  });
  test('the first or the last of repeated ones, at the place of the first', () => {
    expect(rewritten('{"b":1,"a":2,"b":4}', { repeated: 'first' })).toBe('{"b":1,"a":2}');
    expect(rewritten('{"b":1,"a":2,"b":4}', { repeated: 'last' })).toBe('{"b":4,"a":2}');
  });
  test('without nulls, in arrays only they stay', () => {
    expect(rewritten('{"a":null,"b":[null,{"c":null}]}', { nulls: 'dropped' })).toBe('{"b":[null,{}]}');
  });
  test('an empty object as an array, also one that lost its nulls', () => {
    expect(rewritten('{"a":{},"b":{"c":null}}', { empty: 'objects_as_arrays', nulls: 'dropped' })).toBe(
      '{"a":[],"b":[]}',
    );
  });
});
