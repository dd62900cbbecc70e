import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MESSAGE_STATES } from '../../../src/core/model/vocabulary.ts';
import {
  applyMigrations,
  EDITED_SINCE,
  migrations,
  OPEN_APART_SINCE,
  RARE_STATE,
  SEALED_SINCE,
} from '../../../src/core/store/migrations.ts';
import { OPEN_ATTEMPTS_VIEWS } from '../../../src/core/store/schema/open-attempts.ts';
import { ALL_ATTEMPTS } from '../../helpers/store-rows.ts';

/**
 * SHA-256 of each released migration. A release adds the line of its newest one; a migration behind which another one
 * stands needs its line in any case. No line changes.
 */
const RELEASED = [
  '4180518328bb822834b241786b0b4bb0588940ce2af944a7f047c638f5dc9bca',
  'efbc991929e7563e8c7080cf85a716816bb4b3bc01f7e59c8d5d74090e8fc0ee',
  '43300cc453087cc877ca446ff485c4f3077c8f9e5feaa863d1e5e697194edbf0',
  '323c3b681c29402c660cfb9fc4e7d3ba6b97fa1180f9a1aea0aa9dfa55475f13',
  'd9805a6306452a30e23fe6da1ae5155c17e1b390a0e3c72781af170c55c9c93f',
  '9436fa9c15129958ddc13e0681a04ac00ab07c40d84a5755cda01c71cef5ef23',
  'c541143543d3a59c8a6e53d038b16d0042f18c3464535b03490b68f8c91b408a',
  '7815fb46a6007df2f090ec98b97aaddec2abd4f58d74f6ce8fbfbf7e387507fe',
  '6b28ba0169aa22a34e122f539a60298ebdbcf0c014b34e91e4167bd69a708a4d',
  '8a20a631365a978eb3da133a411ef3e28c7d44c5e739481abe644767c4caeafd',
  '20b6d17a779161ce87127a5de1525b5a356d7f549fffa40db884469b431d99c8',
];

function storeOf(version: number): Database.Database {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  applyMigrations(db, 0, version);
  return db;
}

const sqlOf = (db: Database.Database, name: string): string =>
  db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(name) as string;

test('a released migration is never edited', () => {
  const hashes = migrations.map((sql) => createHash('sha256').update(sql).digest('hex'));
  expect(hashes.slice(0, RELEASED.length)).toEqual(RELEASED);
  expect(hashes.length - RELEASED.length).toBeLessThanOrEqual(1);
});

test('hidden headers are sealed from version 4 on, replays say what they sent from 10, open attempts are apart from 11', () => {
  expect([SEALED_SINCE, EDITED_SINCE, OPEN_APART_SINCE]).toEqual([4, 10, 11]);
});

test('each step is told once it is done', () => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  const counts: unknown[] = [];
  applyMigrations(db, 0, 2, () =>
    counts.push(db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'receivers'").pluck().get()),
  );
  expect(counts).toEqual([0, 1]);
});

describe('from version 6 to 7', () => {
  /** As version 6 would hold them. */
  function olderStore(): Database.Database {
    const db = storeOf(6);
    const insert = db.prepare(
      `INSERT INTO messages (message_id, request_id, position, origin, type, name, state, received_at, size, next_due_at)
       VALUES ('m', 1, 0, 'sdk', 'track', 'n', ?, 1, 2, ?)`,
    );
    const older = db.prepare('SELECT state FROM counters').pluck().all() as string[];
    for (const state of older) insert.run(state, ['queued', 'delivering', 'retrying'].includes(state) ? 5 : null);
    return db;
  }

  test('the messages stay as they are, in a file that SQLite finds sound', () => {
    const db = olderStore();
    const rows = db.prepare('SELECT * FROM messages').all();
    const pages = db.pragma('page_count', { simple: true });
    applyMigrations(db, 6, 7);
    expect(db.prepare('SELECT * FROM messages').all()).toEqual(rows);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('page_count', { simple: true })).toBe(pages);
  });

  test('the table names no state that a message may be in beside the checks of its due time', () => {
    const db = olderStore();
    applyMigrations(db, 6, 7);
    const columns = sqlOf(db, 'messages')
      .split('\n')
      .filter((line) => /^\s*state /.test(line));
    expect(columns).toEqual(['  state TEXT NOT NULL,']);
  });

  test('every state is counted', () => {
    const db = storeOf(7);
    const counted = db.prepare('SELECT state FROM counters').pluck().all() as string[];
    expect(counted.sort()).toEqual([...MESSAGE_STATES].sort());
  });

  test('the index of rare states leaves out the dense ones, and a query for a rare one uses it', () => {
    const db = olderStore();
    applyMigrations(db, 6, 7);
    expect(sqlOf(db, 'messages_rare').endsWith(`WHERE ${RARE_STATE}`)).toBe(true);
    const plan = db
      .prepare(`EXPLAIN QUERY PLAN SELECT id FROM messages WHERE ${RARE_STATE} AND state = 'failed'`)
      .all();
    expect((plan as Array<{ detail: string }>)[0]!.detail).toContain('USING COVERING INDEX messages_rare');
  });

  test('afterwards SQLite guards its schema again', () => {
    const db = storeOf(7);
    expect(() =>
      db.exec("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '' WHERE name = 'messages'"),
    ).toThrow(/may not be modified/);
  });
});

describe('from version 10 to 11', () => {
  const ATTEMPT = 'message_id, replay_id, webhook_id, slot, webhook_name, url, round, started_at, clock_at';

  /** Attempts 1, 3 and 5 are open, 3 is that of a replay to an address. */
  function olderStore(): Database.Database {
    const db = storeOf(10);
    const insert = db.prepare(
      `INSERT INTO attempts (${ATTEMPT}, outcome, status) VALUES (?, ?, 7, ?, 'w', 'http://w/', 2, 5, 6, ?, ?)`,
    );
    for (let id = 1; id <= 5; id++)
      insert.run(
        id * 10,
        id === 3 ? 9 : null,
        id === 3 ? 0 : 4,
        id % 2 === 1 ? null : 'failed',
        id % 2 === 1 ? null : 500,
      );
    return db;
  }

  test('every attempt keeps its row id and what it holds, open ones apart', () => {
    const db = olderStore();
    const before = db.prepare('SELECT * FROM attempts').all();
    applyMigrations(db, 10, 11);
    expect(db.prepare('SELECT id FROM open_attempts').pluck().all()).toEqual([1, 3, 5]);
    expect(db.prepare('SELECT id FROM attempts').pluck().all()).toEqual([2, 4]);
    expect(db.prepare(`SELECT * FROM ${ALL_ATTEMPTS} ORDER BY id`).all()).toEqual(before);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  test('none that is open gets among those that have ended', () => {
    const db = olderStore();
    applyMigrations(db, 10, 11);
    expect(() => db.exec('UPDATE attempts SET outcome = NULL')).toThrow(/NOT NULL/);
    expect(sqlOf(db, 'attempts_open')).toBeUndefined();
  });

  test('a reader of version 10 sees it so, too', () => {
    const db = olderStore();
    db.exec(OPEN_ATTEMPTS_VIEWS);
    expect(db.prepare('SELECT id, status FROM attempts ORDER BY id').raw().all()).toEqual([
      [2, 500],
      [4, 500],
    ]);
    expect(db.prepare('SELECT id, message_id, replay_id, slot FROM open_attempts ORDER BY id').raw().all()).toEqual([
      [1, 10, null, 4],
      [3, 30, 9, 0],
      [5, 50, null, 4],
    ]);
  });
});
