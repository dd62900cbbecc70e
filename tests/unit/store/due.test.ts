import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { freshlyDue } from '../../../src/core/delivery/freshly-due.ts';
import type { DuePlace, DueStore } from '../../../src/core/store/ports/due.ts';
import { newMessage } from '../../helpers/core-fixture.ts';
import { DeliveryRows } from '../../helpers/delivery-rows.ts';
import { putAttempt } from '../../helpers/store-rows.ts';

let rows: DeliveryRows;
let store: DueStore;
beforeEach(() => {
  rows = new DeliveryRows();
  store = rows.stores.due;
});

const START: DuePlace = { dueAt: Number.MIN_SAFE_INTEGER, id: 0 };
const claim = (until: number, after = START, limit = 10) => store.claim({ until, after, limit });
const idsOf = async (until: number, after = START, limit = 10): Promise<number[]> =>
  (await claim(until, after, limit)).messages.map(({ id }) => id);
const walk = (): void => rows.stores.recovery.distrustDueTimes();

const wire = Buffer.from('{"a":1}');
const putBody = (id: number, crc = crc32(wire)): void => {
  rows.db.prepare('INSERT INTO message_bodies (id, wire, crc32) VALUES (?, ?, ?)').run(id, wire, crc);
};

describe('what is due', () => {
  test.each([false, true])(
    'comes by due time and id, up to now, behind the place of the last (walked: %s)',
    async (walked) => {
      for (const at of [5, 3, 3, 9]) rows.waiting(at);
      rows.put('delivered');
      if (walked) walk();
      expect(await idsOf(5)).toEqual([2, 3, 1]);
      expect(await idsOf(5, { dueAt: 3, id: 2 })).toEqual([3, 1]);
      expect(await idsOf(5, { dueAt: 3, id: 3 })).toEqual([1]);
      expect(await idsOf(5, START, 2)).toEqual([2, 3]);
      const next = [2, 3, 5, 9].map(async (until) => (await claim(until)).nextDueAt);
      expect(await Promise.all(next)).toEqual([3, 5, 9, null]);
      expect((await claim(5, START, 3)).nextDueAt).toBeNull();
    },
  );

  test.each([false, true])('says where the message stands (walked: %s)', async (walked) => {
    rows.put('retrying', { next_due_at: 7, round: 3, received_at: 2, cells: 'fn...', window_ends_at: 99 });
    putAttempt(rows.db, 1, 1, 'failed');
    putBody(1);
    if (walked) walk();
    const message = {
      id: 1,
      receivedAt: 2,
      state: 'retrying',
      round: 3,
      nextDueAt: 7,
      firstAttemptAt: 1,
      windowEndsAt: 99,
      cells: 'fn...',
      outcomes: new Map([[1, 'failed']]),
    };
    expect((await claim(7)).messages).toEqual([{ ...message, wire }]);
    expect(await store.waiting(START, 9)).toEqual([{ ...message, wire: null }]);
  });

  test.each([false, true])('is nothing that has a round under way (walked: %s)', async (walked) => {
    rows.put('delivering', { next_due_at: 1 });
    rows.waiting(1);
    rows.put('waiting', { next_due_at: 1 });
    rows.put('paused', { next_due_at: 2 });
    rows.put('retrying', { next_due_at: 3 });
    if (walked) walk();
    expect(await idsOf(9)).toEqual([2, 4, 5]);
    expect(rows.damage.known).toBe(false);
  });

  test('in a table that is walked is found anew from the start', async () => {
    for (const at of [1, 2, 3]) rows.waiting(at);
    walk();
    expect(await idsOf(9)).toEqual([1, 2, 3]);
    rows.waiting(4);
    expect(await idsOf(9, { dueAt: 2, id: 2 })).toEqual([3]);
    expect(await idsOf(9)).toEqual([1, 2, 3, 4]);
  });

  test('in a table that is walked is found behind a place too, by a claim that is the first', async () => {
    for (const at of [1, 2, 3]) rows.waiting(at);
    walk();
    expect(await idsOf(9, { dueAt: 1, id: 1 })).toEqual([2, 3]);
  });

  test('and was never tried has no outcomes yet, which are known', async () => {
    rows.waiting(1);
    rows.put('retrying', { next_due_at: 2, round: 1 });
    rows.put('retrying', { next_due_at: 3, round: 1 });
    putAttempt(rows.db, 1, 2, 'failed');
    const expected = [new Map(), new Map([[1, 'failed']]), new Map()];
    expect((await claim(9)).messages.map(({ outcomes }) => outcomes)).toEqual(expected);
  });

  test('of a table that is walked is no row that holds what delivery never wrote', async () => {
    for (let i = 0; i < 5; i++) rows.waiting(1);
    rows.db.pragma('ignore_check_constraints = ON');
    rows.db.exec("UPDATE messages SET cells = '......' WHERE id = 1");
    rows.db.exec('UPDATE messages SET next_due_at = 9007199254740993 WHERE id = 2');
    rows.db.exec('UPDATE messages SET window_ends_at = 9007199254740993 WHERE id = 3');
    rows.db.exec('UPDATE messages SET round = 9007199254740993 WHERE id = 4');
    walk();
    expect(await idsOf(Number.MAX_VALUE)).toEqual([5]);
  });

  test('of an empty table is nothing', async () => {
    expect(await claim(9)).toEqual({ messages: [], nextDueAt: null });
    expect([store.nextRoundAfter(0), store.newestReading()]).toEqual([null, null]);
    walk();
    expect(await claim(9)).toEqual({ messages: [], nextDueAt: null });
  });

  test('of a request that was just stored is what is queued and no repeat', () => {
    const messages = [
      newMessage('a'),
      newMessage('b', { state: 'rejected' }),
      newMessage('c'),
      newMessage('d', { state: 'not_selected' }),
    ];
    const stored = [1, 2, 3, 4].map((id) => ({ id, duplicate: id === 3 }));
    expect(freshlyDue(messages, stored, 5, 9)).toEqual([
      {
        id: 1,
        receivedAt: 5,
        state: 'queued',
        nextDueAt: 9,
        wire: messages[0]!.wire,
        outcomes: new Map(),
        round: 0,
        firstAttemptAt: null,
        windowEndsAt: null,
        cells: '.....',
      },
    ]);
  });
});

