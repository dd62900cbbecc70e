/** The texts of the deletions screen (design/ui, section 17). */
import { describe, expect, it } from 'vitest';
import type { DeletionDetail, DeletionPreview, DeletionRow } from '../../../src/contract/deletions.ts';
import {
  confirmation,
  nothingSentText,
  sendVerb,
  sumText,
} from '../../../src/renderer/screens/deletions/send-words.ts';
import {
  createdText,
  requestWord,
  searchText,
  sentText,
  stateParts,
  suppressedByText,
} from '../../../src/renderer/screens/deletions/words.ts';

const row = (over: Partial<DeletionRow> = {}): DeletionRow => ({
  id: 1,
  createdAt: 0,
  firstUserId: 'u',
  users: 1,
  state: 'done',
  phase: 'finished',
  notices: { total: 0, delivered: 0, failed: 0, waiting: 0 },
  states: {},
  nextDueAt: null,
  erase: false,
  suppress: false,
  forget: false,
  forgotten: false,
  erasedMessages: 0,
  ...over,
});
const waiting = (n: number) => ({ total: n, delivered: 0, failed: 0, waiting: n });

describe('the state of a request', () => {
  const cases: Array<[string, Partial<DeletionRow>]> = [
    ['Pending', { state: 'pending', phase: 'notices', states: { queued: 1 } }],
    ['Pending, paused', { state: 'pending', states: { paused: 1 } }],
    ['Running', { state: 'running', phase: 'finished', states: { delivering: 1 }, notices: waiting(1) }],
    ['Erasing', { state: 'running', phase: 'erasing' }],
    ['Erasing', { state: 'pending', phase: 'erasing', states: { queued: 1 } }],
    ['Searching', { state: 'pending', phase: 'searching', states: { paused: 1 } }],
    ['Searching', { state: 'running', phase: 'searching' }],
    ['Retrying', { state: 'running', states: { retrying: 2 }, notices: waiting(2), nextDueAt: 5 }],
    ['Running', { state: 'running', states: { retrying: 1, delivering: 1 }, notices: waiting(2), nextDueAt: 5 }],
    ['Done', {}],
    ['Partly failed', { state: 'partly_failed', states: { delivered: 1, expired: 1 } }],
    ['Failed', { state: 'failed', states: { failed: 2 } }],
    ['Failed, expired', { state: 'failed', states: { expired: 2 } }],
    ['Failed', { state: 'failed', states: { expired: 1, failed: 1 } }],
  ];
  it.each(cases)('is %s', (word, over) => expect(requestWord(row(over)).word).toBe(word));

  it('counts down only while every notice that waits is retrying', () => {
    const retrying = { state: 'running' as const, nextDueAt: 5, states: { retrying: 1 } };
    expect(requestWord(row({ ...retrying, notices: waiting(1) })).nextDueAt).toBe(5);
    expect(requestWord(row({ ...retrying, notices: waiting(2) })).nextDueAt).toBeNull();
  });

  it('of its notices is named in parts that add up, those not stored yet last', () => {
    const texts = stateParts({
      states: { delivered: 4, expired: 1, retrying: 2 },
      notices: { total: 10, delivered: 4, failed: 1, waiting: 5 },
    });
    expect(texts).toEqual([
      { text: '4 delivered', isBad: false },
      { text: '1 expired', isBad: true },
      { text: '2 retrying', isBad: false },
      { text: '3 not sent yet', isBad: false },
    ]);
  });

  it('is short where the numbers are long', () => {
    const sent = (total: number) => sentText({ notices: { total, delivered: total, failed: 0, waiting: 0 } });
    expect([0, 5, 10, 10_000].map(sent)).toEqual(['none to send', '5 of 5 sent', '10 of 10', '10,000 of 10,000']);
  });
});

it('a time is that of the clock today, else the day', () => {
  const at = new Date(2026, 10, 20, 14, 34, 12).getTime();
  expect(createdText(at, at + 1_000)).toBe('14:34:12');
  expect(createdText(at, at + 86_400_000)).toBe('20 Nov');
});

it('the suppressed users add up by request', () => {
  const at = new Date(2026, 10, 20, 10, 15, 0).getTime();
  const byRequest = [
    { requestId: 7, createdAt: at, users: 5 },
    { requestId: 1, createdAt: at, users: 1 },
    { requestId: null, createdAt: null, users: 2 },
    { requestId: 3, createdAt: at, users: 3 },
    { requestId: 2, createdAt: at, users: 4 },
  ];
  expect(suppressedByText({ users: 15, hits: 0, byRequest }, 7, at)).toBe(
    '5 by this request, 1 by that of 10:15:00, 2 without a request, 7 by others.',
  );
});

