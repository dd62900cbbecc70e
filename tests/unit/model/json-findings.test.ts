import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingsIn, isStringified } from '../../../src/core/model/json-findings.ts';

const found = (text: string, isBatch = false) =>
  findingsIn(text, isBatch).map(({ call, code, field, detail }) => [call, code, field, detail]);

const NOTHING = { before: '', after: '' };
/** What ingest asks first. */
const asked = (text: string): boolean => !isStringified(text, [JSON.stringify(JSON.parse(text))], NOTHING);

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
    ['{"t":123e-10}', [[0, 'numbers_rewritten', 't', '123e-10 as 1.23e-8']]],
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

  const moved = 'is sent before the other keys: JavaScript puts whole numbers first';
  const twice = 'came more than once; the last value counts';
  test.each([
    ['[{"a":1},{"a":1}]', []],
    ['{"a":"a","b":"a"}', []],
    ['{"a" :1,"a"\t\n:2}', [[0, 'duplicate_key', 'a', twice]]],
    ['{"x":{"y":[0,{"z":1,"z":2}]}}', [[0, 'duplicate_key', 'x.y[1].z', twice]]],
    ['[[1,[2,1.0]]]', [[0, 'numbers_rewritten', '[0][1][1]', '1.0 as 1']]],
    ['1.0', [[0, 'numbers_rewritten', '', '1.0 as 1']]],
    ['"1.0"', []],
    ['{"1":1,"1":2}', [[0, 'duplicate_key', '1', twice]]],
    ['{"a":1002000.0}', [[0, 'numbers_rewritten', 'a', '1002000.0 as 1002000']]],
    ['{"a":-0}', [[0, 'numbers_rewritten', 'a', '-0 as 0']]],
    ['{"a":-0.0}', [[0, 'numbers_rewritten', 'a', '-0.0 as 0']]],
    ['{"a":0e5}', [[0, 'numbers_rewritten', 'a', '0e5 as 0']]],
    ['{"a":1e-2}', [[0, 'numbers_rewritten', 'a', '1e-2 as 0.01']]],
    ['{"a":12.50E+1}', [[0, 'numbers_rewritten', 'a', '12.50E+1 as 125']]],
    ['{"a":100e-2}', [[0, 'numbers_rewritten', 'a', '100e-2 as 1']]],
    ['{"a":0.00001}', []],
    ['{"a":0.0000001}', [[0, 'numbers_rewritten', 'a', '0.0000001 as 1e-7']]],
    ['{"a":1e-400}', [[0, 'number_changed', 'a', '1e-400 became 0']]],
    ['{"a":-1E400}', [[0, 'number_lost', 'a', '-1E400 became null: no double is that large']]],
    [
      '{"a":1E400,"b":1.0}',
      [
        [0, 'number_lost', 'a', '1E400 became null: no double is that large'],
        [0, 'numbers_rewritten', 'b', '1.0 as 1'],
      ],
    ],
    ['{"1":1,"a":2,"2":3,"b":4}', [[0, 'integer_keys_moved', '2', moved]]],
    ['{"1":1,"3":1,"2":1}', [[0, 'integer_keys_moved', '2', moved]]],
    ['{"3":1,"5":1,"4":1,"6":1}', [[0, 'integer_keys_moved', '4', moved]]],
    ['{"0":1,"1":1}', []],
    ['{"a":1,"0":1}', [[0, 'integer_keys_moved', '0', moved]]],
    ['{"a":1,"10":1}', [[0, 'integer_keys_moved', '10', moved]]],
    ['{"a":1,"1x":1,"x1":1,"-1":1,"1.5":1,"01":1,"":1}', []],
    ['{"a":1,"4294967294":1}', [[0, 'integer_keys_moved', '4294967294', moved]]],
    ['{"a":1,"4294967295":1}', []],
    ['{"4294967295":1,"1":1}', [[0, 'integer_keys_moved', '1', moved]]],
    ['{"a":{"b":1},"1":1}', [[0, 'integer_keys_moved', '1', moved]]],
    ['{"s":"1.0, -0"}', []],
    ['{"s":"a\\"","s2":"\\\\","n":1.0}', [[0, 'numbers_rewritten', 'n', '1.0 as 1']]],
    ['{"a\\"b":1,"a\\"b":2}', [[0, 'duplicate_key', 'a"b', twice]]],
  ] as [string, unknown[]][])('%s is told to the letter', (text, expected) => {
    expect(found(text)).toEqual(expected);
    if (expected.length > 0) expect(asked(text)).toBe(true);
  });

  test('a moved key and a key that came twice do not hide each other', () => {
    expect(found('{"a":1,"1":1,"1":2}').map(([, code, field]) => `${code} ${field}`)).toEqual([
      'integer_keys_moved 1',
      'duplicate_key 1',
      'integer_keys_moved 1',
    ]);
  });

  test.each([
    '{"a":0,"b":-1.5,"c":[0,1,10,100],"d":0.5}',
    '{"a":123456789012345,"b":1234567890.12345}',
    '{"a":1234567890123456,"b":1e+21,"1x":"1.0"}',
    '{"1":2,"a":"x","ab":"1"}',
    '[10,20]',
  ])('the quick look lets pass what JSON.stringify gives: %s', (text) => {
    expect(asked(text)).toBe(false);
  });

  test.each([
    '{"a": 1}',
    '{"a":1} ',
    '{"a":1e5}',
    '{"a":1.50}',
    '[-0]',
    '{"a":9007199254740993}',
    '{"a":1,"1":2}',
    '{"a":1,"a":1}',
    '{"a":"\\u001F"}',
  ])('the quick look asks for the scan of %s', (text) => {
    expect(asked(text)).toBe(true);
  });

  test.each([
    ['{"batch":[1,2],"b":3}', true],
    ['{"batch":[1,2],"b":3', false],
    ['{"batch":[1,2],"b":3} ', false],
    ['{"batch":[1;2],"b":3}', false],
    ['{"batch":[12],"b":3}', false],
    ['{"batch":[1,3],"b":3}', false],
    ['{"Batch":[1,2],"b":3}', false],
    ['{"batch":[1,2],"b":4}', false],
    ['{"batch":[1,2,2],"b":3}', false],
  ])('of a batch it looks at every part: %s', (text, isSame) => {
    expect(isStringified(text, ['1', '2'], { before: '{"batch":[', after: '],"b":3}' })).toBe(isSame);
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

  test('of a long number and a long path the beginning is shown', () => {
    const number = `1.${'0'.repeat(58)}`;
    expect(found(`[${number}]`)[0]![3]).toBe(`${number} as 1`);
    expect(found(`[${number}0]`)[0]![3]).toBe(`${number}… as 1`);
    const key = 'k'.repeat(200);
    expect(found(`{"${key}":1.0}`)[0]![2]).toBe(key);
    expect(found(`{"${key}k":1.0}`)[0]![2]).toBe(`${key}…`);
  });

  test('ten findings are told of each call, and the numbers written otherwise beside them', () => {
    const call = `{${Array.from({ length: 12 }, () => '"a":1E400').join(',')},"b":1.0}`;
    const told = findingsIn(`{"batch":[${call},${call}]}`, true);
    for (const one of [0, 1]) {
      const codes = told.filter((finding) => finding.call === one).map(({ code }) => code);
      expect(codes).toHaveLength(11);
      expect(codes.filter((code) => code === 'numbers_rewritten')).toHaveLength(1);
    }
  });

  test('after a thousand odd places the rest is not looked at', () => {
    const zeros = (count: number) => Array.from({ length: count }, () => '1.0').join(',');
    const last = (count: number) => found(`[[${zeros(count)}],1E400]`).some(([, code]) => code === 'number_lost');
    expect([last(999), last(1_000)]).toEqual([true, false]);
    const twice = (count: number) => `{${Array.from({ length: count + 1 }, () => '"a":1').join(',')}}`;
    const told = (count: number) =>
      found(`{"batch":[[${zeros(990)}],${twice(count)},1E400]}`, true).some(([, code]) => code === 'number_lost');
    expect([told(9), told(10)]).toEqual([true, false]);
    expect(found(`[${zeros(2_000)}]`)).toEqual([
      [0, 'numbers_rewritten', '[0]', '1000 numbers are written otherwise, the first 1.0 as 1'],
    ]);
  });

  test('what belongs to no call is counted, not told', () => {
    expect(found('{"x":{"a":1,"a":2},"batch":{"a":1.0,"a":1},"n":1.0}', true)).toEqual([]);
    expect(found('{"batch":[{"a":1},[1.0],{"b":{"c":1.0}}]}', true)).toEqual([
      [1, 'numbers_rewritten', '[0]', '1.0 as 1'],
      [2, 'numbers_rewritten', 'b.c', '1.0 as 1'],
    ]);
    for (const text of ['[1.0]', '1.0', '{"batch":1.0}']) expect(found(text, true)).toEqual([]);
  });

  test('is nothing in what JSON.stringify wrote, and the quick look says so', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify({ value });
        const all = findingsIn(text, false);
        expect([all, asked(text)]).toEqual([[], false]);
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
