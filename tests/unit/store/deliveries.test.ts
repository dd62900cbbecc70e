import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { MESSAGE_STATES, type MessageState } from '../../../src/core/model/message.ts';
import type { StoredResult } from '../../../src/core/model/stored.ts';
import { type Damage, untold } from '../../../src/core/store/damage.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { DeliveryStore, freshlyDue } from '../../../src/core/store/deliveries.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { newMessage } from '../../helpers/core-fixture.ts';
import { putAttempt, putMessage, putReplay } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let db: Db;
let damage: Damage;
let store: DeliveryStore;
let changes: Changes;
beforeEach(() => {
  db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.pragma('synchronous = OFF');
  damage = untold();
  store = new DeliveryStore(db, damage);
  changes = new Changes();
});

const START = { dueAt: Number.MIN_SAFE_INTEGER, id: 0 };

const row = (id: number): Record<string, unknown> =>
  db.prepare('SELECT * FROM messages WHERE id = ?').get(id) as Record<string, unknown>;
const attempt = (id: number): Record<string, unknown> =>
  db.prepare('SELECT * FROM attempts WHERE id = ?').get(id) as Record<string, unknown>;

/** A message in `state`, with other columns. */
function put(state: MessageState, columns: Record<string, string | number | null> = {}): number {
  const id = putMessage(db, { state });
  for (const [column, value] of Object.entries(columns))
    if (column !== 'window_ends_at') db.prepare(`UPDATE messages SET ${column} = ? WHERE id = ?`).run(value, id);
  if (columns.window_ends_at !== undefined)
    db.prepare('UPDATE messages SET first_attempt_at = 1, window_ends_at = ? WHERE id = ?').run(
      columns.window_ends_at,
      id,
    );
  return id;
}

const waiting = (nextDueAt: number): number => put('queued', { next_due_at: nextDueAt });
const moved = (): object => ({ messages: [...changes.messages], counts: Object.fromEntries(changes.counts) });

describe('what is due', () => {
  const idsOf = (now: number, after = START, limit = 10): number[] => store.due(now, after, limit).map(({ id }) => id);

  test.each([false, true])(
    'comes by due time and id, up to now, behind the place of the last (walked: %s)',
    (walked) => {
      for (const at of [5, 3, 3, 9]) waiting(at);
      put('delivered');
      if (walked) store.distrust();
      expect(idsOf(5)).toEqual([2, 3, 1]);
      expect(idsOf(5, { dueAt: 3, id: 2 })).toEqual([3, 1]);
      expect(idsOf(5, { dueAt: 3, id: 3 })).toEqual([1]);
      expect(idsOf(5, START, 2)).toEqual([2, 3]);
      expect([store.nextDueAfter(2), store.nextDueAfter(3), store.nextDueAfter(5), store.nextDueAfter(9)]).toEqual([
        3,
        5,
        9,
        null,
      ]);
    },
  );

  test.each([false, true])('says where the message stands (walked: %s)', (walked) => {
    put('retrying', { next_due_at: 7, round: 3, received_at: 2, cells: 'fn...', window_ends_at: 99 });
    if (walked) store.distrust();
    expect(store.due(7, START, 1)).toEqual([
      {
        id: 1,
        receivedAt: 2,
        state: 'retrying',
        round: 3,
        nextDueAt: 7,
        firstAttemptAt: 1,
        windowEndsAt: 99,
        cells: 'fn...',
        wire: null,
      },
    ]);
  });

  test('of a table that is walked is what waits in it: one under way is not, and what came later is found from the start', () => {
    put('delivering');
    waiting(1);
    put('paused', { next_due_at: 2 });
    put('retrying', { next_due_at: 3 });
    expect(store.isDistrusted).toBe(false);
    store.distrust();
    expect(store.isDistrusted).toBe(true);
    expect(idsOf(9)).toEqual([2, 3, 4]);
    waiting(4);
    expect(idsOf(9, { dueAt: 2, id: 3 })).toEqual([4]);
    expect(idsOf(9)).toEqual([2, 3, 4, 5]);
    expect(damage.known).toBe(false);
  });

  test('of a table that is walked is no row that holds what delivery never wrote', () => {
    for (let i = 0; i < 5; i++) waiting(1);
    db.pragma('ignore_check_constraints = ON');
    db.exec("UPDATE messages SET cells = '......' WHERE id = 1");
    db.exec('UPDATE messages SET next_due_at = 9007199254740993 WHERE id = 2');
    db.exec('UPDATE messages SET window_ends_at = 9007199254740993 WHERE id = 3');
    db.exec('UPDATE messages SET round = 9007199254740993 WHERE id = 4');
    store.distrust();
    expect(idsOf(Number.MAX_VALUE)).toEqual([5]);
  });

  test('of an empty table is nothing', () => {
    expect([idsOf(9), store.nextDueAfter(0), store.nextRoundAfter(0), store.newestReading()]).toEqual([
      [],
      null,
      null,
      null,
    ]);
    store.distrust();
    expect([idsOf(9), store.nextDueAfter(0)]).toEqual([[], null]);
  });

  test('of a request that was just stored is what is queued and no repeat', () => {
    const messages = [
      newMessage('a'),
      newMessage('b', { state: 'rejected' }),
      newMessage('c'),
      newMessage('d', { state: 'not_selected' }),
    ];
    const stored = [
      { id: 1, duplicate: false },
      { id: 2, duplicate: false },
      { id: 3, duplicate: true },
      { id: 4, duplicate: false },
    ];
    expect(freshlyDue(messages, stored, 5, 9)).toEqual([
      {
        id: 1,
        receivedAt: 5,
        state: 'queued',
        nextDueAt: 9,
        wire: messages[0]!.wire,
        round: 0,
        firstAttemptAt: null,
        windowEndsAt: null,
        cells: '.....',
      },
    ]);
  });
});

