/** The stores of one query or two. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Cuts } from '../../../src/core/store/cuts.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { ensureStoreId, lastIds, storeId } from '../../../src/core/store/identity.ts';
import { SqliteIngest } from '../../../src/core/store/ingest.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { SqliteSourceEvents } from '../../../src/core/store/source-events.ts';
import { putAttempt, putMessage, putReplay, putRequest } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

/** For reading. */
const NO_WRITER = { writeTogether: () => Promise.reject(new Error('reading only')) };

let db: Db;
beforeEach(() => {
  db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.pragma('synchronous = OFF');
});

describe('the identity of a store', () => {
  test('is given once, and is another one in every store', () => {
    db.exec("DELETE FROM settings WHERE key = 'store_id'");
    expect(storeId(db)).toBeNull();
    ensureStoreId(db);
    const first = storeId(db);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    ensureStoreId(db);
    expect(storeId(db)).toBe(first);
    db.exec("DELETE FROM settings WHERE key = 'store_id'");
    ensureStoreId(db);
    expect(storeId(db)).not.toBe(first);
  });

  test('goes with the largest id of each table, 0 for none', () => {
    expect(lastIds(db)).toEqual({ requests: 0, attempts: 0, replays: 0 });
    for (const id of [4, 2]) putRequest(db, id);
    for (const id of [3, 7]) putAttempt(db, id, 1);
    putReplay(db, 9, 1);
    expect(lastIds(db)).toEqual({ requests: 4, attempts: 7, replays: 9 });
    putAttempt(db, 8, 1, null);
    expect(lastIds(db).attempts).toBe(8);
  });
});

test('cut calls of requests that storage limits removed are forgotten at the next cut', () => {
  const cuts = new Cuts(db);
  const changes = new Changes();
  for (const id of [1, 2, 3]) putRequest(db, id);
  for (const id of [1, 2]) cuts.add(id, 4, changes);
  db.exec('DELETE FROM requests WHERE id = 1');
  expect([cuts.of(1), cuts.of(2)]).toEqual([4, 4]);
  cuts.add(3, 1, changes);
  expect([cuts.of(1), cuts.of(2), cuts.of(3)]).toEqual([0, 4, 1]);
});

describe('the rows of one messageId', () => {
  test('are those of its source, without rejected ones', () => {
    for (const sourceId of [1, 1, 2, null]) putMessage(db, { messageId: 'a', sourceId });
    putMessage(db, { messageId: 'b', sourceId: 1 });
    putMessage(db, { messageId: 'a', sourceId: 1, state: 'rejected' });
    const rows = new SqliteIngest(db, NO_WRITER);
    expect([rows.rowsOf('a', 1), rows.rowsOf('a', 2), rows.rowsOf('a', undefined), rows.rowsOf('c', 1)]).toEqual([
      2, 1, 1, 0,
    ]);
  });

  test('are counted no further than 100', () => {
    for (let i = 0; i < 101; i++) putMessage(db, { messageId: 'a', sourceId: 1 });
    expect(new SqliteIngest(db, NO_WRITER).rowsOf('a', 1)).toBe(100);
  });
});

describe('the events of a source', () => {
  test('are counted by name within a stretch of ids: tracks that were not rejected', () => {
    putMessage(db, { sourceId: 1, name: 'Before', receivedAt: 1 });
    putMessage(db, { sourceId: 1, name: 'A', receivedAt: 20 });
    putMessage(db, { sourceId: 1, name: 'A', receivedAt: 10, state: 'not_selected', reason: 'event_off' });
    putMessage(db, { sourceId: 1, name: 'A', state: 'not_selected', reason: 'no_webhook' });
    putMessage(db, { sourceId: 2, name: 'A', receivedAt: 99 });
    putMessage(db, { sourceId: 1, name: 'A', receivedAt: 99, type: 'page' });
    putMessage(db, { sourceId: 1, name: 'A', receivedAt: 99, state: 'rejected' });
    putMessage(db, { sourceId: 1, name: 'B', receivedAt: 5 });
    putMessage(db, { sourceId: 1, name: 'After', receivedAt: 5 });
    expect(new SqliteSourceEvents(db).counts({ sourceId: 1, after: 1, upTo: 8 })).toEqual([
      { name: 'A', received: 3, off: 1, lastAt: 20 },
      { name: 'B', received: 1, off: 0, lastAt: 5 },
    ]);
  });
});
