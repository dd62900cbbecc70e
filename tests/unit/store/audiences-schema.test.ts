import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { applyMigrations } from '../../../src/core/store/migrations.ts';

function storeOf(version: number): Database.Database {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  applyMigrations(db, 0, version);
  return db;
}

const planOf = (db: Database.Database, sql: string): string =>
  (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as Array<{ detail: string }>).map(({ detail }) => detail).join('\n');

const insertAudience = (db: Database.Database, over: Readonly<Record<string, unknown>> = {}): void => {
  const row = { kind: 'audience', name: 'A', property: 'a', sync_when: 'hand', track: 0, created_at: 1, ...over };
  const names = Object.keys(row);
  db.prepare(`INSERT INTO audiences (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`).run(
    row,
  );
};

describe('from version 7 to 8', () => {
  test('the messages and counts stay as they are', () => {
    const db = storeOf(7);
    db.exec(`INSERT INTO messages (message_id, request_id, position, origin, type, name, state, received_at, size)
             VALUES ('m', 1, 0, 'sdk', 'track', 'n', 'delivered', 1, 2)`);
    const rows = db.prepare('SELECT * FROM messages').all();
    applyMigrations(db, 7, 8);
    expect(db.prepare('SELECT * FROM messages').all()).toEqual(rows);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  test('users to whom something is sent, and calls that are open or failed, are found by their small indexes', () => {
    const db = storeOf(8);
    expect(
      planOf(
        db,
        `SELECT user_id FROM audience_users INDEXED BY audience_users_pending
         WHERE audience_id = 1 AND user_id > 'a' AND value IS NOT NULL AND value IS NOT sent ORDER BY user_id LIMIT 9`,
      ),
    ).toMatch(/^SEARCH audience_users USING (COVERING )?INDEX audience_users_pending/);
    expect(
      planOf(
        db,
        `SELECT position FROM sync_calls INDEXED BY sync_calls_open
         WHERE sync_id = 1 AND message_id IS NOT NULL AND outcome IS NULL`,
      ),
    ).toContain('sync_calls_open');
    expect(
      planOf(
        db,
        "SELECT position FROM sync_calls INDEXED BY sync_calls_failed WHERE sync_id = 1 AND outcome = 'failed'",
      ),
    ).toContain('sync_calls_failed');
  });

  test('names are taken once per kind, properties once in all, until the audience is removed', () => {
    const db = storeOf(8);
    insertAudience(db);
    expect(() => insertAudience(db, { property: 'b' })).toThrow(/UNIQUE/);
    expect(() => insertAudience(db, { kind: 'trait' })).toThrow(/UNIQUE/);
    insertAudience(db, { kind: 'trait', property: 'b' });
    db.exec('UPDATE audiences SET removed = 1');
    insertAudience(db);
  });

  test('a sync is done only with a ledger that adds up', () => {
    const db = storeOf(8);
    db.exec(`INSERT INTO syncs (audience_id, n, state, token, started_by, started_at, expected, events)
             VALUES (1, 1, 'running', 't', 'person', 1, 3, '[]')`);
    const end = (delivered: number, failed: number) =>
      db.prepare(`UPDATE syncs SET state = 'done', ended_at = 2, delivered = ?, failed = ?`).run(delivered, failed);
    expect(() => db.exec(`UPDATE syncs SET state = 'done'`)).toThrow(/CHECK/);
    expect(() => end(2, 0)).toThrow(/CHECK/);
    end(2, 1);
  });

  test('a call has an outcome only with a message', () => {
    const db = storeOf(8);
    db.exec(`INSERT INTO sync_calls (sync_id, position, user_id, type, value) VALUES (1, 1, 'u', 'identify', 'true')`);
    expect(() => db.exec(`UPDATE sync_calls SET outcome = 'failed'`)).toThrow(/CHECK/);
  });
});