test('the next round that is planned is of a message that is retrying', () => {
  waiting(5);
  put('retrying', { next_due_at: 7 });
  put('paused', { next_due_at: 6 });
  expect([store.nextRoundAfter(4), store.nextRoundAfter(6), store.nextRoundAfter(7)]).toEqual([7, 7, null]);
});

describe('the newest reading of the retry clock', () => {
  test('is of the last attempt, or of calls taken since', () => {
    put('delivered');
    putAttempt(db, 1, 1);
    db.exec('UPDATE attempts SET clock_at = 900 WHERE id = 1');
    putAttempt(db, 2, 1);
    db.exec('UPDATE attempts SET clock_at = 500 WHERE id = 2');
    expect(store.newestReading()).toBe(500);
    waiting(700);
    put('retrying', { next_due_at: 9_000 });
    expect(store.newestReading()).toBe(700);
  });
});

describe('the newest outcomes of a message', () => {
  test('are one a webhook, without replays and what is open', () => {
    for (const [id, outcome] of [
      [1, 'failed'],
      [2, 'timed_out'],
      [3, 'accepted'],
      [4, null],
    ] as const)
      putAttempt(db, id, 1, outcome);
    db.exec('UPDATE attempts SET webhook_id = 2 WHERE id = 3; UPDATE attempts SET replay_id = 1 WHERE id = 3');
    putAttempt(db, 5, 2, 'declined');
    expect(store.lastOutcomes(1)).toEqual(new Map([[1, 'timed_out']]));
    expect(store.lastOutcomes(3)).toEqual(new Map());
  });
});

describe('the delivered bytes', () => {
  const wire = Buffer.from('{"a":1}');
  const putBody = (id: number, crc: number) =>
    db.prepare('INSERT INTO message_bodies (id, wire, crc32) VALUES (?, ?, ?)').run(id, wire, crc);

  test('are given as they were stored', () => {
    putBody(1, crc32(wire));
    expect([store.wire(1), store.wireToSend(1), damage.known]).toEqual([wire, wire, false]);
  });

  test('that are not what was stored are none, and the store is damaged', () => {
    putBody(1, crc32(wire) + 1);
    expect([store.wire(1), damage.known]).toEqual([null, true]);
  });

  test('may be none, but not of a message that is to be sent', () => {
    expect([store.wire(1), damage.known]).toEqual([null, false]);
    expect([store.wireToSend(1), damage.known]).toEqual([null, true]);
  });
});

