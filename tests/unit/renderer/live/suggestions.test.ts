/** What the filter field suggests for what is typed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFilter } from '../../../../src/contract/filter.ts';
import { queryOf } from '../../../../src/renderer/stores/live/filter.ts';
import { moreFilters, suggestionsFor, valuesAsked } from '../../../../src/renderer/stores/live/suggestions.ts';

const context = {
  sources: [
    { id: 1, name: 'checkout-api' },
    { id: 2, name: 'My app' },
  ],
  webhooks: [
    { slot: 1, name: 'CRM sync' },
    { slot: 3, name: 'Warehouse' },
  ],
  now: 0,
};
const texts = (text: string) => suggestionsFor(text, context)?.items.map((item) => item.text);
const becomes = (text: string) => suggestionsFor(text, context)?.items.map((item) => item.becomes);

describe('suggestions', () => {
  it.each([
    ['status:ret', ['retrying']],
    ['-status:not_', ['not-selected']],
    ['status:failed,ex', ['expired']],
    ['order status:failed,f', undefined],
    ['source:', ['checkout-api', '"My app"']],
    ['source:m', ['"My app"']],
    ['hook:', ['1', '2', '3', '4', '5']],
    ['took:', ['100ms', '500ms', '1s', '3s']],
    ['took:1', ['100ms', '1s']],
    ['hook:1,,3=ti', ['timeout'].map((result) => `3=${result}`)],
    ['hook:3=ti', ['timeout'].map((result) => `3=${result}`)],
    ['st', ['status:']],
    ['-st', ['status:']],
    ['order', undefined],
    ['hok:', undefined],
    ['properties.total>', undefined],
    ['"status:', undefined],
    ['', undefined],
    ['status:failed ', undefined],
  ])('for %j are %j', (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it('keep what stands before the word, its minus and its other values', () => {
    expect(becomes('order -status:failed,ex')).toEqual(['order -status:failed,expired']);
    expect(becomes('order -st')).toEqual(['order -status:']);
    expect(moreFilters('order', false).map((item) => item.becomes)).toContain('order hook:');
  });

  it('choose the first by Enter only where the word means nothing by itself', () => {
    expect(suggestionsFor('status:', context)?.choosesFirst).toBe(true);
    for (const text of ['code:', 'after:', 'st']) expect(suggestionsFor(text, context)?.choosesFirst).toBe(false);
  });

  it('of a value can always be read, whatever was typed before', () => {
    const piece = fc.constantFrom(
      'status:',
      'hook:',
      'source:',
      'is:',
      'type:',
      'code:',
      'took:',
      'after:',
      '-',
      ',',
      ' ',
      '3=',
      'a',
      'r',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const found = suggestionsFor(pieces.join(''), context);
        if (found === null || found.key === null) return;
        for (const { becomes: text } of found.items) {
          const last = readFilter(text, context, { done: true }).words.at(-1)!;
          const before = readFilter(pieces.join(''), context, { done: false }).words.at(-1)!;
          if (before.problem === null) expect([text, last.problem]).toEqual([text, null]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('of more filters are all keys, and a field', () => {
    expect(moreFilters('', true).map((item) => item.becomes)).toEqual([
      ...['type:', 'status:', 'source:', 'user:', 'event:', 'hook:', 'code:', 'took:', 'is:', 'note:', 'reason:'],
      ...['after:', 'before:', 'properties.'],
    ]);
  });
});

const numbers = (...counts: Array<[string, number]>) => new Map(counts.map(([value, n]) => [value, { value, n }]));
const counted = (text: string, ...counts: Array<[string, number]>) =>
  suggestionsFor(text, context, numbers(...counts))?.items.map((item) => [item.text, item.count]);

describe('suggestions with numbers', () => {
  it('begin with the values that most messages have', () => {
    expect(counted('source:', ['2', 7], ['1', 3])).toEqual([
      ['"My app"', 7],
      ['checkout-api', 3],
    ]);
    expect(counted('hook:3=', ['3=t', 2], ['3=a', 5], ['2=a', 9])?.slice(0, 3)).toEqual([
      ['3=accepted', 5],
      ['3=timeout', 2],
      ['3=failed', 0],
    ]);
  });

  it('leave webhooks in their places, each with the name that it has now', () => {
    expect(counted('hook:', ['2', 4], ['2=a', 9])).toEqual([
      ['1', 0],
      ['2', 4],
      ['3', 0],
      ['4', 0],
      ['5', 0],
    ]);
    const names = (text: string) => suggestionsFor(text, context)?.items.map(({ help }) => help);
    expect(names('hook:')).toEqual(['CRM sync', undefined, 'Warehouse', undefined, undefined]);
    expect(names('hook:1,')).toEqual([undefined, 'Warehouse', undefined, undefined]);
    expect(names('hook:3=ti')).toEqual([undefined]);
    expect(names('took:')).not.toContain('CRM sync');
  });

  it('have what only the store knows: events, codes, and sources that are gone', () => {
    expect(counted('event:', ['Order Completed', 2], ['a*b', 1], ['Say "hi"', 1])).toEqual([
      ['"Order Completed"', 2],
      ['a\\*b', 1],
      ['"Say \\"hi\\""', 1],
    ]);
    expect(counted('event:"order c', ['Order Completed', 2], ['Order Made', 1])).toEqual([['"Order Completed"', 2]]);
    expect(counted('event:order_', ['order_made', 2])).toEqual([['order_made', 2]]);
    expect(counted('code:5', ['503', 2], ['5xx', 2], ['404', 1])).toEqual([
      ['5xx', 2],
      ['503', 2],
    ]);
    expect(counted('source:#', ['9', 2])).toEqual([['#9', 2]]);
  });

  it('go on after a comma, also where one is in quotes', () => {
    expect(suggestionsFor('event:"a, b",', context, numbers(['Made', 1], ['a, b', 2]))?.items).toMatchObject([
      { text: 'Made', becomes: 'event:"a, b",Made' },
    ]);
    expect(suggestionsFor('event:"a, ', context, numbers(['a, b', 2]))?.items).toMatchObject([
      { becomes: 'event:"a, b"' },
    ]);
  });

  it('are twenty at most', () => {
    const many = Array.from({ length: 30 }, (_, n): [string, number] => [`Event ${n}`, n]);
    expect(counted('event:', ...many)).toHaveLength(20);
    expect(counted('event:', ...many)?.[0]).toEqual(['"Event 29"', 29]);
  });
});

describe('what is counted beside them', () => {
  const track = { key: 'type', values: ['track'] } as const;
  it.each([
    ['event:', 'event', []],
    ['event', 'event', []],
    ['-CODE:5', 'code', []],
    ['order code:', 'code', [{ key: 'text', values: ['order'] }]],
    ['status:failed hook:3=', 'hook', [{ key: 'status', values: ['failed'] }]],
  ])('%j asks for %s within the tokens before it', (text, key, terms) => {
    expect(valuesAsked({ ...queryOf(track), text }, context)).toEqual({ key, filter: { terms: [track, ...terms] } });
  });

  it.each(['', 'user:', 'after:1', 'even', 'event: ', '"event:', 'properties.total>'])(
    '%j asks for nothing',
    (text) => {
      expect(valuesAsked({ ...queryOf(track), text }, context)).toBeNull();
    },
  );
});
