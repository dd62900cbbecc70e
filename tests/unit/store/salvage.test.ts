/** Which rows of a damaged store come into the new file, and how they are made to agree again. */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { MESSAGE_STATES, type MessageState, OPEN_STATES } from '../../../src/core/model/vocabulary.ts';
import { APPLICATION_ID, type Db, openStore, storePath } from '../../../src/core/store/database.ts';
import { applyMigrations, migrations } from '../../../src/core/store/migrations.ts';
import { type SavedTable, salvage } from '../../../src/core/store/salvage.ts';
import { tear } from '../../helpers/damaged-store.ts';
import { putAttempt, putMessage, putReplay, putRequest } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const NOW = 777;

let workspace: string;
let from: Db;
let next: string;
let to: Db;
beforeEach(() => {
  workspace = tempWorkspace();
  next = join(workspace, 'next.sqlite');
  from = openStore(workspace);
  from.pragma('synchronous = OFF');
  onTestFinished(() => {
    from.close();
    to?.close();
  });
});

function save(): (table: string) => SavedTable | undefined {
  const tables = salvage(from, next, NOW);
  to = new Database(next, { readonly: true });
  return (name) => tables.find(({ table }) => table === name);
}

/** Closes the store, makes a page unreadable, and opens the file again. */
function torn(name: string, which?: (leaves: readonly number[]) => number): void {
  from.close();
  tear(workspace, name, which);
  from = new Database(storePath(workspace));
}

const wire = Buffer.from('{"a":1}');
const putBody = (id: number, sum = crc32(wire), db = from): void =>
  void db.prepare('INSERT INTO message_bodies (id, wire, crc32) VALUES (?, ?, ?)').run(id, wire, sum);
const put = (state: MessageState, over: object = {}): number => {
  const id = putMessage(from, { state, ...over });
  putBody(id);
  return id;
};
const dropBody = (id: number): void => void from.prepare('DELETE FROM message_bodies WHERE id = ?').run(id);
const all = (sql: string): unknown[] => to.prepare(sql).raw().all();
const standings = (): unknown[] => all('SELECT state, reason, next_due_at, finished_at FROM messages ORDER BY id');

test('a sound store comes over whole', () => {
  putRequest(from, 1);
  const states: MessageState[] = [...MESSAGE_STATES];
  for (const state of states) put(state);
  putAttempt(from, 1, 1, 'failed');
  putReplay(from, 1, 1);
  from.exec("INSERT INTO settings (key, value) VALUES ('a', '\"b\"')");
  from.exec(`INSERT INTO metric_attempts VALUES (1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, '[]', '[]', '[]')`);
  const table = save();
  for (const name of ['messages', 'message_bodies', 'requests', 'attempts', 'attempt_results', 'replays', 'settings']) {
    const sql = `SELECT * FROM ${name} ORDER BY 1`;
    expect([name, all(sql)]).toEqual([name, from.prepare(sql).raw().all()]);
  }
  const n = states.length;
  expect(table('messages')).toEqual({ table: 'messages', kept: n, lost: 0 });
  expect(table('message_bodies')).toEqual({ table: 'message_bodies', kept: n, lost: 0 });
  expect(table('metric_attempts')).toEqual({ table: 'metric_attempts', kept: 1, lost: 0 });
  expect([table('counters'), table('sqlite_sequence')]).toEqual([undefined, undefined]);
  expect(all('SELECT state, n FROM counters ORDER BY state')).toEqual([...states].sort().map((state) => [state, 1]));
  expect(to.pragma('application_id', { simple: true })).toBe(APPLICATION_ID);
});

describe('the version of the new file', () => {
  const versionOf = (stored: number): unknown => {
    from.pragma(`user_version = ${stored}`);
    save();
    return to.pragma('user_version', { simple: true });
  };

  test.each([0, -1, migrations.length + 1, migrations.length])('is the newest for %i', (stored) => {
    expect(versionOf(stored)).toBe(migrations.length);
  });

  test('is that of the damaged one, with its tables', () => {
    from.close();
    from = new Database(join(workspace, 'old.sqlite'));
    applyMigrations(from, 0, 1);
    expect(versionOf(1)).toBe(1);
    expect(all("SELECT name FROM sqlite_schema WHERE name = 'receivers'")).toEqual([]);
  });
});