describe('a round', () => {
  const round = { id: 1, from: 'queued', fromRound: 0, cells: 's....', firstAttemptAt: 5, windowEndsAt: 50 } as const;

  test.each([false, true])('begins once, from where the message stood (walked: %s)', (walked) => {
    waiting(3);
    if (walked) store.distrust();
    expect(store.beginRound(round, changes)).toBe(true);
    expect(row(1)).toMatchObject({
      state: 'delivering',
      round: 1,
      cells: 's....',
      first_attempt_at: 5,
      window_ends_at: 50,
      next_due_at: 3,
    });
    expect(moved()).toEqual({ messages: [1], counts: { queued: -1, delivering: 1 } });
    changes = new Changes();
    expect(store.beginRound(round, changes)).toBe(false);
    expect(moved()).toEqual({ messages: [], counts: {} });
  });

  test('does not begin in place of another one', () => {
    put('queued', { round: 2 });
    expect(store.beginRound(round, changes)).toBe(false);
    expect(row(1)).toMatchObject({ state: 'queued', round: 2 });
  });

  test('is settled once, from where the message stood; a reason stays unless there is another', () => {
    put('delivering', { reason: 'kept' });
    const move = { id: 1, from: 'delivering', to: 'failed', cells: 'f....', nextDueAt: null, finishedAt: 8 } as const;
    expect(store.settle(move, changes)).toBe(true);
    expect(row(1)).toMatchObject({
      state: 'failed',
      cells: 'f....',
      next_due_at: null,
      finished_at: 8,
      reason: 'kept',
    });
    expect(moved()).toEqual({ messages: [1], counts: { delivering: -1, failed: 1 } });
    changes = new Changes();
    expect(store.settle(move, changes)).toBe(false);
    expect(moved()).toEqual({ messages: [], counts: {} });
    store.settle({ ...move, from: 'failed', reason: 'body_damaged' }, changes);
    expect(row(1).reason).toBe('body_damaged');
  });

  test('shows its cells', () => {
    put('delivering');
    store.setCells(1, 'sw...', changes);
    expect([row(1).cells, moved()]).toEqual(['sw...', { messages: [1], counts: {} }]);
  });
});

describe('an attempt', () => {
  const opened = {
    messageId: 1,
    replayId: null,
    webhookId: 2,
    slot: 3,
    webhookName: 'hook',
    url: 'http://a/',
    round: 4,
    startedAt: 5,
    clockAt: 6,
  };
  const RESULT = { reason: null, statusText: 'OK' } as unknown as StoredResult;

  test('is opened with everything that is known of it, and ended once', () => {
    expect(store.openAttempt(opened)).toBe(1);
    expect(attempt(1)).toMatchObject({
      message_id: 1,
      replay_id: null,
      webhook_id: 2,
      slot: 3,
      webhook_name: 'hook',
      url: 'http://a/',
      round: 4,
      started_at: 5,
      clock_at: 6,
      outcome: null,
    });
    store.finishAttempt(1, 'accepted', 200, 1.5, RESULT, Buffer.from('ok'));
    store.finishAttempt(1, 'failed', 500, 2.5, RESULT, Buffer.from('no'));
    expect(attempt(1)).toMatchObject({ outcome: 'accepted', status: 200, duration_ms: 1.5 });
    expect(db.prepare('SELECT * FROM attempt_results').all()).toEqual([
      { id: 1, result: JSON.stringify(RESULT), response_body: Buffer.from('ok') },
    ]);
  });

  test('without a body keeps none', () => {
    store.openAttempt(opened);
    store.finishAttempt(1, 'failed', null, 1, RESULT, new Uint8Array());
    expect(db.prepare('SELECT response_body FROM attempt_results').pluck().all()).toEqual([null]);
  });
});

describe('paused messages', () => {
  const CASES: [Record<string, number | null>, object][] = [
    [
      { round: 0, next_due_at: null },
      { state: 'queued', next_due_at: 100 },
    ],
    [
      { round: 1, next_due_at: null },
      { state: 'retrying', next_due_at: 100 },
    ],
    [
      { round: 1, next_due_at: 99, window_ends_at: 500 },
      { state: 'retrying', next_due_at: 100 },
    ],
    [
      { round: 1, next_due_at: 100, window_ends_at: 500 },
      { state: 'retrying', next_due_at: 100 },
    ],
    [
      { round: 1, next_due_at: 300, window_ends_at: 500 },
      { state: 'retrying', next_due_at: 300 },
    ],
    [
      { round: 1, next_due_at: 501, window_ends_at: 500 },
      { state: 'retrying', next_due_at: 100 },
    ],
  ];

  test.each(CASES)('go on: %j becomes %j', (columns, result) => {
    for (let i = 0; i < 2; i++) put('paused', columns);
    store.resumeOne(1, 100, changes);
    expect([row(1), row(2).state]).toEqual([expect.objectContaining(result), 'paused']);
    store.resumePaused(100, changes);
    expect(row(2)).toMatchObject(result);
    const { state } = result as { state: string };
    expect(moved()).toEqual({ messages: [1, 2], counts: { paused: -2, [state]: 2 } });
  });

  test('are found, and no other is resumed', () => {
    for (const state of MESSAGE_STATES) put(state);
    const paused = MESSAGE_STATES.indexOf('paused') + 1;
    expect(store.pausedIds()).toEqual([paused]);
    for (const [i] of MESSAGE_STATES.entries()) if (i + 1 !== paused) store.resumeOne(i + 1, 9, changes);
    store.resumeOne(99, 9, changes);
    expect(moved()).toEqual({ messages: [], counts: {} });
    store.resumePaused(9, changes);
    expect(moved()).toMatchObject({ messages: [paused] });
  });
});

