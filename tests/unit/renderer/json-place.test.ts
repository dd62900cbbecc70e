import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prettyJson } from '../../../src/renderer/lib/json.ts';
import { placeAt, valueText } from '../../../src/renderer/lib/json-place.ts';

const TEXT = prettyJson('{"a":1.50,"list":[{"x y":"q\\"r"},[true,null]],"o":{"in":{}},"e":[]}');
/** The place at the first character of a part of the text. */
const at = (part: string, more = 0) => {
  const { path, ...range } = placeAt(TEXT, TEXT.indexOf(part) + more);
  return [path, valueText(TEXT, { path, ...range })];
};

describe('the place of a position in JSON', () => {
  it.each([
    ['1.50', 'a', '1.50'],
    ['"a"', 'a', '1.50'],
    ['"q', 'list[0]["x y"]', 'q"r'],
    ['"x y"', 'list[0]["x y"]', 'q"r'],
    ['true', 'list[1][0]', 'true'],
    ['null', 'list[1][1]', 'null'],
    ['{}', 'o.in', '{}'],
    ['"list"', 'list', '[{"x y":"q\\"r"},[true,null]]'],
    ['"o"', 'o', '{"in":{}}'],
    ['[]', 'e', '[]'],
  ])('of %s is %s', (part, path, value) => {
    expect(at(part)).toEqual([path, value]);
  });

  it('is the whole text at its first brace and outside of everything', () => {
    const whole = '{"a":1.50,"list":[{"x y":"q\\"r"},[true,null]],"o":{"in":{}},"e":[]}';
    expect(at('{')).toEqual(['', whole]);
    expect(valueText(TEXT, placeAt(TEXT, TEXT.length))).toBe(whole);
  });

  it('names a value that is there, for any JSON and any position', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), fc.nat(), (value, where) => {
        const text = prettyJson(JSON.stringify(value));
        const place = placeAt(text, where % (text.length + 1));
        const path = place.path.match(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]|[^.[\]]+/g) ?? [];
        const keys = path.map((part) => (part.startsWith('[') ? String(JSON.parse(part.slice(1, -1))) : part));
        let found: unknown = JSON.parse(text);
        for (const key of keys) found = (found as Record<string, unknown>)[key];
        expect(JSON.parse(text.slice(place.from, place.to))).toEqual(found);
      }),
      { numRuns: 300 },
    );
  });
});
