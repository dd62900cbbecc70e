import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { newMinute } from '../../../src/core/metrics/minute.ts';
import { loadMinutes, saveMinutes } from '../../../src/core/metrics/rows.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { MetricsStore } from '../../../src/core/store/metrics.ts';
import { RARE_STATE } from '../../../src/core/store/migrations.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

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
    const store = new MetricsStore(db);
    const minute = newMinute(7);
    for (const received of [3, 5]) {
      minute.messages.received = received;
      saveMinutes(store, [minute]);
    }
    expect(loadMinutes(store, 0).map(({ messages }) => messages.received)).toEqual([5]);
    expect(loadMinutes(store, 8)).toEqual([]);
  });
  it('are refused with a negative count', () => {
    const minute = newMinute(7);
    minute.messages.retried = -1;
    expect(() => saveMinutes(new MetricsStore(db), [minute])).toThrow(/CHECK/);
  });
});

describe('what is retrying', () => {
  it('is read by its state, oldest first, however many queued messages wait before it', () => {
    for (let id = 1; id <= 30; id++) insert(id, id % 3 === 0 ? 'retrying' : 'queued', id % 3 === 0 ? 100 + id : null);
    insert(31, 'retrying', null);
    expect(new MetricsStore(db).retrying(4).map(({ id }) => id)).toEqual([3, 6, 9, 12]);
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
    expect(new MetricsStore(db).recovered([1, 3, 4, 9], 777)).toEqual([1000]);
  });
});
