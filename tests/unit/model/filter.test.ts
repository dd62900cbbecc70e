/** What each term of a filter asks of a message. The stores are compared with it in tests/store. */
import { describe, expect, test } from 'vitest';
import {
  type FilterFacts,
  matches,
  readsOf,
  rowMatches,
  statusRange,
  type Term,
  termsOf,
  textOf,
} from '../../../src/core/model/filter.ts';
import type { MessageRecord } from '../../../src/core/model/stored.ts';
import { filterOf } from '../../helpers/filters.ts';
import { messageRow } from '../../store/rows.ts';

type Rest = Partial<Omit<FilterFacts, 'message'>>;
const facts = (over: Partial<MessageRecord>, rest: Rest = {}): FilterFacts => ({
  message: messageRow(1, over),
  wire: null,
  attempts: [],
  received: null,
  responses: [],
  ...rest,
});
const passes = (text: string, over: Partial<MessageRecord>, rest?: Rest): boolean =>
  matches(filterOf(text), facts(over, rest));

test('a filter without terms takes every message', () => {
  expect([matches({}, facts({})), matches({ terms: [] }, facts({ userId: null }))]).toEqual([true, true]);
});

test('every term must hold; any value of a term is enough', () => {
  const message = { state: 'failed', type: 'page', sourceId: 2 } as const;
  expect(passes('status:queued,failed type:track,page source:#2', message)).toBe(true);
  expect(passes('status:queued,delivered type:page', message)).toBe(false);
  expect(passes('type:track', message)).toBe(false);
  expect(passes('source:#1', message)).toBe(false);
  expect(passes('source:#1', { sourceId: null })).toBe(false);
  expect(passes('status:failed status:queued', message)).toBe(false);
});

test('a minus takes what the term does not match, also where there is nothing to match', () => {
  expect(passes('-status:failed', { state: 'failed' })).toBe(false);
  expect(passes('-status:failed,queued', { state: 'delivered' })).toBe(true);
  expect(passes('-source:#1', { sourceId: null })).toBe(true);
  expect(passes('-user:a', { userId: null, anonymousId: null })).toBe(true);
  expect(passes('-properties.total>1', {})).toBe(true);
  expect(passes('-order', { name: 'Order Completed' })).toBe(false);
});

describe('marks', () => {
  test.each(['dropped', 'silent'] as const)('%s are calls that were rejected and answered with 200', (mark) => {
    expect(passes(`is:${mark}`, { state: 'rejected', reason: 'user_suppressed' })).toBe(true);
    expect(passes(`is:${mark}`, { state: 'rejected', reason: 'invalid_json' })).toBe(false);
    expect(passes(`is:${mark}`, { state: 'rejected', reason: null })).toBe(false);
    expect(passes(`is:${mark}`, { state: 'not_selected', reason: 'event_off' })).toBe(false);
  });

  test('are noted, repeated and replayed', () => {
    const notes = [{ code: 'duplicate_key' }] as const;
    const all = { notes, repeats: 1, replays: 1 };
    expect(passes('is:noted is:repeated is:replayed', all)).toBe(true);
    expect(passes('is:noted is:repeated', { ...all, notes: [] })).toBe(false);
    expect(passes('is:noted,repeated', { ...all, notes: [] })).toBe(true);
    expect(passes('is:repeated', { ...all, repeats: 0 })).toBe(false);
    expect(passes('is:replayed', { ...all, replays: 0 })).toBe(false);
  });
});

test('the code of any note, and the reason', () => {
  const notes = [{ code: 'duplicate_key' }, { code: 'number_lost' }] as const;
  expect(passes('note:number-lost reason:event-off', { notes, reason: 'event_off' })).toBe(true);
  expect(passes('note:number', { notes })).toBe(false);
  expect(passes('reason:event', { reason: 'event_off' })).toBe(false);
});

describe('attempts', () => {
  const attempts = [
    { slot: 2, replayId: null, status: 503, durationMs: 250 },
    { slot: 3, replayId: 7, status: 299, durationMs: 1_000.5 },
    { slot: 1, replayId: null, status: null, durationMs: 5_000 },
    { slot: 4, replayId: null, status: null, durationMs: null },
  ];

  test.each([
    ['503', true],
    ['5xx', true],
    ['502', false],
    ['504', false],
    ['2xx', true],
    ['299', true],
    ['3xx', false],
  ])('an answer %s was given: %s', (code, isGiven) => {
    expect(passes(`code:${code}`, {}, { attempts })).toBe(isGiven);
  });

  test('a hundred of statuses goes from its first to its last', () => {
    expect([statusRange('4xx'), statusRange('404')]).toEqual([
      [400, 499],
      [404, 404],
    ]);
    const given = (status: number) =>
      passes('code:4xx', {}, { attempts: [{ slot: 1, replayId: null, status, durationMs: 1 }] });
    expect([399, 400, 499, 500].map(given)).toEqual([false, true, true, false]);
  });

  test.each([
    ['250ms', true],
    ['1s', true],
    ['1000ms', true],
    ['1001ms', false],
    ['5s', false],
  ])('an answer took %s or longer: %s', (span, isSlow) => {
    expect(passes(`took:${span}`, {}, { attempts })).toBe(isSlow);
  });

  test('an answer that took just so long is among them', () => {
    expect(passes('took:250ms', {}, { attempts: attempts.slice(0, 1) })).toBe(true);
    expect(passes('took:251ms', {}, { attempts: attempts.slice(0, 1) })).toBe(false);
  });

  test('a slot was tried, replays apart', () => {
    const tried = [1, 2, 3, 4].map((slot) => passes(`hook:${slot}`, {}, { attempts }));
    expect(tried).toEqual([true, true, false, true]);
  });

  test('with a result, the last one in the slot is that, whatever the attempts', () => {
    expect(passes('hook:2=failed', { cells: 'af...' })).toBe(true);
    expect(passes('hook:1=failed', { cells: 'af...' }, { attempts })).toBe(false);
  });
});

