import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingsIn, mayHold } from '../../../src/core/model/json-findings.ts';

const found = (text: string, isBatch = false) =>
  findingsIn(text, isBatch).map(({ call, code, field, detail }) => [call, code, field, detail]);

/** What ingest asks first. */
const asked = (text: string): boolean =>
  mayHold(text, Buffer.byteLength(text), Buffer.byteLength(JSON.stringify(JSON.parse(text))));

describe('what parsing changes', () => {
  test.each([
    ['{"a":1,"b":{"a":2}}', []],
    ['{"a":1,"b":2,"a":3}', [[0, 'duplicate_key', 'a', 'came more than once; the last value counts']]],
    ['{"p":[{"x":1,"\\u0078":2}]}', [[0, 'duplicate_key', 'p[0].x', 'came more than once; the last value counts']]],
    ['{"a":{"b":1},"c":{"b":2}}', []],
    ['{"t":1E400}', [[0, 'number_lost', 't', '1E400 became null: no double is that large']]],
    ['{"t":12345678901234567890}', [[0, 'number_changed', 't', '12345678901234567890 became 12345678901234567000']]],
    ['{"t":0.12345678901234567890}', [[0, 'number_changed', 't', '0.12345678901234567890 became 0.12345678901234568']]],
    [
      '{"t":1.0,"u":2.50,"v":-0,"w":1e3}',
      [[0, 'numbers_rewritten', 't', '4 numbers are written otherwise, the first 1.0 as 1']],
    ],
    ['{"t":9007199254740993}', [[0, 'number_changed', 't', '9007199254740993 became 9007199254740992']]],
    ['{"t":10.000000123544443}', [[0, 'number_changed', 't', '10.000000123544443 became 10.000000123544442']]],
    ['{"t":0.1,"u":1e21,"v":-5,"w":123456789012345}', [[0, 'numbers_rewritten', 'u', '1e21 as 1e+21']]],
    [
      '{"b":1,"1":2}',
      [[0, 'integer_keys_moved', '1', 'is sent before the other keys: JavaScript puts whole numbers first']],
    ],
    ['{"1":1,"2":2,"b":3}', []],
    [
      '{"2":1,"1":2}',
      [[0, 'integer_keys_moved', '1', 'is sent before the other keys: JavaScript puts whole numbers first']],
    ],
    ['{"01":1,"a":2}', []],
    ['{"s":"1E400, \\"a\\":1,\\"a\\":2 {[12345678901234567890"}', []],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
    if (expected.length > 0) expect(asked(text)).toBe(true);
  });

  test('in a batch each call has its own, and the envelope has none', () => {
    const text = '{"sentAt":1.0,"batch":[{"a":1},{"p":{"a":1,"a":2}},{"n":[1,1E999]}],"batchx":[{"a":1,"a":1}]}';
    expect(found(text, true).map(([call, code, field]) => [call, code, field])).toEqual([
      [1, 'duplicate_key', 'p.a'],
      [2, 'number_lost', 'n[1]'],
    ]);
  });

  test('many of one call are cut, and long paths too', () => {
    const many = `{${Array.from({ length: 500 }, () => '"a":1E400').join(',')}}`;
    expect(findingsIn(many, false)).toHaveLength(10);
    const long = `{"${'k'.repeat(5_000)}":1E400}`;
    expect(findingsIn(long, false)[0]!.field.length).toBeLessThan(210);
  });

  test('is nothing in what JSON.stringify wrote, and the quick look says so but for numbers as keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify({ value });
        const all = findingsIn(text, false);
        // 1e+21 is how JavaScript writes it.
        expect(all).toEqual([]);
      }),
    );
  });

  test('the quick look misses nothing that the scan finds', () => {
    const number = fc.oneof(
      fc.double().map((n) => String(Number.isFinite(n) ? n : 0)),
      fc.constantFrom('1.0', '1E400', '-0', '12345678901234567890', '1e5', '0.10', '3'),
    );
    const pair = fc.tuple(fc.constantFrom('a', 'b', '1', '7'), number).map(([key, value]) => `"${key}":${value}`);
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 5 }), (pairs) => {
        const text = `{${pairs.join(',')}}`;
        if (findingsIn(text, false).length > 0) expect(asked(text)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
