import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageFilter } from '../../../src/contract/commands.ts';
import type { MessageRow, SourceView } from '../../../src/contract/values.ts';
import {
  emptyQuery,
  isEmpty,
  needsEngine,
  rowMatches,
  takeTokens,
  toFilter,
  tokensOf,
} from '../../../src/renderer/stores/live-filter.ts';

const source = (id: number, name: string): SourceView => ({
  id,
  name,
  writeKey: `wk_${id}`,
  kind: 'server',
  enabled: true,
  webhooks: true,
  createdAt: 0,
});
const sources = [source(1, 'checkout-api'), source(2, 'My app')];
const typed = (text: string, all = false) => takeTokens({ ...emptyQuery, text }, sources, all);

describe('the filter field', () => {
  it('takes a token once a blank follows it', () => {
    expect(typed('type:track')).toMatchObject({ text: 'type:track', types: [] });
    expect(typed('type:track ')).toMatchObject({ text: '', types: ['track'] });
  });

  it('takes every token on Enter and leaves the rest as text', () => {
    expect(typed('order type:track status:not-selected user:usr_1', true)).toMatchObject({
      text: 'order',
      types: ['track'],
      states: ['not_selected'],
      user: 'usr_1',
    });
  });

  it('finds sources by name, with quotes for blanks, in any case', () => {
    expect(typed('source:CHECKOUT-API ')).toMatchObject({ sourceId: 1, text: '' });
    expect(typed('source:"my app" ')).toMatchObject({ sourceId: 2, text: '' });
  });

  it('takes marks, notes and reasons, and gives them to the engine', () => {
    const query = typed('is:silent is:noted note:duplicate-key reason:unknown-source ', true);
    expect(toFilter(query)).toEqual({ is: ['silent', 'noted'], note: 'duplicate_key', reason: 'unknown_source' });
    expect(messageFilter.safeParse(toFilter(query)).success).toBe(true);
    expect(tokensOf(query, sources).map(({ text }) => text)).toEqual([
      'is:silent',
      'is:noted',
      'note:duplicate-key',
      'reason:unknown-source',
    ]);
    expect(typed('is:nothing note:A% ', true)).toMatchObject({ is: [], note: null });
  });

  it.each([
    ['rejected', 'no_user_anon_id', null, true],
    ['rejected', 'call_too_large', '41.2 KB', false],
    ['rejected', 'batch_too_large', '612 KB', false],
    ['rejected', 'batch_too_large', '2,501 calls', true],
    ['not_selected', 'integrations_off', null, false],
    ['delivered', null, null, false],
  ] as const)('silent: %s %s %s is %s', (state, reason, reasonDetail, silent) => {
    const row = { state, reason, reasonDetail, notes: [], repeats: 0, replays: 0 } as unknown as MessageRow;
    expect(rowMatches({ is: ['silent'] }, row)).toBe(silent);
  });

  it('leaves what names nothing as text', () => {
    expect(typed('type:nothing status:x source:unknown ', true).text).toBe('type:nothing status:x source:unknown ');
    expect(typed('subtype:track ', true).types).toEqual([]);
  });

  it('shows each part as a token that can be taken away', () => {
    const query = typed('type:track status:retrying source:"my app" user:a ', true);
    const tokens = tokensOf(query, sources);
    expect(tokens.map(({ text }) => text)).toEqual(['type:track', 'status:retrying', 'source:"My app"', 'user:a']);
    expect(
      tokens.reduce((left, { text }) => tokensOf(left, sources).find((t) => t.text === text)?.without ?? left, query),
    ).toEqual(emptyQuery);
  });

  it('asks the contract only what it takes, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), fc.boolean(), (text, all) => {
        const query = typed(text, all);
        expect(messageFilter.safeParse(toFilter(query)).success).toBe(true);
      }),
    );
    expect(toFilter({ ...emptyQuery, text: '  ' })).toEqual({});
    expect(isEmpty({ ...emptyQuery, text: '  ' })).toBe(true);
  });

  it('knows what a row can answer by itself', () => {
    const row = { state: 'retrying', type: 'track', sourceId: 1 } as MessageRow;
    expect(rowMatches({ states: ['retrying'], types: ['track', 'page'], sourceId: 1 }, row)).toBe(true);
    expect(rowMatches({ states: ['failed'] }, row)).toBe(false);
    expect(rowMatches({ sourceId: 2 }, row)).toBe(false);
    expect(needsEngine({ states: ['failed'] })).toBe(false);
    expect(needsEngine({ text: 'a' })).toBe(true);
    expect(needsEngine({ user: 'a' })).toBe(true);
  });
});
