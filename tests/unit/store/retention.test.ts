import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { MESSAGE_STATES } from '../../../src/core/model/vocabulary.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { SqliteRetention } from '../../../src/core/store/retention.ts';
import { putAttempt, putMessage, putReplay, putRequest } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let db: Db;
let store: SqliteRetention;
beforeEach(() => {
  db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.pragma('synchronous = OFF');
  store = new SqliteRetention(db);
});

const NEVER = Number.NEGATIVE_INFINITY;
const ALL = { after: 0, limit: 1_000, receivedBefore: NEVER };

const ids = (table = 'messages'): number[] =>
  db.prepare(`SELECT id FROM ${table} ORDER BY id`).pluck().all() as number[];

/** Ids from 1 on, received at that time. */
function put(n: number): void {
  db.transaction(() => {
    for (let id = 1; id <= n; id++) putMessage(db, { receivedAt: id });
  })();
}

function purge(over: Partial<Parameters<SqliteRetention['purge']>[0]> = {}, changes = new Changes()) {
  return { ...store.purge({ ...ALL, ...over }, changes), changes };
}

describe('an empty store', () => {
  test('has no newest and no oldest, and nothing goes', () => {
    expect([store.newestId(), store.oldestReceivedAt()]).toEqual([0, null]);
    expect(purge()).toMatchObject({ removed: 0, lookedAt: null });
  });
});

test('the newest has the highest id, the oldest the lowest', () => {
  putMessage(db, { id: 4, receivedAt: 90 });
  putMessage(db, { id: 9, receivedAt: 30 });
  expect([store.newestId(), store.oldestReceivedAt()]).toEqual([9, 90]);
});

describe('one step', () => {
  test('takes the oldest, as many as the limit says, and says where to go on', () => {
    put(10);
    expect(purge({ limit: 3 })).toMatchObject({ removed: 3, lookedAt: 3 });
    expect(ids()).toEqual([4, 5, 6, 7, 8, 9, 10]);
    expect(purge({ after: 5, limit: 2 })).toMatchObject({ removed: 2, lookedAt: 7 });
    expect(ids()).toEqual([4, 5, 8, 9, 10]);
  });

  test('says where it stands though it took nothing', () => {
    put(3);
    expect(purge({ limit: 0 })).toMatchObject({ removed: 0, lookedAt: 0 });
    expect(purge({ after: 1, limit: 0 })).toMatchObject({ removed: 0, lookedAt: 1 });
  });

  test('never takes the newest, and then has looked at all', () => {
    put(4);
    expect(purge()).toMatchObject({ removed: 3, lookedAt: null });
    expect(ids()).toEqual([4]);
    expect(purge()).toMatchObject({ removed: 0, lookedAt: null });
  });

  test('beside the limit takes what is too old, up to the time and not at it', () => {
    put(6);
    expect(purge({ limit: 0, receivedBefore: 4 })).toMatchObject({ removed: 3, lookedAt: 3 });
    expect(ids()).toEqual([4, 5, 6]);
  });

  test('looks no further than it was told', () => {
    put(6);
    expect(purge({ upTo: 2 })).toMatchObject({ removed: 2, lookedAt: null });
    expect(ids()).toEqual([3, 4, 5, 6]);
  });

  test('takes at most 200, however many are too old', () => {
    put(500);
    expect(purge({ receivedBefore: 1_000 })).toMatchObject({ removed: 200, lookedAt: 200 });
    expect(purge({ after: 200 })).toMatchObject({ removed: 200, lookedAt: 400 });
    expect(purge({ after: 400 })).toMatchObject({ removed: 99, lookedAt: null });
  });

  test('that takes its 200th as the last that there is has looked at all', () => {
    put(201);
    expect(purge()).toMatchObject({ removed: 200, lookedAt: null });
  });

  test('looks at 2,000 rows, and goes on behind them', () => {
    db.transaction(() => {
      for (let id = 1; id <= 2_001; id++) putMessage(db, { state: 'queued' });
    })();
    expect(purge()).toMatchObject({ removed: 0, lookedAt: 2_000 });
    expect(purge({ after: 2_000 })).toMatchObject({ removed: 0, lookedAt: null });
  });
});

describe('what stays', () => {
  const FINAL = ['rejected', 'not_selected', 'delivered', 'failed', 'expired', 'stopped'];

  test.each(MESSAGE_STATES)('%s goes only if it is final', (state) => {
    putMessage(db, { state });
    putMessage(db);
    const { changes } = purge();
    const goes = FINAL.includes(state);
    expect(ids()).toEqual(goes ? [2] : [1, 2]);
    expect(changes.removed).toEqual(goes ? [1] : []);
    expect([...changes.counts]).toEqual(goes ? [[state, -1]] : []);
  });

  test('a message with an attempt open, those of the newest attempt and replay, and what this transaction changed', () => {
    put(7);
    putAttempt(db, 1, 1, null);
    putAttempt(db, 2, 2);
    putAttempt(db, 3, 3);
    putReplay(db, 1, 4);
    putReplay(db, 2, 5);
    const changes = new Changes();
    changes.movedMessage(6, 'retrying', 'failed');
    purge({}, changes);
    expect(ids()).toEqual([1, 3, 5, 6, 7]);
  });
});

describe('what goes with a message', () => {
  test('is all that belongs to it, and nothing of another', () => {
    put(3);
    db.exec("INSERT INTO message_bodies (id, wire, crc32) VALUES (1, x'01', 1), (2, x'02', 2)");
    putAttempt(db, 1, 1);
    putAttempt(db, 2, 1, 'failed');
    putAttempt(db, 3, 2);
    putReplay(db, 1, 1);
    putReplay(db, 2, 2);
    purge();
    expect([ids(), ids('message_bodies'), ids('attempts'), ids('attempt_results'), ids('replays')]).toEqual([
      [2, 3],
      [2],
      [3],
      [3],
      [2],
    ]);
  });

  test('is its request once the last of its calls goes, however far apart the ids of others are', () => {
    for (const request of [1, 2, 3]) putRequest(db, request);
    putMessage(db, { id: 1, request: 1 });
    putMessage(db, { id: 2, request: 2 });
    putMessage(db, { id: 3, request: 2, state: 'queued' });
    putMessage(db, { id: 4, request: 3 });
    putMessage(db, { id: 10_000, request: 3 });
    purge({ limit: 2 });
    expect(ids('requests')).toEqual([2, 3]);
  });

  test('a request stays for a call before the one that goes', () => {
    for (const request of [1, 2]) putRequest(db, request);
    putMessage(db, { request: 1, state: 'queued' });
    putMessage(db, { request: 1 });
    putMessage(db, { request: 2 });
    purge();
    expect([ids(), ids('requests')]).toEqual([
      [1, 3],
      [1, 2],
    ]);
  });
});
