import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageFilter } from '../../../../src/contract/commands.ts';
import type { MessageRow, SourceView } from '../../../../src/contract/values.ts';
import {
  emptyQuery,
  isEmpty,
  needsEngine,
  type Query,
  rowMatches,
  toFilter,
  tokensOf,
} from '../../../../src/renderer/stores/live/filter.ts';
import { readText, takeTokens } from '../../../../src/renderer/stores/live/tokens.ts';

const source = (id: number, name: string): SourceView => ({
  id,
  name,
  writeKey: `wk_${id}`,
  kind: 'server',
  enabled: true,
  webhooks: true,
  eventsOff: [],
  createdAt: 0,
});
const sources = [source(1, 'checkout-api'), source(2, 'My app')];
/** Arbitrary text, and text made of what the field understands. */
const typedText = fc.oneof(
  fc.string({ maxLength: 500 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          'type:',
          'track',
          'status:',
          'failed',
          ',',
          ' ',
          '  ',
          'user:',
          'u 1',
          '"',
          'hook:3',
          '=timeout',
          'code:5xx',
        ],
        ...['is:dropped', 'source:"My app"', 'sour', 'hok:1', 'https://a:1', 'reason:', 'no-event', '-', ':'],
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join('')),
);
const sorted = (query: Query): Query => ({
  ...query,
  states: [...query.states].sort(),
  types: [...query.types].sort(),
  is: [...query.is].sort(),
});
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
    expect(toFilter(typed('is:dropped code:5XX hook:3=timeout ', true))).toEqual({
      is: ['dropped'],
      code: '5xx',
      hook: { slot: 3, cell: 't' },
    });
    expect(toFilter(typed('status:failed,not-selected hook:2 ', true))).toEqual({
      states: ['failed', 'not_selected'],
      hook: { slot: 2 },
    });
  });

  it.each([
    ['rejected', 'no_user_anon_id', null, true],
    ['rejected', 'call_too_large', '41.2 KB', false],
    ['rejected', 'batch_too_large', '612 KB', false],
    ['rejected', 'batch_too_large', '2,501 calls', false],
    ['rejected', 'empty_batch', null, true],
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
      fc.property(typedText, fc.boolean(), (text, all) => {
        const query = typed(text, all);
        expect(messageFilter.safeParse(toFilter(query)).success).toBe(true);
        const read = readText({ ...emptyQuery, text }, sources, all);
        expect(messageFilter.safeParse(toFilter(read.query)).success).toBe(true);
        // Taking tokens out of the text changes nothing of what it says.
        const taken = readText(query, sources, all);
        expect({ ...taken, query: sorted(taken.query) }).toEqual({ ...read, query: sorted(read.query) });
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

describe('what is typed', () => {
  const read = (text: string, done = false) => {
    const { query, problem } = readText({ ...emptyQuery, text }, sources, done);
    return problem ?? toFilter(query);
  };

  it('acts before a blank or Enter ends it', () => {
    expect(read('user:x')).toEqual({ user: 'x' });
    expect(read('order status:failed')).toEqual({ text: 'order', states: ['failed'] });
    expect(read('hook:3')).toEqual({ hook: { slot: 3 } });
  });

  it('waits for the rest of a token that is only begun, until something ends it', () => {
    for (const text of ['status:', 'status:ret', 'type:failed,', 'source:check', 'hook:3=tim', 'code:5', 'user:'])
      if (text !== 'type:failed,') expect(read(text)).toEqual({});
    expect(read('status:failed,exp')).toEqual({});
    expect(read('status: order')).toBe('status: needs a state, such as retrying.');
    expect(read('user:', true)).toBe('user: needs a user id.');
  });

  it('names what is no filter, or no value of one, instead of searching for it as text', () => {
    expect(read('hok:3')).toBe('There is no filter hok:. Did you mean hook:?');
    expect(read('staus:failed')).toBe('There is no filter staus:. Did you mean status:?');
    expect(read('order properties.total:5')).toBe(
      'There is no filter properties.total:. Put it in quotes to search for it as text.',
    );
    expect(read('-type:track')).toMatch(/^There is no filter -type:/);
    expect(read('status:late')).toMatch(/^There is no status:late\. It is one of .*not-selected/);
    expect(read('type:trak')).toMatch(/^There is no type:trak\. It is a call: identify, /);
    expect(read('source:nobody')).toBe('There is no source nobody.');
    expect(read('code:700')).toMatch(/^code: needs a status/);
    expect(read('hook:6')).toMatch(/^hook: needs a webhook/);
    expect(read('hook:3=late')).toMatch(/^There is no result late/);
  });

  it('takes addresses, times and what stands in quotes as text', () => {
    expect(read('https://acme.test/a:b')).toEqual({ text: 'https://acme.test/a:b' });
    expect(read('12:30')).toEqual({ text: '12:30' });
    expect(read('"code: 5"  "x y"')).toEqual({ text: 'code: 5 x y' });
  });
});
