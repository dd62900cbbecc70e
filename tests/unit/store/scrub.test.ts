/** Stores of the version before, with values of static headers in clear, in rows and in what rows left behind. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { type Db, openStore, openStoreReadOnly, storePath } from '../../../src/core/store/database.ts';
import { SqliteErasure } from '../../../src/core/store/erasure.ts';
import { applyMigrations, SEALED_SINCE } from '../../../src/core/store/migrations.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { isScrubDue, SCRUB_IS_DUE, scrub } from '../../../src/core/store/scrub.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

/** A released version whose attempts have values in clear. */
const OLD = 2;
const VALUE = /canary-[a-z]+-\d+/;

type OldHeader = [name: string, value: string] | [name: string, value: null, length: number];

const result = (requestHeaders: OldHeader[]): string =>
  JSON.stringify({
    reason: null,
    detail: 'Größe ▲ "quoted"',
    statusText: 'OK',
    phases: [0, 0.012, null],
    requestHeaders,
    responseHeaders: [['Server', 'x']],
    responseBytes: 2,
    responseCut: false,
    certificate: null,
  });

const attempt = (n: number): OldHeader[] => [
  ['host', '127.0.0.1:4000'],
  ['connection', 'keep-alive'],
  ['User-Agent', 'Hookbench/1.0'],
  ['Content-Type', 'application/json'],
  ['X-Signature', 'a'.repeat(40)],
  ['Authorization', null, 31],
  ['X-Access', `canary-access-${n}`],
  ['x-tenant', `canary-tenant-${n} é`],
  ['X-Empty', ''],
  ['content-length', '12'],
];

/** Rows, deleted rows and overwritten rows, as a kill leaves them: part in the main file, part in the log. */
function oldStore(workspace: string, results: readonly string[]): Db {
  const db = new Database(storePath(workspace));
  db.pragma('journal_mode = WAL');
  applyMigrations(db, 0, OLD);
  db.pragma('application_id = 0x486b626e');
  db.pragma(`user_version = ${OLD}`);
  db.exec(
    "INSERT INTO webhooks (slot, name, url, sealed_headers, enabled, created_at) VALUES (1, 'w', 'http://a/', x'01', 1, 1)",
  );
  db.exec("INSERT INTO secrets (name, sealed, last2, length) VALUES ('shared_secret', x'01', 'ab', 2)");
  const insert = db.prepare('INSERT INTO attempt_results (id, result) VALUES (?, ?)');
  for (const [i, text] of results.entries()) insert.run(i + 1, text);
  return db;
}

const valuesIn = (workspace: string): string[] =>
  readdirSync(workspace).filter((name) => VALUE.test(readFileSync(join(workspace, name)).toString('latin1')));

const headersOf = (db: Db, id: number): unknown =>
  JSON.parse(db.prepare('SELECT result FROM attempt_results WHERE id = ?').pluck().get(id) as string).requestHeaders;

function opened(workspace: string): Db {
  const db = openStore(workspace);
  onTestFinished(() => void db.close());
  return db;
}

test('values of static headers become lengths, and everything else of a result stays as it was', () => {
  const workspace = tempWorkspace();
  const before = result(attempt(1));
  oldStore(workspace, [before, result([]), '{"damaged']).close();
  const db = opened(workspace);
  const sealed: OldHeader[] = attempt(1).map(([name, value, length]) =>
    /^(x-access|x-tenant|x-empty)$/i.test(name)
      ? [name, null, value!.length]
      : value === null
        ? [name, value, length!]
        : [name, value],
  );
  expect(headersOf(db, 1)).toEqual(sealed);
  expect(db.prepare('SELECT result FROM attempt_results ORDER BY id').pluck().all()).toEqual([
    result(sealed),
    result([]),
    '{"damaged',
  ]);
});

test('a reader of a store that was not migrated yet sees lengths too', () => {
  const workspace = tempWorkspace();
  oldStore(workspace, [result(attempt(1)), result([]), '{"damaged']).close();
  const db = openStoreReadOnly(workspace);
  onTestFinished(() => void db.close());
  expect(headersOf(db, 1)).toContainEqual(['X-Access', null, 15]);
  const texts = db.prepare('SELECT result FROM attempt_results ORDER BY id').pluck().all() as string[];
  expect(texts.join()).not.toMatch(VALUE);
  expect(texts.slice(1)).toEqual([result([]), '{"damaged']);
});

test("the headers of standard webhooks stay where they are ours, and are sealed where they are a person's", () => {
  const workspace = tempWorkspace();
  const ours: OldHeader[] = [
    ['webhook-id', 'msg_12'],
    ['webhook-timestamp', '1790000000'],
    ['webhook-signature', null, 47],
  ];
  const others: OldHeader[] = [
    ['webhook-id', 'msg_12; canary-id-1'],
    ['Webhook-Timestamp', 'canary-time-1'],
  ];
  oldStore(workspace, [result(ours), result(others)]).close();
  const db = opened(workspace);
  expect(headersOf(db, 1)).toEqual(ours);
  expect(headersOf(db, 2)).toEqual(others.map(([name, value]) => [name, null, value!.length]));
});

test('a short secret keeps no tail', () => {
  const workspace = tempWorkspace();
  const old = oldStore(workspace, []);
  old.exec("INSERT INTO secrets (name, sealed, last2, length) VALUES ('long', x'01', 'yz', 12)");
  old.close();
  expect(opened(workspace).prepare('SELECT name, last2 FROM secrets ORDER BY name').raw().all()).toEqual([
    ['long', 'yz'],
    ['shared_secret', ''],
  ]);
});

