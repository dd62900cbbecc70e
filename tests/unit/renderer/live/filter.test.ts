/** The query of the live stream: tokens, and the text that is still being typed. The language is tested in tests/unit/model. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  emptyQuery,
  isEmpty,
  letsPass,
  queryOf,
  toFilter,
  toggled,
  tokensOf,
  valuesAsked,
  withoutStates,
  withTerms,
  withValues,
} from '../../../../src/renderer/stores/live/filter.ts';
import { readText, takeTokens } from '../../../../src/renderer/stores/live/tokens.ts';

const sources = [{ id: 1, name: 'checkout-api' }];
const context = { sources, now: 0 };
const typed = (text: string, all = false) => takeTokens({ ...emptyQuery, text }, context, all);

describe('the filter field', () => {
  it('takes a token once a blank follows it', () => {
    expect(typed('type:track')).toEqual({ terms: [], text: 'type:track' });
    expect(typed('type:track ')).toEqual({ terms: [{ key: 'type', values: ['track'] }], text: '' });
  });

  it('takes every token on Enter and leaves the words as text', () => {
    expect(typed('order type:track "a b" user:usr_1', true)).toEqual({
      terms: [
        { key: 'type', values: ['track'] },
        { key: 'user', values: ['usr_1'] },
      ],
      text: 'order "a b"',
    });
  });

  it('leaves what cannot be read where it is', () => {
    expect(typed('type:nothing source:unknown ', true)).toEqual({ terms: [], text: 'type:nothing source:unknown ' });
  });

  it('takes a term once', () => {
    const query = withTerms(queryOf({ key: 'is', values: ['noted'] }), [{ key: 'is', values: ['noted'] }]);
    expect(query.terms).toHaveLength(1);
  });

  it('shows each term as a token that can be taken away', () => {
    const query = typed('type:track -status:retrying source:Checkout-API ', true);
    const tokens = tokensOf(query, sources);
    expect(tokens.map(({ text }) => text)).toEqual(['type:track', '-status:retrying', 'source:checkout-api']);
    expect(tokens[1]!.without.terms.map(({ key }) => key)).toEqual(['type', 'source']);
  });

  it('says the same before and after its tokens were taken', () => {
    const pieces = ['type:track', '-is:noted', ' ', ' ', 'user:"a b"', 'order', 'status:failed', 'hok:1', 'code:5'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), fc.boolean(), (parts, all) => {
        const text = parts.join('');
        const said = (reading: ReturnType<typeof readText>) => [
          reading.query.terms.map((term) => JSON.stringify(term)).sort(),
          reading.problem?.text,
        ];
        expect(said(readText(typed(text, all), context, all))).toEqual(
          said(readText({ ...emptyQuery, text }, context, all)),
        );
      }),
    );
    expect(toFilter({ ...emptyQuery, text: '  ' })).toEqual({});
    expect(isEmpty({ ...emptyQuery, text: '  ' })).toBe(true);
  });
});

describe('a menu', () => {
  const failed = queryOf({ key: 'status', values: ['failed'] });

  it('switches a value on and off, and leaves terms that exclude alone', () => {
    const both = toggled(failed, 'status', 'expired');
    expect(valuesAsked(both, 'status')).toEqual(['failed', 'expired']);
    expect(toggled(toggled(both, 'status', 'failed'), 'status', 'expired')).toEqual(emptyQuery);
    const not = queryOf({ key: 'status', values: ['failed'], not: true });
    expect(valuesAsked(not, 'status')).toEqual([]);
    expect(withValues(not, 'status', ['queued']).terms).toHaveLength(2);
  });

  it('knows which states pass, and the rest of the filter without them', () => {
    const query = queryOf({ key: 'status', values: ['failed'], not: true }, { key: 'is', values: ['noted'] });
    expect([letsPass(query, 'failed'), letsPass(query, 'queued')]).toEqual([false, true]);
    expect([letsPass(failed, 'failed'), letsPass(failed, 'queued')]).toEqual([true, false]);
    expect(withoutStates(query).terms).toEqual([{ key: 'is', values: ['noted'] }]);
  });
});
