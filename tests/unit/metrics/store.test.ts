import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { newMinute } from '../../../src/core/metrics/minute.ts';
import { loadMinutes, saveMinutes } from '../../../src/core/metrics/rows.ts';
import { untold } from '../../../src/core/store/damage.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { SqliteMetrics } from '../../../src/core/store/metrics.ts';
import { RARE_STATE } from '../../../src/core/store/migrations.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import type { AttemptsRow, MinuteRow } from '../../../src/core/store/ports/metrics.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const changes = new Changes();
let db: Db;
beforeEach(() => {
  db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.pragma('synchronous = OFF');
});

const insert = (id: number, state: string, windowEndsAt: number | null, nextDueAt: number | null = 5) =>
  db
    .prepare(
      `INSERT INTO messages (id, message_id, request_id, position, origin, type, name, state, received_at, size, round,
         next_due_at, first_attempt_at, window_ends_at) VALUES (?, ?, 1, 0, 'sdk', 'track', 'n', ?, 1000, 2, 1, ?, ?, ?)`,
    )
    .run(id, `m${id}`, state, nextDueAt, windowEndsAt === null ? null : 1, windowEndsAt);

describe('minutes', () => {
  it('take the place of what was written for them before', () => {
    const store = new SqliteMetrics(db);
    const minute = newMinute(7);
    for (const received of [3, 5]) {
      minute.messages.received = received;
      saveMinutes(store, [minute], changes);
    }
    expect(loadMinutes(store, 0).map(({ messages }) => messages.received)).toEqual([5]);
    expect(loadMinutes(store, 8)).toEqual([]);
  });
  it('are refused with a negative count', () => {
    const minute = newMinute(7);
    minute.messages.retried = -1;
    expect(() => saveMinutes(new SqliteMetrics(db), [minute], changes)).toThrow(/CHECK/);
  });
});

/** With 0 in place of every number. */
const zeros = <T extends object>(row: T): T =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? 0 : value])) as T;