test('the next round that is planned is of a message that is retrying', () => {
  rows.waiting(5);
  rows.put('retrying', { next_due_at: 7 });
  rows.put('paused', { next_due_at: 6 });
  expect([store.nextRoundAfter(4), store.nextRoundAfter(6), store.nextRoundAfter(7)]).toEqual([7, 7, null]);
});

test('the newest reading of the retry clock is of the last attempt, or of calls taken since', () => {
  rows.put('delivered');
  putAttempt(rows.db, 1, 1);
  rows.db.exec('UPDATE attempts SET clock_at = 900 WHERE id = 1');
  putAttempt(rows.db, 2, 1);
  rows.db.exec('UPDATE attempts SET clock_at = 500 WHERE id = 2');
  expect(store.newestReading()).toBe(500);
  rows.waiting(700);
  rows.put('retrying', { next_due_at: 9_000 });
  expect(store.newestReading()).toBe(700);
});

test('the newest outcomes of a message are one a webhook, without replays and what is open', async () => {
  const { db } = rows;
  for (let i = 0; i < 3; i++) rows.put('retrying', { next_due_at: i, round: 1 });
  for (const [id, outcome] of [
    [1, 'failed'],
    [2, 'timed_out'],
    [3, 'accepted'],
    [4, null],
  ] as const)
    putAttempt(db, id, 1, outcome);
  db.exec('UPDATE attempts SET webhook_id = 2 WHERE id = 3; UPDATE attempts SET replay_id = 1 WHERE id = 3');
  putAttempt(db, 5, 2, 'declined');
  putAttempt(db, 6, rows.put('delivered'), 'accepted');
  const expected = [new Map([[1, 'timed_out']]), new Map([[1, 'declined']]), new Map()];
  expect([1, 2, 3].map((id) => store.lastOutcomes(id))).toEqual(expected);
  expect((await claim(9)).messages.map(({ outcomes }) => outcomes)).toEqual(expected);
});

describe('the delivered bytes', () => {
  test('are given as they were stored', () => {
    putBody(1);
    expect([store.wire(1), store.wireToSend(1), rows.damage.known]).toEqual([wire, wire, false]);
  });

  test('that are not what was stored are none, and the store is damaged', () => {
    putBody(1, crc32(wire) + 1);
    expect([store.wire(1), rows.damage.known]).toEqual([null, true]);
  });

  test('may be none, but not of a message that is to be sent', () => {
    expect([store.wire(1), rows.damage.known]).toEqual([null, false]);
    expect([store.wireToSend(1), rows.damage.known]).toEqual([null, true]);
  });

  test('of what is due come with it; a damaged one stops none of the others and is found when it is asked for', async () => {
    for (let id = 1; id <= 3; id++) {
      rows.waiting(id);
      putBody(id, crc32(wire) + (id === 2 ? 1 : 0));
    }
    expect((await claim(9)).messages.map((message) => message.wire)).toEqual([wire, null, wire]);
    expect(rows.damage.known).toBe(false);
    expect([store.wireToSend(2), rows.damage.known]).toEqual([null, true]);
  });

  test('beyond 8 MiB are left to be asked for alone', async () => {
    for (let id = 1; id <= 4; id++) {
      rows.waiting(id);
      putBody(id);
    }
    rows.db.exec(`UPDATE messages SET size = ${4 * 1024 * 1024}`);
    expect((await claim(9)).messages.map((message) => message.wire)).toEqual([wire, wire, null, null]);
  });
});