test('where a message stands', () => {
  put('retrying', { round: 3, cells: 'fa...', received_at: 7 });
  expect(store.stateOf(1)).toEqual({ state: 'retrying', round: 3, cells: 'fa...', receivedAt: 7 });
  expect(store.stateOf(2)).toBeUndefined();
});

test.each(MESSAGE_STATES)('%s: is made due only if it waits', (state) => {
  put(state);
  const waits = state === 'queued' || state === 'retrying';
  expect(store.makeDue(1, 77, changes)).toBe(waits);
  expect(row(1).next_due_at === 77).toBe(waits);
  expect([...changes.messages]).toEqual(waits ? [1] : []);
});

test('a replay is counted on its message, and ends', () => {
  put('delivered');
  expect(store.openReplay(1, 5, [2, 3], changes)).toBe(1);
  expect([row(1).replays, [...changes.messages]]).toEqual([1, [1]]);
  changes = new Changes();
  store.finishReplay(1, 1, 9, changes);
  expect(db.prepare('SELECT * FROM replays').get()).toMatchObject({
    message_id: 1,
    created_at: 5,
    webhook_ids: '[2,3]',
    finished_at: 9,
  });
  expect([...changes.messages]).toEqual([1]);
});

test('a probe writes something each time', () => {
  const probed = () => db.prepare("SELECT value FROM settings WHERE key = 'probed'").pluck().get();
  store.probe(5);
  expect(probed()).toBe('5');
  store.probe(6);
  expect(probed()).toBe('6');
});

describe('after a crash', () => {
  beforeEach(() => {
    put('delivering', { cells: 's....', round: 1 });
    put('delivered', { cells: 'as...' });
    put('failed', { cells: 's....' });
    put('delivering', { cells: 'f....', round: 2 });
    putAttempt(db, 1, 1, null);
    putAttempt(db, 2, 2, null);
    putAttempt(db, 3, 3, null);
    putReplay(db, 1, 3);
    db.exec('UPDATE attempts SET replay_id = 1 WHERE id = 3');
    putAttempt(db, 4, 4, 'failed');
  });

  test('what was open was interrupted, what was under way is due, and what is final stays', () => {
    expect(store.recover(70, 90, changes)).toBe(3);
    expect([1, 2, 3, 4].map((id) => attempt(id).outcome)).toEqual([
      'interrupted',
      'interrupted',
      'interrupted',
      'failed',
    ]);
    expect([1, 2, 3, 4].map((id) => [row(id).state, row(id).cells, row(id).next_due_at])).toEqual([
      ['retrying', 'i....', 70],
      ['delivered', 'ai...', null],
      ['failed', 's....', null],
      ['retrying', 'f....', 70],
    ]);
    expect(db.prepare('SELECT finished_at FROM replays').pluck().get()).toBe(90);
    expect(moved()).toEqual({ messages: [1, 2, 3, 4], counts: { delivering: -2, retrying: 2 } });
  });

  test('the same piece by piece', () => {
    expect(store.leftOpen()).toEqual({ attempts: [1, 2, 3], messages: [1, 4] });
    store.interruptOne(1);
    store.interruptOne(4);
    expect([attempt(1).outcome, attempt(2).outcome, attempt(4).outcome]).toEqual(['interrupted', null, 'failed']);
    store.recoverOne(1, 70, 90, changes);
    expect(row(1)).toMatchObject({ state: 'retrying', cells: 'i....', next_due_at: 70, finished_at: null });
    expect(moved()).toEqual({ messages: [1], counts: { delivering: -1, retrying: 1 } });
    store.finishOpenReplays(90);
    expect(db.prepare('SELECT finished_at FROM replays').pluck().get()).toBe(90);
  });

  test('one that was accepted though its move was not written is delivered', () => {
    putAttempt(db, 5, 1, 'accepted');
    store.recoverOne(1, 70, 90, changes);
    expect(row(1)).toMatchObject({ state: 'delivered', next_due_at: null, finished_at: 90 });
    expect(moved()).toEqual({ messages: [1], counts: { delivering: -1, delivered: 1 } });
  });

  test('one that is not there is left alone', () => {
    store.recoverOne(99, 70, 90, changes);
    expect(moved()).toEqual({ messages: [], counts: {} });
  });
});
