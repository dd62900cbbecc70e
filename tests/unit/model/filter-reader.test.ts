/** The edges of the language: where a word stops to be a token, what is too much, and how each problem is worded. */
import { describe, expect, test } from 'vitest';
import {
  FILTER_KEYS,
  filterGrammar,
  HOOK_RESULTS,
  isFieldPath,
  PATH_PATTERN,
} from '../../../src/core/model/filter-grammar.ts';
import { printTerm } from '../../../src/core/model/filter-printer.ts';
import { filterHelp, readFilter } from '../../../src/core/model/filter-reader.ts';
import { FILTER_LIMITS } from '../../../src/core/model/filter-terms.ts';
import { plainAsWritten, unquoted, valuesOf, wordAsWritten } from '../../../src/core/model/filter-text.ts';
import { MESSAGE_STATES } from '../../../src/core/model/vocabulary.ts';

const sources = [{ id: 1, name: 'shop' }];
const read = (text: string, options?: { done: boolean }) => readFilter(text, { sources, now: 0 }, options);
const terms = (text: string) => read(text, { done: true }).filter.terms ?? [];
const problem = (text: string) => read(text, { done: true }).problem?.text ?? null;

describe('the last word is open', () => {
  test('while it is typed, and by default', () => {
    expect([read('status:').problem, read('order status:').problem]).toEqual([null, null]);
  });

  test('until a blank ends it, wherever it stands', () => {
    expect(read('status: ').problem?.text).toMatch(/needs/);
    expect(read('order status: ').problem?.text).toMatch(/needs/);
  });

  test('and without a term there is no filter', () => {
    expect(read('').filter).toEqual({});
    expect(read('status:').filter).toEqual({});
  });
});

test.each([['type>track'], ['shop.io>5'], ['propertie=5'], ['1abc:5'], ['ab-c:5'], ['properties']])(
  '%s is a text',
  (text) => {
    expect(terms(text)).toEqual([{ key: 'text', values: [text] }]);
  },
);

test('quotes with nothing in them say nothing', () => {
  for (const text of ['""', '-""']) expect([terms(text), problem(text)]).toEqual([[], null]);
  expect(terms('"" -"" x')).toEqual([{ key: 'text', values: ['x'] }]);
});

test('an address after another sign than a colon is a value', () => {
  expect(terms('properties.url=//cdn')).toEqual([{ key: 'field', path: 'properties.url', op: '=', values: ['//cdn'] }]);
});

describe('a problem', () => {
  test.each([
    ['before:noon', 'before: needs a time: before:14:32, before:2026-01-31, before:10m for ten minutes ago.'],
    ['before:10m,20m', 'before: takes one time.'],
    ['user:*a*b*c*d*', 'user: takes at most 4 *.'],
    ['properties.a:*a*b*c*d*', 'properties.a takes at most 4 *.'],
    ['properties.total>', 'properties.total> needs a value.'],
    ['properties.total:', 'properties.total= needs a value.'],
    ['messagId:5', 'There is no filter messagId:. Did you mean messageId:?'],
    ['source:x#7', 'There is no source x#7.'],
    ['source:#7x', 'There is no source #7x.'],
    ['status:late', `There is no status:late. It is one of ${MESSAGE_STATES.join(', ').replaceAll('_', '-')}.`],
    ['hook:3=late', `There is no result late. It is one of ${Object.keys(HOOK_RESULTS).join(', ')}.`],
    ['hook:x3', `hook: needs ${filterGrammar.hook.needs}.`],
    ['hook:3x', `hook: needs ${filterGrammar.hook.needs}.`],
  ])('of %s is: %s', (text, expected) => {
    expect(problem(text)).toBe(expected);
  });

  test.each(['51', '5x', '5'])('is none while code:%s is typed', (status) => {
    expect(read(`code:${status}`).problem).toBeNull();
  });

  test.each(['x5', '5y', '6', '51y', 'x503'])('is there as soon as code:%s is typed', (status) => {
    expect(read(`code:${status}`).problem?.text).toMatch(/^code: needs/);
  });

  test.each(['2', '2.', '2.5', '250m'])('is none while took:%s is typed', (span) => {
    const { problem: wrong, filter } = read(`took:${span}`);
    expect([wrong, filter]).toEqual([null, {}]);
  });

  test.each(['s', '1h', '1ss', '123456', '1.5ms2', '-1s'])('is there as soon as took:%s is typed', (span) => {
    expect(read(`took:${span}`).problem?.text).toBe('took: needs how long: took:1s, or took:250ms.');
  });

  test('of an id of a source is none, also with many digits', () => {
    expect(terms('source:#12')).toEqual([{ key: 'source', values: [12] }]);
  });
});

