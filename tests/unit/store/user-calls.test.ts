import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import type { UserCallStore } from '../../../src/core/store/ports/user-calls.ts';
import { openUserCalls, SqliteUserCalls } from '../../../src/core/store/user-calls.ts';
import { tear } from '../../helpers/damaged-store.ts';
import { putMessage } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let workspace: string;
let db: Db;
beforeEach(() => {
  workspace = tempWorkspace();
  db = openStore(workspace);
});

/** A message of a user with a body; what `over` sets is written over its row. */
function put(
  over: Readonly<Record<string, string | null>> = {},
  body: string | null = '{"type":"track","event":"E"}',
): number {
  const id = putMessage(db, { name: 'E', receivedAt: 7 });
  const row = { user_id: 'usr_a', ...over };
  for (const [column, value] of Object.entries(row))
    db.prepare(`UPDATE messages SET ${column} = ? WHERE id = ?`).run(value, id);
  const wire = Buffer.from(body ?? '');
  if (body !== null)
    db.prepare('INSERT INTO message_bodies (id, wire, crc32) VALUES (?, ?, ?)').run(id, wire, crc32(wire));
  return id;
}

const sqlite = (code: string): Error => new Database.SqliteError(code, code);

const ids = (store: UserCallStore, ...page: Parameters<UserCallStore['page']>): number[] =>
  store.page(...page).calls.map(({ id }) => id);

describe('the calls of users', () => {
  test('are those that clients sent with a user id and that were not rejected', () => {
    const sdk = put();
    const kinds = ['composer', 'import', 'audience', 'deletion'].map((origin) => put({ origin }));
    put({ user_id: null, anonymous_id: 'anon' });
    put({ state: 'rejected' });
    const off = put({ state: 'not_selected' });
    const store = openUserCalls(workspace);
    expect(ids(store, 0, store.newestId(), 100)).toEqual([sdk, kinds[0], kinds[1], off]);
    store.close();
    db.close();
  });

  test('come in pages by id, and say how far a page was read', () => {
    const all = [put(), put({ user_id: null }), put(), put(), put()];
    const store = openUserCalls(workspace);
    expect(store.page(0, 4, 2)).toMatchObject({ calls: [{ id: all[0] }], readTo: 2 });
    expect(store.page(2, 4, 2)).toMatchObject({ calls: [{ id: all[2] }, { id: all[3] }], readTo: 4 });
    expect(store.page(4, 4, 2)).toEqual({ calls: [], named: [], readTo: 4 });
    store.close();
    db.close();
  });

  test('are seen as soon as they are committed, while another handle writes', () => {
    const store = openUserCalls(workspace);
    expect(store.newestId()).toBe(0);
    const id = put();
    expect(ids(store, 0, store.newestId(), 10)).toEqual([id]);
    store.close();
    db.close();
  });

  test('have the whole name of their event, and no body where it cannot be read', () => {
    const event = 'x'.repeat(400);
    put({ name: `${event.slice(0, 299)}…` }, JSON.stringify({ type: 'track', event }));
    put({}, null);
    put({}, '[1]');
    put({}, 'no json');
    const bad = put();
    db.prepare('UPDATE message_bodies SET crc32 = crc32 + 1 WHERE id = ?').run(bad);
    const store = openUserCalls(workspace);
    const { calls } = store.page(0, 10, 10);
    expect(calls[0]).toMatchObject({ event, userId: 'usr_a', receivedAt: 7, body: { event } });
    expect(calls.slice(1).map(({ event: name, body }) => [name, body])).toEqual(Array(4).fill(['E', null]));
    expect([...store.bodies([1, 2, 3, 4, 5]).keys()]).toEqual([1]);
    store.close();
    db.close();
  });

  test('keep the name of their row where the body has no event, or the call is no track', () => {
    put({ type: 'page', name: 'Home' }, '{"type":"page","event":"other"}');
    put({ name: 'Row' }, '{"type":"track","event":5}');
    const store = openUserCalls(workspace);
    expect(store.page(0, 10, 10).calls.map(({ event, type }) => [type, event])).toEqual([
      ['page', 'Home'],
      ['track', 'Row'],
    ]);
    store.close();
    db.close();
  });

  test('are not read any more once the store is closed', () => {
    const store = openUserCalls(workspace);
    store.close();
    expect(() => store.newestId()).toThrow('not open');
    expect(() => store.page(0, 10, 10)).toThrow('not open');
    expect(() => store.bodies([1])).toThrow('not open');
    db.close();
  });

  test.each([
    ['another error', ['SQLITE_IOERR']],
    ['damage and then another error', ['SQLITE_CORRUPT', 'SQLITE_IOERR']],
  ])('that meet %s tell of the error', (_what, codes) => {
    const reads = (table: string) => {
      const errors = codes.map(sqlite);
      const all = (): unknown[] => {
        const error = errors.shift();
        if (error !== undefined) throw error;
        return [];
      };
      const prepare = (sql: string) => ({ pluck: () => {}, all: sql.includes(`FROM ${table}`) ? all : () => [] });
      return new SqliteUserCalls({ prepare } as unknown as Db, () => {});
    };
    expect(() => reads('messages').page(0, 9, 9)).toThrow('SQLITE_IOERR');
    expect(() => reads('messages').personCalls([1, 2])).toThrow('SQLITE_IOERR');
    expect(() => reads('message_bodies').bodies([1, 2])).toThrow('SQLITE_IOERR');
    db.close();
  });

  test.each(['messages', 'message_bodies'])('are read around a torn page of %s', (table) => {
    const count = 600;
    db.transaction(() => {
      for (let i = 0; i < count; i += 1) put({}, JSON.stringify({ event: 'E', note: 'x'.repeat(200) }));
    })();
    db.close();
    tear(workspace, table);
    const store = openUserCalls(workspace);
    const found: number[] = [];
    const withBody: Array<[id: number, hasBody: boolean]> = [];
    for (let after = 0; after < count; ) {
      const { calls, readTo } = store.page(after, count, 50);
      expect(readTo).toBeGreaterThan(after);
      expect(readTo).toBeLessThanOrEqual(after + 50);
      found.push(...calls.map(({ id }) => id));
      for (const { id, body } of calls) withBody.push([id, body !== null]);
      after = readTo;
    }
    expect(new Set(found).size).toBe(found.length);
    const bodies = withBody.filter(([, hasBody]) => hasBody).length;
    // A page has some 40 messages, or some 15 bodies.
    expect(bodies).toBeGreaterThan(count - (table === 'messages' ? 80 : 30));
    expect(bodies).toBeLessThan(count);
    if (table === 'message_bodies') expect(found).toHaveLength(count);
    expect(store.personCalls(found).map(({ id, body }) => [id, body !== null])).toEqual(withBody);
    expect(store.personCalls(Array.from({ length: count }, (_, i) => i + 1)).map(({ id }) => id)).toEqual(found);
    store.close();
  });
});
