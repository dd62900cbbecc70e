import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HAZARD_LANGUAGES, type Hazard, MAX_PLACES } from '../../../src/contract/signature-lab.ts';
import { firstDifference } from '../../../src/core/signature-lab/first-difference.ts';
import { hazardsOf } from '../../../src/core/signature-lab/hazards.ts';
import { readTree } from '../../../src/core/signature-lab/json-tree.ts';
import { writeJson } from '../../../src/core/signature-lab/write-json.ts';
import { LIBRARIES } from '../../../src/core/signature-lab/writers.ts';

const hazards = (text: string): Hazard[] => hazardsOf(Buffer.from(text));
const of = (library: string, text: string) => hazards(text).find((one) => one.library === library)!;
const placesOf = (library: string, text: string) =>
  of(library, text).places.map(({ kind, path, sent, written }) => [kind, path, sent, written]);

test('there is one hazard for each library, in the order of the languages', () => {
  const all = hazards('{"a":1}');
  expect(all.map(({ library }) => library)).toEqual([...new Set(LIBRARIES.map(({ name }) => name))]);
  expect([...new Set(all.map(({ language }) => language))]).toEqual([...HAZARD_LANGUAGES]);
});

test.each([
  ['JSON.stringify(JSON.parse(body))', '{"b":1,"10":1,"9":"x"}', [['order', '', 'b', '9']]],
  ['JSON.stringify(JSON.parse(body))', '{"a":[{"n":1.0}]}', [['number', 'a[0].n', '1.0', '1']]],
  ['JSON.stringify(JSON.parse(body))', '{"a":1,"a":2}', [['repeated', 'a', 'twice', 'last']]],
  ['JSON.stringify(JSON.parse(body))', '{"a": 1}', [['white_space', '', ' 1}', '1}']]],
  ['Go json.Marshal of a map', '{"a":"W & C"}', [['text', 'a', '&', '\\u0026']]],
  ['Go json.Marshal of a map', '{"b":{"z":1,"y":2}}', [['order', 'b', 'z', 'y']]],
  ['Go json.Encoder of a map', '{}', [['line_break', '', '', '\n']]],
  ['Ruby JSON.generate', '{"n":1e16}', [['number', 'n', '1e16', '1.0e+16']]],
  [
    'PHP json_encode of an array',
    '{"u":"a/ë","e":{}}',
    [
      ['text', 'u', '/ë', '\\/\\u00eb'],
      ['empty', 'e', '{}', '[]'],
    ],
  ],
  [
    'Gson toJson of a JsonObject',
    '{"a":null,"b=":1}',
    [
      ['null', 'a', 'null', ''],
      ['text', 'b=', '=', '\\u003d'],
    ],
  ],
  ['.NET JsonSerializer.Serialize', '{"a":"ë"}', [['text', 'a', 'ë', '\\u00EB']]],
  [
    'JSON.stringify(JSON.parse(body))',
    '{"a":1,"b":2,"a":3,"a":4}',
    [
      ['repeated', 'a', 'twice', 'last'],
      ['repeated', 'a', 'twice', 'last'],
    ],
  ],
  ['JSON.stringify(JSON.parse(body))', '{"":[0,[{"":1.0}]]}', [['number', '""[1][0].""', '1.0', '1']]],
  ['PHP json_encode of an array', '{"a":[],"b":[[]],"c":{"d":1}}', []],
  ['PHP json_encode of an array', '{"a":"//"}', [['text', 'a', '/', '\\/\\']]],
  ['Gson toJson of a JsonObject', '{"a":[null,true,"null"],"b":{"c":null}}', [['null', 'b.c', 'null', '']]],
  ['Gson toJson of a JsonObject', '{"a":null,"a":1}', [['null', 'a', 'null', '']]],
  ['Gson toJson of a JsonObject', '{"a":true,"b":null,"c":false}', [['null', 'b', 'null', '']]],
  ['JSON.stringify(JSON.parse(body))', '{"a":"33\\u003333"}', [['text', 'a', '\\u003', '']]],
  ['.NET JsonSerializer.Serialize', '{"b":1,"a":null,"a":1.0}', []],
])('%s of %s', (library, text, places) => {
  expect(placesOf(library, text)).toEqual(places);
});