describe('too much is', () => {
  const many = (count: number, one: (n: number) => string, between: string): string =>
    Array.from({ length: count }, (_, n) => one(n)).join(between);

  test('more than 50 parts', () => {
    const fits = many(50, (n) => `w${n}`, ' ');
    expect(problem(fits)).toBeNull();
    const text = `${fits} more`;
    expect(read(text).problem).toEqual({ text: 'A filter has at most 50 parts.', from: 0, to: text.length });
  });

  test('more than 100 values', () => {
    const fits = `source:${many(100, (n) => `#${n}`, ',')}`;
    expect(problem(fits)).toBeNull();
    expect(problem(`${fits},#100`)).toBe('source: takes at most 100 values.');
    expect(read(`${fits},#100`).words[0]!.term).toBeNull();
  });

  test('a value of more than 500 characters, also beside a short one', () => {
    expect(problem('a'.repeat(500))).toBeNull();
    expect(problem('a'.repeat(501))).toBe('A value has at most 500 characters.');
    expect(problem(`event:a,${'b'.repeat(501)}`)).toBe('A value has at most 500 characters.');
  });

  test('more than 4 stars', () => {
    expect(problem('event:*a*b*c*')).toBeNull();
    expect(problem('event:*a*b*c**')).toBe('event: takes at most 4 *.');
  });

  test('a whole id beyond its limit, also beside a short one', () => {
    const { id } = FILTER_LIMITS;
    expect(problem(`user:=${'a'.repeat(id)}`)).toBeNull();
    expect(problem(`user:=a,=${'b'.repeat(id + 1)}`)).toBe(`A whole id has at most ${id} characters.`);
  });

  test('a path of more than 200 characters', () => {
    const path = `properties.${'a'.repeat(189)}`;
    expect(problem(`${path}:1`)).toBeNull();
    expect(problem(`${path}a:1`)).toBe('A path has at most 200 characters.');
    expect(problem(`event:${'a'.repeat(201)}`)).toBeNull();
  });
});

test.each([
  ['"a\\ b"', 'a\\ b', 'a\\\\ b', true],
  ['"5\\*"', '5\\*', '5\\*', true],
  ['"a\\', 'a\\', 'a\\\\', true],
  ['"abc', 'abc', 'abc', true],
  ['a\\b', 'a\\b', 'a\\\\b', false],
])('%s says %j, as a pattern %j', (text, plain, pattern, quoted) => {
  expect(valuesOf(text)).toMatchObject([{ plain, pattern, quoted }]);
});

test('a comma in a word stays, and only what needs quotes is written with them', () => {
  expect(unquoted('a,b')).toBe('a,b');
  expect(['a//b', '//b', 'a=b', '=b', ''].map(plainAsWritten)).toEqual(['a//b', '"//b"', 'a=b', '"=b"', '""']);
  expect(['order', 'a', '-a', 'a:b'].map(wordAsWritten)).toEqual(['order', 'a', '"-a"', '"a:b"']);
});

test('a term is written so that it is short', () => {
  expect(printTerm({ key: 'field', path: 'properties.a', op: '=', values: ['a\\* b'] }, [])).toBe(
    'properties.a:"a\\* b"',
  );
  // What is compared has no stars, so that a backslash in its quotes is always written twice.
  expect(printTerm({ key: 'field', path: 'properties.a', op: '>', values: ['a \\'] }, [])).toBe(
    'properties.a>"a \\\\"',
  );
  expect(printTerm({ key: 'text', values: ['a', 'b'] }, [])).toBe('a b');
  const named = (name: string) => printTerm({ key: 'source', values: [7] }, [{ id: 7, name }]);
  expect(['shop#1', '#1x', '#ab', '#12'].map(named)).toEqual([
    ...['source:shop#1', 'source:#1x', 'source:#ab', 'source:#7'],
  ]);
});

describe('the words of the language', () => {
  test('have a line of help and a need each, in their order', () => {
    expect(filterHelp().map(({ example }) => example.split(':')[0])).toEqual(FILTER_KEYS);
    expect(filterHelp().map(({ help }) => help)).toEqual(FILTER_KEYS.map((key) => filterGrammar[key].help));
    const texts = Object.values(filterGrammar).flatMap(({ needs, help }) => [needs, help]);
    expect(texts.filter((text) => text.length < 8)).toEqual([]);
    for (const key of FILTER_KEYS) expect(problem(`${key}:`)).toBe(`${key}: needs ${filterGrammar[key].needs}.`);
  });

  test.each([
    ['properties.a', true],
    ['properties.a.b', true],
    ['userId', true],
    ['properties', false],
    ['properties.', false],
    ['properties..a', false],
    ['properties.a.', false],
    ['other.a', false],
    ['', false],
  ])('%s is a path: %s', (path, isPath) => {
    expect(isFieldPath(path)).toBe(isPath);
  });

  test('a path has no blanks and no signs of the language', () => {
    expect(PATH_PATTERN.test('properties.a-b')).toBe(true);
    for (const path of ['', ' a', 'a b', 'a ', 'a:b', 'a"', '=a', 'a,b', 'a>'])
      expect(PATH_PATTERN.test(path)).toBe(false);
  });
});