describe('texts', () => {
  const message = { name: 'Order', userId: 'usr_Ä', anonymousId: 'anon-1', messageId: 'Msg-9' };

  test.each([
    ['order', true],
    ['USR', true],
    ['anon', true],
    ['MSG-9', true],
    ['"\\"total\\":12"', true],
    ['order usr', true],
    ['"order usr"', false],
    ['ä', false],
    ['Ä', true],
    ['absent', false],
    ['ord*', false],
  ])('%s is in the event, an id or the body, with letters A to Z in either case: %s', (text, isThere) => {
    expect(passes(text, message, { wire: Buffer.from('{"TOTAL":12}') })).toBe(isThere);
  });

  const said = { properties: { said: 'He said "hi" to C:\\temp\nand left', name: 'Zoë <b>' } };
  const inAscii = JSON.stringify(said).replace(/[ë<>]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

  test.each([
    // As a user reads the value.
    [String.raw`"said \"hi\""`, true],
    [String.raw`"C:\\temp"`, true],
    [String.raw`"C:\temp"`, true],
    ['"temp\nand"', true],
    ['ZOë', true],
    ['"Zoë <b>"', true],
    // As it is written.
    [String.raw`"said \\\"hi"`, true],
    [String.raw`"C:\\\\temp"`, true],
    [String.raw`"temp\nand"`, true],
    [String.raw`"\"said\":\"He"`, true],
    ['"said \'hi\'"', false],
    ['Zoé', false],
  ])('%s is found in a body whichever way it is written: %s', (text, isThere) => {
    const bodies: Rest[] = [
      { received: Buffer.from(inAscii) },
      { responses: [Buffer.from('no'), Buffer.from(inAscii)] },
      { wire: Buffer.from(inAscii) },
    ];
    for (const body of bodies) {
      expect(passes(text, message, body)).toBe(isThere);
      expect(passes(`-${text}`, message, body)).toBe(!isThere);
    }
  });

  test('a name and an id are no JSON: a backslash in them is a backslash', () => {
    const named = { name: String.raw`C:\new`, userId: String.raw`\u00e9` };
    expect([String.raw`"C:\new"`, String.raw`"\u00e9"`].map((text) => passes(text, named))).toEqual([true, true]);
    expect(['"C:\new"', 'é'].map((text) => passes(text, named))).toEqual([false, false]);
  });

  test('a message without a body and ids has only the others', () => {
    const bare = { ...message, userId: null, anonymousId: null };
    expect([passes('msg', bare), passes('usr', bare), passes('null', bare)]).toEqual([true, false, false]);
  });

  test('the user is part of either id, and of nothing else', () => {
    expect(['usr', 'ANON', 'an*1', 'order', 'Msg'].map((user) => passes(`user:${user}`, message))).toEqual([
      ...[true, true, true, false, false],
    ]);
    expect(passes('user:u', { userId: null, anonymousId: null })).toBe(false);
  });

  test('the whole user id is one of both ids, letter by letter', () => {
    const whole = ['usr_Ä', 'anon-1', 'usr_', 'USR_Ä', 'anon-*', 'Order', 'other,=anon-1', 'other,anon'];
    expect(whole.filter((user) => passes(`user:=${user}`, message))).toEqual([
      ...['usr_Ä', 'anon-1', 'other,=anon-1', 'other,anon'],
    ]);
    expect(passes(String.raw`user:="a b*\\"`, { userId: 'a b*\\' })).toBe(true);
    expect(passes('-user:=anon-1', message)).toBe(false);
    expect(passes('-user:=anon-1', { userId: null, anonymousId: null })).toBe(true);
  });

  test.each([
    ['order', true],
    ['ord', false],
    ['ord*', true],
    ['*der', true],
    ['o*d*r', true],
    ['*', true],
    ['o*x*r', false],
    ['ord*rder', false],
    ['refund,order', true],
    ['ord\\*', false],
  ])('the event is %s: %s', (pattern, fits) => {
    expect(passes(`event:${pattern}`, message)).toBe(fits);
  });
});

describe('a field of the delivered body', () => {
  const body = {
    properties: {
      total: 129.5,
      coupon: null,
      currency: 'EUR',
      note: '12',
      gift: true,
      products: [{ price: 5 }, { price: 70, tags: ['new', 'red'] }],
      'a.b': { c: 'dotted' },
      empty: '',
      none: [],
    },
    traits: { plan: 'Pro' },
  };
  const wire = Buffer.from(JSON.stringify(body));

  test.each([
    ['properties.total>100', true],
    ['properties.total>129.5', false],
    ['properties.total>=129.5', true],
    ['properties.total<1e3', true],
    ['properties.total<=129', false],
    ['properties.total=129.50', true],
    ['properties.total:129*', true],
    // Numbers are compared with numbers alone, and texts with texts.
    ['properties.note>1', false],
    ['properties.note:12', true],
    ['properties.note:12.0', false],
    ['properties.currency>EU', true],
    ['properties.currency:eur,usd', true],
    ['properties.currency!=eur', false],
    ['properties.currency!=usd', true],
    ['properties.missing!=usd', false],
    ['-properties.missing:usd', true],
    ['properties.missing:*', false],
    ['properties.coupon:*', true],
    ['properties.coupon:null', true],
    ['properties.gift:true', true],
    ['properties.empty:""', true],
    ['properties.none:*', true],
    ['properties.products.price>50', true],
    ['properties.products.price>70', false],
    ['properties.products.tags:red', true],
    ['properties.products:*', true],
    ['properties.products:5', false],
    ['properties.a.b.c:dotted', true],
    ['traits.plan:pro', true],
    ['traits.plan:p*', true],
    ['context.library.name:*', false],
  ])('%s: %s', (text, fits) => {
    expect(passes(text, {}, { wire })).toBe(fits);
  });

  test('a body that is missing, or is no object, has no fields', () => {
    expect(passes('properties.total:*', {})).toBe(false);
    for (const odd of ['null', '[1]', '{', '7']) expect(passes('name:*', {}, { wire: Buffer.from(odd) })).toBe(false);
  });
});

test('times: after is then or later, before is earlier', () => {
  const at = new Date(2026, 0, 31, 14, 32).getTime();
  expect(passes('after:2026-01-31T14:32', { receivedAt: at })).toBe(true);
  expect(passes('after:2026-01-31T14:32', { receivedAt: at - 1 })).toBe(false);
  expect(passes('before:2026-01-31T14:32', { receivedAt: at })).toBe(false);
  expect(passes('before:2026-01-31T14:32', { receivedAt: at - 1 })).toBe(true);
});

describe('a row alone', () => {
  test.each([
    ['status:failed', true],
    ['status:queued', false],
    ['status:failed user:u', true],
    ['status:failed order', null],
    ['status:queued order', false],
    ['code:503', null],
    ['took:1s', null],
    ['hook:1', null],
    ['hook:1=accepted', false],
    ['-properties.total>1', null],
    ['event:Signed*', true],
  ])('of %s says %s', (text, decided) => {
    expect(rowMatches(filterOf(text), messageRow(1, { state: 'failed' }))).toBe(decided);
  });
});

test.each<[Term]>([
  [{ key: 'text', values: ['absent', 'order'] }],
  [{ key: 'user', values: ['absent', 'ada'] }],
  [{ key: 'event', values: ['absent', 'order'] }],
  [{ key: 'hook', values: [{ slot: 4 }, { slot: 1 }] }],
  [{ key: 'code', values: ['404', '503'] }],
  [{ key: 'took', values: [400, 200] }],
  [{ key: 'note', values: ['other', 'duplicate_key'] }],
  [{ key: 'after', values: [2_000, 1_000] }],
  [{ key: 'before', values: [500, 1_500] }],
])('of several values any one is enough: %j', (term) => {
  const row = { name: 'Order', userId: 'ada', receivedAt: 1_000, notes: [{ code: 'duplicate_key' }] } as const;
  const message = facts(row, { attempts: [{ slot: 1, replayId: null, status: 503, durationMs: 300 }] });
  expect(matches({ terms: [term] }, message)).toBe(true);
  const last = { ...term, values: term.values.slice(0, 1) } as Term;
  expect(matches({ terms: [last] }, message)).toBe(false);
});

test('what must be read is known by the term', () => {
  const reads = [
    'order',
    'properties.a:1',
    'code:503',
    'took:1s',
    'hook:1',
    'hook:1,2=failed',
    'hook:2=failed',
    'type:track',
  ];
  expect(reads.map((text) => readsOf(filterOf(text).terms![0]!))).toEqual([
    ...['texts', 'body', 'attempts', 'attempts', 'attempts', 'attempts', 'row', 'row'],
  ]);
  expect(termsOf({})).toEqual([]);
});

test('a byte order mark is part of a text', () => {
  expect(textOf(Buffer.from('\ufeffa'))).toBe('\ufeffa');
});
