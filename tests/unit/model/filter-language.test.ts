/** Text and filter: what is typed, what it says, and how it is written. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageFilter } from '../../../src/contract/filter-schema.ts';
import { FILTER_KEYS, filterGrammar } from '../../../src/core/model/filter-grammar.ts';
import { printFilter } from '../../../src/core/model/filter-printer.ts';
import { readFilter } from '../../../src/core/model/filter-reader.ts';
import { timeAsWritten } from '../../../src/core/model/filter-time.ts';
import { oneTerm } from '../../store/filters.ts';

const now = new Date(2026, 0, 31, 14, 32, 5, 120).getTime();
const sources = [
  { id: 1, name: 'checkout-api' },
  { id: 2, name: 'My app' },
  { id: 3, name: 'shared' },
  { id: 4, name: 'Shared' },
];
const context = { sources, now };
const read = (text: string, done = false) => {
  const { filter, problem } = readFilter(text, context, { done });
  return problem?.text ?? filter.terms ?? [];
};

describe('a filter', () => {
  test('is read from what was written of it', () => {
    fc.assert(
      fc.property(fc.array(oneTerm, { maxLength: 4 }), (terms) => {
        const text = printFilter({ terms }, sources);
        expect([text, read(text, true)]).toEqual([text, terms]);
        expect(messageFilter.safeParse({ terms }).success).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('has an example for every key that reads as that key', () => {
    for (const key of FILTER_KEYS)
      expect(read(filterGrammar[key].example, true)).toMatchObject([{ key, values: [expect.anything()] }]);
  });

  test('asks the engine only what it takes, whatever is typed', () => {
    const pieces = [
      'type:',
      'track',
      'status:',
      'failed',
      ',',
      ' ',
      '  ',
      'user:',
      '=',
      'u 1',
      '"',
      '\\',
      '*',
      'hook:3',
    ];
    const more = ['=timeout', 'code:5xx', 'source:"My app"', 'sour', 'hok:1', 'https://a:1', 'reason:', '-', ':', '>'];
    const typed = fc.oneof(
      fc.string({ maxLength: 500 }),
      fc
        .array(fc.constantFrom(...pieces, ...more, 'properties.', 'total', '!='), { maxLength: 14 })
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(typed, fc.boolean(), (text, done) => {
        const { filter, words } = readFilter(text, context, { done });
        expect(messageFilter.safeParse(filter).success).toBe(true);
        // Every character but blanks is in a word, at its place.
        expect(words.map(({ from, to }) => text.slice(from, to))).toEqual(words.map((word) => word.text));
        expect(words.map((word) => word.text.replace(/\s/g, '')).join('')).toBe(text.replace(/\s/g, ''));
        // What was read is written so that it reads the same.
        expect(read(printFilter(filter, sources), true)).toEqual(filter.terms ?? []);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('what is typed', () => {
  test('acts before a blank or Enter ends it', () => {
    expect(read('user:x')).toEqual([{ key: 'user', values: ['x'] }]);
    expect(read('order status:failed')).toEqual([
      { key: 'text', values: ['order'] },
      { key: 'status', values: ['failed'] },
    ]);
    expect(read('hook:3')).toEqual([{ key: 'hook', values: [{ slot: 3 }] }]);
    expect(read('status:failed,')).toEqual([{ key: 'status', values: ['failed'] }]);
  });

  test.each([
    'status:',
    'status:ret',
    'source:check',
    'hook:3=tim',
    'code:5',
    'user:',
    'after:14:',
    'properties.total>',
  ])('waits for the rest of %s, until a blank or Enter ends it', (text) => {
    expect(read(text)).toEqual([]);
    expect(read(`${text} order`)).toMatch(/needs /);
    expect(read(text, true)).toMatch(/needs /);
  });

  test('has several values, a minus, quotes with quotes in them, and stars', () => {
    expect(read('-type:track,page')).toEqual([{ key: 'type', values: ['track', 'page'], not: true }]);
    expect(read('event:"Order Completed","a, b"')).toEqual([{ key: 'event', values: ['Order Completed', 'a, b'] }]);
    expect(read('event:"say \\"hi\\"",5\\*')).toEqual([{ key: 'event', values: ['say "hi"', '5\\*'] }]);
    expect(read('"a\\"b" -"c d"')).toEqual([
      { key: 'text', values: ['a"b'] },
      { key: 'text', values: ['c d'], not: true },
    ]);
    expect(read('is:replay')).toEqual([{ key: 'is', values: ['replayed'] }]);
    expect(read('status:not_selected,Not-Selected')).toEqual([{ key: 'status', values: ['not_selected'] }]);
  });

  test('has spans of seconds and milliseconds, which are written as short as they can be', () => {
    const term = { key: 'took', values: [1_000, 1_500, 250, 0] } as const;
    expect(read('took:1S,1.5s,250ms,0ms')).toEqual([term]);
    expect(printFilter({ terms: [term] }, sources)).toBe('took:1s,1500ms,250ms,0ms');
    expect(read('took:1.25s,1.001s')).toEqual([{ key: 'took', values: [1_250, 1_001] }]);
  });

  test('has whole ids behind an =, and no = in quotes', () => {
    expect(read('user:=8f21,8f,="a, b"')).toEqual([{ key: 'user', values: [{ id: '8f21' }, '8f', { id: 'a, b' }] }]);
    expect(read('user:"=8f21"')).toEqual([{ key: 'user', values: ['=8f21'] }]);
    expect(read('user:==x')).toEqual([{ key: 'user', values: [{ id: '=x' }] }]);
    expect(read('user:=')).toEqual([]);
    expect(read('user:=', true)).toMatch(/^user: needs /);
    expect(read(`user:=${'x'.repeat(1_001)}`)).toBe('A whole id has at most 1000 characters.');
    expect(printFilter({ terms: [{ key: 'user', values: [{ id: '*"=' }, '=x', { id: ' ' }] }] }, sources)).toBe(
      'user:="*\\"=","=x",=" "',
    );
  });

  test('has fields with operators', () => {
    expect(read('properties.total>100 -traits.plan:pro,"Big one" userId!=a')).toEqual([
      { key: 'field', path: 'properties.total', op: '>', values: ['100'] },
      { key: 'field', path: 'traits.plan', op: '=', values: ['pro', 'Big one'], not: true },
      { key: 'field', path: 'userId', op: '!=', values: ['a'] },
    ]);
  });

  test('takes addresses, times, sums and what stands in quotes as text', () => {
    for (const text of ['https://acme.test/a:b', '12:30', 'a=b', '1>0', '-'])
      expect(read(`${text} `)).toEqual([{ key: 'text', values: [text] }]);
    expect(read('"type:track"')).toEqual([{ key: 'text', values: ['type:track'] }]);
  });

  test.each([
    ['hok:3', 'There is no filter hok:. Did you mean hook:?'],
    ['-staus:failed', 'There is no filter staus:. Did you mean status:?'],
    ['nothing:3', 'There is no filter nothing:. Put it in quotes to search for it as text.'],
    ['propertes.total>5', 'There is no field propertes.total. Did you mean properties.?'],
    ['name.first:5', 'There is no field name.first. Put it in quotes to search for it as text.'],
    ['type:trak', /^There is no type:trak\. It is a call: identify, /],
    ['status:late', /^There is no status:late\. It is one of .*not-selected/],
    ['source:nobody', 'There is no source nobody.'],
    ['code:700', /^code: needs a status/],
    ['hook:6', /^hook: needs a webhook/],
    ['hook:3=late', /^There is no result late/],
    ['note:5', 'note: needs the code of a note, such as duplicate-key.'],
    ['after:2026-02-30', /^after: needs a time/],
    ['after:noon', /^after: needs a time/],
    ['after:10m,20m', 'after: takes one time.'],
    ['event:*a*b*c*d*', 'event: takes at most 4 *.'],
    ['properties.total>1,2', 'properties.total> takes one value.'],
  ])('%s is named as wrong, with its place', (text, problem) => {
    expect(readFilter(`order ${text} x`, context).problem).toEqual({
      text: typeof problem === 'string' ? problem : expect.stringMatching(problem),
      from: 6,
      to: 6 + text.length,
    });
  });
});

describe('a source', () => {
  test('is found by its name in any case, by its id, and by a name that two have', () => {
    expect(read('source:CHECKOUT-API,"my app"')).toEqual([{ key: 'source', values: [1, 2] }]);
    expect(read('source:#9')).toEqual([{ key: 'source', values: [9] }]);
    expect(read('source:shared')).toEqual([{ key: 'source', values: [3, 4] }]);
  });

  test('is written by its present name, and by its id when the name does not say which or it is gone', () => {
    const terms = [{ key: 'source', values: [1, 2, 3, 9] }] as const;
    expect(printFilter({ terms }, sources)).toBe('source:checkout-api,"My app",#3,#9');
    expect(printFilter({ terms }, [{ id: 1, name: 'new name' }])).toBe('source:"new name",#2,#3,#9');
  });
});

describe('a time', () => {
  const at = (text: string) => {
    const terms = read(`after:${text}`, true);
    return typeof terms === 'string' ? terms : new Date((terms[0] as { values: readonly number[] }).values[0]!);
  };

  test.each([
    ['10m', new Date(now - 600_000)],
    ['90s', new Date(now - 90_000)],
    ['2h', new Date(now - 7_200_000)],
    ['1d', new Date(now - 86_400_000)],
    ['14:32', new Date(2026, 0, 31, 14, 32)],
    ['14:32:05.1', new Date(2026, 0, 31, 14, 32, 5, 100)],
    ['23:59', new Date(2026, 0, 30, 23, 59)],
    ['2026-01-30', new Date(2026, 0, 30)],
    ['2026-01-30T08:05', new Date(2026, 0, 30, 8, 5)],
    ['2026-01-30T08:05:01.250', new Date(2026, 0, 30, 8, 5, 1, 250)],
    ['2026-01-30T08:05Z', new Date(Date.UTC(2026, 0, 30, 8, 5))],
    ['2026-01-30T08:05+02:00', new Date(Date.UTC(2026, 0, 30, 6, 5))],
  ])('%s is %s', (text, expected) => {
    expect(at(text)).toEqual(expected);
  });

  test('is written as short as it can be', () => {
    const written = [new Date(2026, 0, 30), new Date(2026, 0, 30, 8, 5), new Date(2026, 0, 30, 8, 5, 1, 5)];
    expect(written.map((date) => timeAsWritten(date.getTime()))).toEqual([
      '2026-01-30',
      '2026-01-30T08:05',
      '2026-01-30T08:05:01.005',
    ]);
  });
});