test('after the migration no file of the workspace holds a byte of the values, not even of deleted rows', () => {
  const workspace = tempWorkspace();
  const results = Array.from({ length: 400 }, (_, n) => result(attempt(n)));
  const old = oldStore(workspace, results);
  old.pragma('wal_checkpoint(TRUNCATE)');
  // Left in free pages and gaps of the main file, and in the log.
  old.exec('DELETE FROM attempt_results WHERE id % 3 = 0');
  old.exec("UPDATE attempt_results SET result = '{}' WHERE id % 7 = 0");
  const held = new Database(storePath(workspace), { readonly: true });
  const reading = held.prepare('SELECT result FROM attempt_results').iterate();
  reading.next();
  old.close();
  // A reader kept the log from being emptied, as a kill would have.
  expect(valuesIn(workspace)).toEqual(['store.sqlite', 'store.sqlite-wal']);

  const first = openStore(workspace);
  expect(isScrubDue(first)).toBe(true);
  first.close();
  reading.return?.();
  held.close();

  const db = opened(workspace);
  expect(isScrubDue(db)).toBe(false);
  expect(valuesIn(workspace)).toEqual([]);
  expect(db.prepare('SELECT count(*) FROM attempt_results').pluck().get()).toBe(267);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.pragma('synchronous', { simple: true })).toBe(2);
  expect(db.pragma('temp_store', { simple: true })).toBe(2);
});

test('a store that never had a webhook, and a new one, are not rewritten', () => {
  expect(isScrubDue(opened(tempWorkspace()))).toBe(false);
  const workspace = tempWorkspace();
  const db = new Database(storePath(workspace));
  applyMigrations(db, 0, SEALED_SINCE);
  expect(isScrubDue(db)).toBe(false);
  db.close();
});

test('a store that cannot be rewritten is opened all the same, and says so', () => {
  const workspace = tempWorkspace();
  const old = oldStore(workspace, [result(attempt(1))]);
  old.close();
  openStore(workspace).close();
  const again = new Database(storePath(workspace));
  again.exec("INSERT INTO settings (key, value) VALUES ('scrub_due', '1')");
  const reader = openStoreReadOnly(workspace);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM settings').get();
  again.exec("UPDATE settings SET value = '2' WHERE key = 'opened'");
  const db = opened(workspace);
  expect(isScrubDue(db)).toBe(true);
  reader.close();
  again.close();
});

/** A store that says it has `pages`, and what is run on it. */
function ofPages(pages: number): { readonly db: Db; readonly run: string[] } {
  const db = opened(tempWorkspace());
  const run: string[] = [];
  const watched = {
    prepare: (sql: string) => db.prepare(sql),
    exec: (sql: string) => {
      run.push(sql);
      return db.exec(sql);
    },
    pragma: (text: string, options?: Database.PragmaOptions) => {
      run.push(text);
      return text === 'page_count' ? pages : db.pragma(text, options);
    },
  };
  return { db: watched as unknown as Db, run };
}

test.each([
  [16_384, 'MEMORY'],
  [16_385, 'FILE'],
])('SQLite keeps the copy of a store of %d pages of 4 KB in: %s', (pages, place) => {
  const { db, run } = ofPages(pages);
  db.exec(SCRUB_IS_DUE);
  scrub(db);
  expect(isScrubDue(db)).toBe(false);
  expect(run.filter((text) => /^temp_store =|VACUUM/.test(text))).toEqual([
    `temp_store = ${place}`,
    'VACUUM',
    'temp_store = 2',
  ]);
});

test('a store without such bytes is left as it is', () => {
  const { db, run } = ofPages(1);
  scrub(db);
  expect(run).toEqual([]);
});

test('an erase leaves bytes of older versions of its rows, until the files are cleared', () => {
  const workspace = tempWorkspace();
  const db = opened(workspace);
  const erasure = new SqliteErasure(db);
  const put = db.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (@key, @value)');
  const text = (n: number, version: number): string =>
    `canary-erased-${n} ${String(version).repeat(40 * (version + 1))}`;
  // Rows that grow and shrink leave older versions of themselves behind.
  for (let version = 0; version < 6; version++)
    db.transaction(() => {
      for (let n = 0; n < 300; n++) put.run({ key: `k${n}`, value: text(n, version % 3) });
    })();
  erasure.overwrite(true);
  expect(db.pragma('secure_delete', { simple: true })).toBe(1);
  db.exec("DELETE FROM settings WHERE key LIKE 'k%'");
  expect(erasure.isSoiled()).toBe(false);
  erasure.soil(new Changes());
  erasure.overwrite(false);
  db.pragma('wal_checkpoint(TRUNCATE)');
  expect(valuesIn(workspace)).toEqual(['store.sqlite']);
  expect([erasure.isSoiled(), erasure.clean(1)]).toEqual([true, false]);
  expect(valuesIn(workspace)).toEqual(['store.sqlite']);
  expect([erasure.clean(1 << 30), erasure.isSoiled()]).toEqual([true, false]);
  expect(valuesIn(workspace)).toEqual([]);
  expect(db.pragma('secure_delete', { simple: true })).toBe(0);
});

test('a store is cleared that has as many bytes as may be, and not one more', () => {
  const db = opened(tempWorkspace());
  const erasure = new SqliteErasure(db);
  erasure.soil(new Changes());
  const size = (db.pragma('page_count', { simple: true }) as number) * 4_096;
  expect([erasure.clean(size - 1), erasure.clean(size)]).toEqual([false, true]);
});
