/** What the filter field suggests for what is typed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFilter } from '../../../../src/contract/filter.ts';
import { moreFilters, suggestionsFor } from '../../../../src/renderer/stores/live/suggestions.ts';

const context = {
  sources: [
    { id: 1, name: 'checkout-api' },
    { id: 2, name: 'My app' },
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
      ...['type:', 'status:', 'source:', 'user:', 'event:', 'hook:', 'code:', 'is:', 'note:', 'reason:'],
      ...['after:', 'before:', 'properties.'],
    ]);
  });
});
