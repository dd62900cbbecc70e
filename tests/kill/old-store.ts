/** Stores of an earlier version, and the check that a kill during a migration leaves all of it or nothing. */
import { renameSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { storePath } from '../../src/core/store/database.ts';
import { applyMigrations, migrations, OPEN_APART_SINCE } from '../../src/core/store/migrations.ts';

type Db = Database.Database;

const SCHEMA = "SELECT type || ' ' || name || ': ' || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name";

function newStore(path: string, version: number): Db {
  const db = new Database(path);
  applyMigrations(db, 0, version);
  return db;
}

/** The schema that the first `version` migrations make. */
function schemaOf(version: number): string {
  const db = newStore(':memory:', version);
  const schema = db.prepare(SCHEMA).pluck().all().join('\n');
  db.close();
  return schema;
}

const names = (db: Db, sql: string): string[] => db.prepare(sql).pluck().all() as string[];
const columns = (db: Db, schema: string, table: string): string[] =>
  names(db, `SELECT name FROM pragma_table_info('${table}', '${schema}')`);

/** The columns of the older tables. */
function copyRows(to: Db): void {
  for (const table of names(to, "SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name")) {
    const newer = new Set(columns(to, 'newer', table));
    const shared = columns(to, 'main', table)
      .filter((column) => newer.has(column))
      .join(', ');
    to.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} (${shared}) SELECT ${shared} FROM newer.${table}`);
  }
}

/** Before version 7 there was no state `waiting`. Such a message was `delivering`. */
const WAITING_AS_DELIVERING = `
  UPDATE newer.messages SET state = 'delivering' WHERE state = 'waiting';
  UPDATE newer.counters SET n = n + (SELECT n FROM newer.counters WHERE state = 'waiting') WHERE state = 'delivering';
  DELETE FROM newer.counters WHERE state = 'waiting';`;

/** Before version 11 the open attempts stood among the others. */
function moveOpenAttempts(to: Db): void {
  const all = columns(to, 'newer', 'open_attempts').join(', ');
  to.exec(`INSERT INTO main.attempts (${all}) SELECT ${all} FROM newer.open_attempts`);
}

/** Converts the store of a workspace to an earlier version, with its messages. */
export function makeOlder(workspace: string, version: number): void {
  const path = storePath(workspace);
  const older = `${path}-older`;
  const db = newStore(older, version);
  db.exec(`ATTACH '${path.replaceAll("'", "''")}' AS newer`);
  if (version < 7) db.exec(WAITING_AS_DELIVERING);
  db.transaction(copyRows)(db);
  if (version < OPEN_APART_SINCE) moveOpenAttempts(db);
  db.pragma(`application_id = ${String(db.pragma('newer.application_id', { simple: true }))}`);
  db.pragma(`user_version = ${version}`);
  db.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  renameSync(older, path);
}

export interface StoreShape {
  readonly version: number;
  readonly messages: number;
}

/** What is wrong with the store after a kill during a migration from version `before`; null when nothing is. */
export function halfMigrated(workspace: string, before: StoreShape): string | null {
  const db = new Database(storePath(workspace), { readonly: true, fileMustExist: true });
  try {
    const version = db.pragma('user_version', { simple: true }) as number;
    if (version !== before.version && version !== migrations.length) return `version ${version}`;
    if (db.prepare(SCHEMA).pluck().all().join('\n') !== schemaOf(version))
      return `version ${version} with another schema than its own`;
    const messages = version === 0 ? 0 : (db.prepare('SELECT count(*) FROM messages').pluck().get() as number);
    return messages === before.messages ? null : `${messages} messages of ${before.messages}`;
  } finally {
    db.close();
  }
}