describe('rows', () => {
  const minuteRow = (minute: number, over: Partial<MinuteRow> = {}): MinuteRow => ({
    minute,
    received: 1,
    notSelected: 2,
    rejected: 3,
    firstRound: 4,
    retried: 5,
    delivered: 6,
    failed: 7,
    expired: 8,
    stopped: 9,
    repeats: 10,
    rejectedBy: { a: 1 },
    notSelectedBy: { b: 2 },
    deliveryMs: [1, 2],
    ...over,
  });
  const attemptsRow = (minute: number, webhook: number, over: Partial<AttemptsRow> = {}): AttemptsRow => ({
    minute,
    webhook,
    outcomes: {
      accepted: 1,
      failed: 2,
      timed_out: 3,
      no_connection: 4,
      refused_certificate: 5,
      declined: 6,
      throttled: 7,
      interrupted: 8,
    },
    missed: 9,
    answered: [1],
    unanswered: [2],
    responseMs: [3, 4],
    ...over,
  });
  const hook = { id: 1, webhookId: 7, slot: 2, name: 'w', url: 'http://w/' };

  it('come back as they were saved, ascending, from the first minute on', () => {
    const store = new SqliteMetrics(db);
    for (const minute of [9, 7, 8]) store.saveMinute(minuteRow(minute), changes);
    for (const [minute, webhook] of [
      [9, 1],
      [8, 2],
      [8, 1],
      [7, 1],
    ] as const)
      store.saveAttempts(attemptsRow(minute, webhook), changes);
    expect(store.minutes(8)).toEqual([minuteRow(8), minuteRow(9)]);
    expect(store.attempts(8)).toEqual([attemptsRow(8, 1), attemptsRow(8, 2), attemptsRow(9, 1)]);
  });

  it('take the place of what was there, whole', () => {
    const store = new SqliteMetrics(db);
    const minute: MinuteRow = { ...zeros(minuteRow(7)), minute: 7, rejectedBy: {}, notSelectedBy: {}, deliveryMs: [] };
    const none = { answered: [], unanswered: [], responseMs: [] };
    const full = attemptsRow(7, 1);
    const attempts: AttemptsRow = { ...full, ...none, missed: 0, outcomes: zeros(full.outcomes) };
    store.saveMinute(minuteRow(7), changes);
    store.saveMinute(minute, changes);
    store.saveAttempts(attemptsRow(7, 1), changes);
    store.saveAttempts(attempts, changes);
    expect([store.minutes(0), store.attempts(0)]).toEqual([[minute], [attempts]]);
  });

  it('outside the given minutes are dropped, those at the ends kept', () => {
    const store = new SqliteMetrics(db);
    for (let minute = 1; minute <= 5; minute++) {
      store.saveMinute(minuteRow(minute), changes);
      store.saveAttempts(attemptsRow(minute, 1), changes);
    }
    store.keepOnly(2, 4, changes);
    expect(store.minutes(0).map(({ minute }) => minute)).toEqual([2, 3, 4]);
    expect(store.attempts(0).map(({ minute }) => minute)).toEqual([2, 3, 4]);
  });

  it('of webhooks are saved, dropped and listed by their id', () => {
    const store = new SqliteMetrics(db);
    expect(store.webhooks()).toEqual([]);
    store.saveWebhooks([{ ...hook, id: 3, slot: 3 }, hook], [], changes);
    store.saveWebhooks([{ ...hook, id: 3, name: 'x' }], [3, 99], changes);
    expect(store.webhooks()).toEqual([hook, { ...hook, id: 3, name: 'x' }]);
  });

  it('with JSON that was overwritten are read as empty there', () => {
    const damage = untold();
    const told = new Set<string>();
    damage.found = (what) => void told.add(what);
    const store = new SqliteMetrics(db, damage);
    store.saveMinute(minuteRow(7), changes);
    store.saveAttempts(attemptsRow(7, 1), changes);
    db.exec("UPDATE metric_minutes SET rejected_by = '{', not_selected_by = '{', delivery_ms = '['");
    db.exec("UPDATE metric_attempts SET answered = '[', unanswered = '[', response_ms = '['");
    expect(store.minutes(0)).toEqual([minuteRow(7, { rejectedBy: {}, notSelectedBy: {}, deliveryMs: [] })]);
    expect(store.attempts(0)).toEqual([attemptsRow(7, 1, { answered: [], unanswered: [], responseMs: [] })]);
    expect([...told]).toEqual(['a count of the charts']);
  });

  it('on damaged pages are none', () => {
    const damage = untold();
    const store = new SqliteMetrics(db, damage);
    damage.around = (_read, otherwise) => otherwise;
    store.saveMinute(minuteRow(7), changes);
    store.saveAttempts(attemptsRow(7, 1), changes);
    insert(1, 'retrying', 100);
    expect([store.minutes(0), store.attempts(0), store.retrying(5)]).toEqual([[], [], []]);
  });
});

describe('what is retrying', () => {
  it('is read by its state, oldest first, however many queued messages wait before it', () => {
    for (let id = 1; id <= 30; id++) insert(id, id % 3 === 0 ? 'retrying' : 'queued', id % 3 === 0 ? 100 + id : null);
    insert(31, 'retrying', null);
    expect(new SqliteMetrics(db).retrying(4).map(({ id }) => id)).toEqual([3, 6, 9, 12]);
    const plan = db
      .prepare(
        `EXPLAIN QUERY PLAN SELECT id FROM messages WHERE ${RARE_STATE} AND state = 'retrying' AND window_ends_at IS NOT NULL ORDER BY id LIMIT 2000`,
      )
      .all() as Array<{ detail: string }>;
    expect(plan.map(({ detail }) => detail)).toEqual(['SEARCH messages USING INDEX messages_rare (state=?)']);
  });
  it('after a crash is told apart from what was retrying before it', () => {
    insert(1, 'retrying', 100, 777);
    insert(2, 'retrying', 100, 50);
    insert(3, 'delivered', 100, null);
    db.prepare('UPDATE messages SET round = 2, received_at = 2000, id = 4 WHERE id = 2').run();
    expect(new SqliteMetrics(db).recovered([1, 3, 4, 9], 777)).toEqual([1000]);
  });
});