test('a library that writes a space after signs says so once', () => {
  expect(placesOf('Python json.dumps', '{"a":1,"b":2}')).toEqual([['white_space', '', '1,"b":2}', ' 1, "b": 2}']]);
});

test.each([
  [40, `1${'0'.repeat(39)}`],
  [41, `1${'0'.repeat(38)}…`],
])('of %d characters at most 40 are shown', (length, shown) => {
  const number = `1${'0'.repeat(length - 1)}`;
  const places = placesOf('JSON.stringify(JSON.parse(body))', `{"n":${number}}`);
  expect(places).toEqual([['number', 'n', shown, `1e+${length - 1}`]]);
});

test('of white space 12 characters are shown, from the first difference on', () => {
  expect(placesOf('JSON.stringify(JSON.parse(body))', '{"abc": 1,"defghijklmnop":2}')).toEqual([
    ['white_space', '', ' 1,"defghijk', '1,"defghijkl'],
  ]);
});

test('all places are counted, and the first are listed', () => {
  const { count, places } = of('Go json.Marshal of a map', JSON.stringify(Array.from({ length: 50 }, () => '&')));
  expect([count, places.length]).toEqual([50, MAX_PLACES]);
});

test('what is no JSON has none', () => {
  expect(hazardsOf(Buffer.from('no JSON'))).toEqual([]);
});

const VALUES = ['text', 'number', 'empty'];

describe('whatever the body', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '&', '<', '/', 'ë', '\u2028', "'", '=', '"', '😀', '\n') });
  const { json } = fc.letrec((tie) => ({
    number: fc.constantFrom('1', '1.0', '-0', '1e21', '0.00001', '12345678901234567890', '184.50', '1E5'),
    word: fc.constantFrom('true', 'null', '{}', '[]'),
    string: text.map((value) => JSON.stringify(value)),
    key: fc.oneof(text, fc.constantFrom('10', '9', 'b', 'a', '\uffee')).map((value) => JSON.stringify(value)),
    array: fc.array(tie('json') as fc.Arbitrary<string>, { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    object: fc
      .array(fc.tuple(tie('key') as fc.Arbitrary<string>, tie('json') as fc.Arbitrary<string>), { maxLength: 4 })
      .map((members) => `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`),
    json: fc.oneof({ maxDepth: 3 }, tie('number'), tie('word'), tie('string'), tie('array'), tie('object')),
  })) as { json: fc.Arbitrary<string> };
  const written = (library: string, body: string): string[] =>
    LIBRARIES.filter(({ name }) => name === library).map(
      ({ style, end = '' }) => writeJson(readTree(body), style) + end,
    );

  test('a library without a place writes the same bytes, and one with a place writes others', () => {
    fc.assert(
      fc.property(json, (body) => {
        for (const { library, count } of hazards(body))
          expect([library, count === 0]).toEqual([library, written(library, body)[0] === body]);
      }),
      { numRuns: 500 },
    );
  });

  test('where only values change, the first difference lies in a listed place', () => {
    fc.assert(
      fc.property(json, (body) => {
        for (const { library, count, places } of hazards(body)) {
          if (count === 0 || count > places.length || places.some(({ kind }) => !VALUES.includes(kind))) continue;
          const sent = Buffer.from(body);
          const { at, field } = firstDifference(sent, Buffer.from(written(library, body)[0]!));
          const near = places.some(({ path }) => path === field || path.startsWith(`${field}.`));
          expect([library, body, at, field, near]).toEqual([library, body, at, field, true]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
