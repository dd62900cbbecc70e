/** What each part of a filter asks of a message. The stores are compared with it in tests/store. */
import { describe, expect, test } from 'vitest';
import { type FilterFacts, type ListFilter, matches, statusRange } from '../../../src/core/model/filter.ts';
import type { MessageRecord } from '../../../src/core/model/stored.ts';
import { messageRow } from '../../store/rows.ts';

const facts = (over: Partial<MessageRecord>, rest: Partial<Omit<FilterFacts, 'message'>> = {}): FilterFacts => ({
  message: messageRow(1, over),
  wire: null,
  attempts: [],
  ...rest,
});
const passes = (filter: ListFilter, over: Partial<MessageRecord>, rest?: Parameters<typeof facts>[1]): boolean =>
  matches(filter, facts(over, rest));

test('an empty filter, empty lists and empty texts take every message', () => {
  const empty: ListFilter = { text: '', states: [], types: [], user: '', is: [], note: '', reason: '' };
  expect([passes({}, {}), passes(empty, { userId: null, anonymousId: null })]).toEqual([true, true]);
});

test('one of the states, one of the types, and the source', () => {
  const message = { state: 'failed', type: 'page', sourceId: 2 } as const;
  expect(passes({ states: ['queued', 'failed'], types: ['track', 'page'], sourceId: 2 }, message)).toBe(true);
  expect(passes({ states: ['queued', 'delivered'] }, message)).toBe(false);
  expect(passes({ types: ['track'] }, message)).toBe(false);
  expect(passes({ sourceId: 1 }, message)).toBe(false);
  expect(passes({ sourceId: 1 }, { sourceId: null })).toBe(false);
});

describe('marks', () => {
  test.each(['dropped', 'silent'] as const)('%s are calls that were rejected and answered with 200', (mark) => {
    expect(passes({ is: [mark] }, { state: 'rejected', reason: 'user_suppressed' })).toBe(true);
    expect(passes({ is: [mark] }, { state: 'rejected', reason: 'invalid_json' })).toBe(false);
    expect(passes({ is: [mark] }, { state: 'rejected', reason: null })).toBe(false);
    expect(passes({ is: [mark] }, { state: 'not_selected', reason: 'event_off' })).toBe(false);
  });

  test('are noted, repeated and replayed; every one must be there', () => {
    const notes = [{ code: 'duplicate_key' }] as const;
    const all = { notes, repeats: 1, replays: 1 };
    expect(passes({ is: ['noted', 'repeated', 'replayed'] }, all)).toBe(true);
    expect(passes({ is: ['noted', 'repeated'] }, { ...all, notes: [] })).toBe(false);
    expect(passes({ is: ['repeated'] }, { ...all, repeats: 0 })).toBe(false);
    expect(passes({ is: ['replayed'] }, { ...all, replays: 0 })).toBe(false);
  });
});

test('the code of any note, and the reason', () => {
  const notes = [{ code: 'duplicate_key' }, { code: 'number_lost' }] as const;
  expect(passes({ note: 'number_lost', reason: 'event_off' }, { notes, reason: 'event_off' })).toBe(true);
  expect(passes({ note: 'number' }, { notes })).toBe(false);
  expect(passes({ reason: 'event' }, { reason: 'event_off' })).toBe(false);
});

describe('attempts', () => {
  const attempts = [
    { slot: 2, replayId: null, status: 503 },
    { slot: 3, replayId: 7, status: 299 },
    { slot: 1, replayId: null, status: null },
  ];

  test.each([
    ['503', true],
    ['5xx', true],
    ['502', false],
    ['504', false],
    ['2xx', true],
    ['299', true],
    ['3xx', false],
    ['0xx', false],
  ])('an answer %s was given: %s', (code, isGiven) => {
    expect(passes({ code }, {}, { attempts })).toBe(isGiven);
  });

  test('a hundred of statuses goes from its first to its last', () => {
    expect([statusRange('4xx'), statusRange('404')]).toEqual([
      [400, 499],
      [404, 404],
    ]);
    const given = (status: number) => passes({ code: '4xx' }, {}, { attempts: [{ slot: 1, replayId: null, status }] });
    expect([399, 400, 499, 500].map(given)).toEqual([false, true, true, false]);
  });

  test('a slot was tried, replays apart', () => {
    const tried = [1, 2, 3, 4].map((slot) => passes({ hook: { slot } }, {}, { attempts }));
    expect(tried).toEqual([true, true, false, false]);
  });

  test('with a cell, the last result in the slot is that, whatever the attempts', () => {
    expect(passes({ hook: { slot: 2, cell: 'f' } }, { cells: 'af...' })).toBe(true);
    expect(passes({ hook: { slot: 1, cell: 'f' } }, { cells: 'af...' }, { attempts })).toBe(false);
  });
});

describe('texts', () => {
  const message = { name: 'Order', userId: 'usr_Ä', anonymousId: 'anon-1', messageId: 'Msg-9' };

  test.each([
    ['order', true],
    ['USR', true],
    ['anon', true],
    ['MSG-9', true],
    ['"total":12', true],
    ['ä', false],
    ['Ä', true],
    ['absent', false],
  ])('%s is part of the event, an id or the body, with letters A to Z in either case: %s', (text, isThere) => {
    expect(passes({ text }, message, { wire: Buffer.from('{"TOTAL":12}') })).toBe(isThere);
  });

  test('a message without a body and ids has only the others', () => {
    const bare = { ...message, userId: null, anonymousId: null };
    expect([passes({ text: 'msg' }, bare), passes({ text: 'usr' }, bare), passes({ text: 'null' }, bare)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('the user is part of either id, and of nothing else', () => {
    expect(['usr', 'ANON', 'order', 'Msg'].map((user) => passes({ user }, message))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(passes({ user: 'u' }, { userId: null, anonymousId: null })).toBe(false);
  });
});