describe('rows that cannot be read', () => {
  test('are lost, those around them are not', () => {
    from.transaction(() => {
      for (let id = 1; id <= 3_000; id++) putAttempt(from, id, 1);
    })();
    torn('attempt_results');
    const { kept, lost } = save()('attempt_results')!;
    expect(lost).toBeNull();
    expect(kept).toBeGreaterThan(2_000);
    expect(kept).toBeLessThan(3_000);
    expect(all('SELECT max(id) FROM attempt_results')).toEqual([[3_000]]);
  });

  test('are those from the start, when the first page is damaged', () => {
    from.transaction(() => {
      for (let id = 1; id <= 1_000; id++) putAttempt(from, id, 1);
    })();
    torn('attempt_results', () => 0);
    expect(save()('attempt_results')!.kept).toBeGreaterThan(100);
    expect(all('SELECT max(id) FROM attempt_results')).toEqual([[1_000]]);
  });

  test('of a table without row ids are all of it', () => {
    from.exec(`INSERT INTO metric_attempts VALUES (1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, '[]', '[]', '[]')`);
    torn('metric_attempts');
    expect(save()('metric_attempts')).toEqual({ table: 'metric_attempts', kept: 0, lost: null });
  });

  test('with an id below 1 are found too', () => {
    for (const id of [-5, 0, 4]) putRequest(from, id);
    expect(save()('requests')).toMatchObject({ kept: 3 });
  });

  test('with ids far from 1, because those before were removed, are found too', () => {
    for (const id of [20_000_000, 20_000_001]) putRequest(from, id);
    expect(save()('requests')).toMatchObject({ kept: 2 });
  });
});

describe('a row that was overwritten', () => {
  test('is left out when the table does not take it', () => {
    for (let i = 0; i < 3; i++) put('delivered');
    putAttempt(from, 1, 1);
    from.pragma('ignore_check_constraints = ON');
    from.exec("UPDATE messages SET cells = '' WHERE id = 2");
    from.exec("UPDATE attempts SET outcome = 'x' WHERE id = 1");
    const table = save();
    expect(table('messages')).toEqual({ table: 'messages', kept: 2, lost: 1 });
    expect(table('attempts')).toEqual({ table: 'attempts', kept: 0, lost: 1 });
    // The body of the message that was left out is no message's any more.
    expect(all('SELECT id FROM message_bodies')).toEqual([[1], [3]]);
  });
});

test('a value of a kind that its column does not take costs only its row', () => {
  from.exec("DROP TABLE settings; CREATE TABLE settings (key, value); INSERT INTO settings VALUES ('a', x'00')");
  from.exec("INSERT INTO settings VALUES ('b', '1')");
  expect(save()('settings')).toEqual({ table: 'settings', kept: 1, lost: 1 });
  expect(all('SELECT * FROM settings')).toEqual([['b', '1']]);
});

describe('a message', () => {
  test('that waits and has no sound body failed', () => {
    for (const state of OPEN_STATES) put(state);
    dropBody(1);
    for (let id = 2; id <= OPEN_STATES.length; id++) from.exec(`UPDATE message_bodies SET crc32 = 1 WHERE id = ${id}`);
    put('queued');
    const table = save();
    const failed = OPEN_STATES.map(() => ['failed', 'body_damaged', null, NOW]);
    expect(standings()).toEqual([...failed, ['queued', null, 1, null]]);
    expect(table('message_bodies')).toEqual({ table: 'message_bodies', kept: 1, lost: OPEN_STATES.length });
    expect(all('SELECT state, n FROM counters WHERE n > 0 ORDER BY state')).toEqual([
      ['failed', OPEN_STATES.length],
      ['queued', 1],
    ]);
  });

  test('that is final stays as it is, with a body or without', () => {
    put('delivered');
    dropBody(1);
    putMessage(from, { state: 'rejected', reason: 'invalid_json' });
    const table = save();
    expect(standings()).toEqual([
      ['delivered', null, null, null],
      ['rejected', 'invalid_json', null, null],
    ]);
    expect(table('message_bodies')).toEqual({ table: 'message_bodies', kept: 0, lost: 1 });
  });

  test('that was accepted and still waits is delivered, so that nothing is sent twice', () => {
    for (let i = 0; i < 4; i++) put('retrying');
    put('failed');
    putAttempt(from, 1, 1, 'accepted');
    putAttempt(from, 2, 2, 'failed');
    putAttempt(from, 3, 3, 'accepted');
    putAttempt(from, 4, 4, null);
    putAttempt(from, 5, 5, 'accepted');
    from.exec('UPDATE attempts SET replay_id = 1 WHERE id = 3');
    save();
    expect(standings()).toEqual([
      ['delivered', null, null, NOW],
      ['retrying', null, 1, null],
      ['retrying', null, 1, null],
      ['retrying', null, 1, null],
      ['failed', null, null, null],
    ]);
  });
});

test('lost requests are counted once, however many calls they had', () => {
  for (const request of [1, 2, 2, 3]) put('delivered', { request });
  putRequest(from, 3);
  expect(save()('requests')).toEqual({ table: 'requests', kept: 1, lost: 2 });
});

describe('nothing is saved', () => {
  test('where a read fails for another reason than damage', () => {
    from.exec('DROP TABLE metric_attempts');
    expect(save).toThrow('no such table: metric_attempts');
  });

  test('where the new file is not sound', () => {
    const file = new Database(next);
    file.exec('CREATE TABLE mine (a CHECK (a > 0)); PRAGMA ignore_check_constraints = ON; INSERT INTO mine VALUES (0)');
    file.close();
    from.exec('CREATE TABLE mine (a)');
    expect(save).toThrow('The new file is not sound: CHECK constraint failed in mine');
  });
});