describe('the search afterwards', () => {
  const detail = (over: Partial<DeletionRow>) => row(over) as DeletionDetail;
  const search = { finishedAt: 1, bytes: 1_717_986_918, found: 0, messages: [], files: 'cleared' as const };
  const notices = { total: 5, delivered: 5, failed: 0, waiting: 0 };
  it.each([
    [{ suppress: true, notices }, 'the ids are only in this request, its 5 notices and the suppression list.'],
    [{ notices }, 'the ids are only in this request and its 5 notices.'],
    [{}, 'the ids are only in this request.'],
    [{ forget: true, notices }, 'no row mentions one of the ids.'],
  ])('of %j says where the ids still are', (over, text) =>
    expect(searchText(search, detail(over))).toBe(`Looked through 1.6 GB afterwards: ${text}`),
  );
  it('says what else mentions one', () => {
    expect(searchText({ ...search, found: 3 }, detail({}))).toContain('3 other rows mention one of the ids');
    expect(searchText({ ...search, found: 1 }, detail({}))).toContain('1 other row mentions one of the ids');
  });
  it('says nothing before it has begun', () => {
    expect(searchText({ ...search, finishedAt: null }, detail({ phase: 'erasing' }))).toBeNull();
    expect(searchText({ ...search, finishedAt: null }, detail({ phase: 'searching' }))).toBe(
      'Looking through the store.',
    );
  });
});

describe('what a request would do', () => {
  const source = (name: string, destinationOn: boolean, calls: number, notices: number) => ({
    sourceId: 1,
    name,
    kind: 'web' as const,
    destinationOn,
    calls,
    notices,
  });
  const preview = (over: Partial<DeletionPreview> = {}): DeletionPreview => ({
    lines: 6,
    ids: 5,
    known: 3,
    near: 1,
    unknown: 1,
    duplicates: 1,
    sources: [source('web', true, 78, 3), source('api', true, 59, 2), source('ios-app', false, 5, 0)],
    users: [],
    calls: 142,
    callsWithDestination: 137,
    notices: 5,
    usersErased: 3,
    erase: { messages: 142, attempts: 611, replays: 2, heldCalls: 0, receiverEntries: 388, memberships: 0 },
    ...over,
  });
  const none = preview({
    calls: 0,
    callsWithDestination: 0,
    notices: 0,
    usersErased: 0,
    sources: [],
    erase: { messages: 0, attempts: 0, replays: 0, heldCalls: 0, receiverEntries: 0, memberships: 0 },
  });

  it('stands on the button', () => {
    const verb = (erase: boolean, suppress: boolean, of = preview()) => sendVerb(of, { erase, suppress });
    expect(verb(false, false)).toBe('Send 5 notices');
    expect(verb(true, true)).toBe('Send 5 notices, erase 142');
    expect(verb(true, false, preview({ notices: 0 }))).toBe('Erase 142 messages');
    expect(verb(true, true, none)).toBe('Suppress 5 users');
    expect(verb(true, false, none)).toBeNull();
  });

  it('names what an erase takes without a message', () => {
    const options = { erase: true, suppress: false, forget: false };
    const only = (over: Partial<DeletionPreview['erase']>, notices = 0) =>
      confirmation({ ...none, notices, erase: { ...none.erase, ...over } }, options);
    expect(only({ memberships: 1 })).toMatchObject({ verb: 'Erase 1 membership', title: 'Erase 1 membership?' });
    expect(only({ receiverEntries: 2 }, 5)).toMatchObject({
      verb: 'Send 5 notices, erase 2 receiver log entries',
      title: 'Erase 2 receiver log entries?',
    });
    expect(only({ receiverEntries: 1, memberships: 3 }).verb).toBe('Erase 1 receiver log entry and 3 memberships');
  });

  it('is asked with the count', () => {
    const options = { erase: true, suppress: true, forget: false };
    expect(confirmation(preview(), options)).toEqual({
      title: 'Erase 142 messages of 3 users?',
      text: [
        'It cannot be undone. 5 notices are sent first.',
        'Calls with one of the 5 ids are rejected from then on.',
      ],
      verb: 'Send 5 notices, erase 142',
    });
    expect(confirmation(preview({ notices: 0 }), { ...options, suppress: false }).text).toEqual([
      'It cannot be undone. No notice is sent.',
    ]);
    expect(confirmation(preview({ notices: 1 }), { erase: false, suppress: false, forget: true })).toEqual({
      title: 'Send 1 notice?',
      text: [
        'One for each known user and source with the destination on. Stored messages are kept.',
        'The ids are forgotten once every notice has ended. Then nothing proves the deletion.',
      ],
      verb: 'Send 1 notice',
    });
  });

  it('adds up, and says which sources get no notice', () => {
    expect(sumText(preview(), true)).toBe(
      '142 calls: 137 where the destination is on, 5 in ios-app, which gets no notice. All 142 are erased.',
    );
    expect(sumText(preview({ erase: { ...preview().erase, messages: 150 } }), true)).toContain(
      '150 messages are erased, rejected calls and those of audiences included.',
    );
    const off = ['a', 'b', 'c', 'd'].map((name) => source(name, false, 2, 0));
    expect(sumText(preview({ sources: off, calls: 8, callsWithDestination: 0 }), false)).toBe(
      '8 calls: 0 where the destination is on, 8 in 4 sources, which get no notice.',
    );
    expect(sumText(none, true)).toBe('No source has a call of these users.');
  });

  it('says why nothing is sent', () => {
    expect(nothingSentText(preview())).toBeNull();
    expect(nothingSentText(none)).toBe('None of these 5 ids is known to a source, so nothing is sent.');
    expect(nothingSentText({ ...none, ids: 1 })).toBe('No source knows this user, so nothing is sent.');
    expect(nothingSentText(preview({ notices: 0 }))).toBe('No webhook is set up, so nothing is sent.');
    expect(nothingSentText(preview({ notices: 0, callsWithDestination: 0 }))).toBe(
      'The sources that know them have the destination off, so nothing is sent.',
    );
  });
});
