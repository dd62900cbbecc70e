/** Copies the readable rows of a damaged store into a new file, and counts the lost ones. */
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { MESSAGE_STATES, OPEN_STATES } from '../model/vocabulary.ts';
import { isDamage } from './damage.ts';
import { APPLICATION_ID, type Db } from './database.ts';
import { applyMigrations, migrations } from './migrations.ts';
import { walk } from './walk.ts';

export interface SavedTable {
  readonly table: string;
  readonly kept: number;
  /** Null when the original number is unknown. */
  readonly lost: number | null;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const orNull = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
};

/** Makes an empty store of the same version. The next start migrates it, as it would have migrated the damaged one. */
function emptyStore(path: string, version: number): Db {
  const db = new Database(path);
  applyMigrations(db, 0, version);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${version}`);
  db.exec('DELETE FROM counters');
  return db;
}

/** Throws SQLite's error when not even the schema can be read. */
export function salvage(from: Db, path: string, now: number): SavedTable[] {
  const stored = from.pragma('user_version', { simple: true }) as number;
  const to = emptyStore(path, stored > 0 && stored <= migrations.length ? stored : migrations.length);
  try {
    const tables = to
      .prepare(
        "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'",
      )
      .all() as Array<{ name: string; wr: number }>;
    const saved = to.transaction(() => {
      const copied = tables.map(({ name, wr }) => copyTable(from, to, name, wr === 1));
      return settle(to, copied, now);
    })();
    const check = to.pragma('integrity_check', { simple: true });
    if (check !== 'ok') throw new Error(`The new file is not sound: ${String(check)}`);
    return saved;
  } finally {
    to.close();
  }
}

function copyTable(from: Db, to: Db, table: string, withoutRowid: boolean): SavedTable {
  const columns = to.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];
  const list = columns.map(quoted).join(', ');
  const insert = to.prepare(
    `INSERT OR IGNORE INTO ${quoted(table)} (${list}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  let kept = 0;
  for (const values of rowsOf(from, table, list, withoutRowid)) if (isTaken(insert, values)) kept += 1;
  const before = orNull(
    () =>
      from
        .prepare(`SELECT count(*) FROM ${quoted(table)}`)
        .pluck()
        .get() as number,
  );
  return { table, kept, lost: before === null ? null : Math.max(0, before - kept) };
}

/** The table rejects a row whose values were overwritten. */
function isTaken(insert: Database.Statement, values: readonly unknown[]): boolean {
  try {
    return insert.run(...values).changes === 1;
  } catch {
    return false;
  }
}

function* rowsOf(from: Db, table: string, list: string, withoutRowid: boolean): Generator<unknown[]> {
  if (withoutRowid) {
    yield* orNull(
      () =>
        from
          .prepare(`SELECT ${list} FROM ${quoted(table)}`)
          .raw()
          .all() as unknown[][],
    ) ?? [];
    return;
  }
  const rows = from
    .prepare(`SELECT rowid, ${list} FROM ${quoted(table)} NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT ?`)
    .raw();
  const read = (id: number, limit: number) =>
    (rows.all(id, limit) as unknown[][]).map(([rowid, ...values]) => ({ id: rowid as number, values }));
  const first = orNull(
    () =>
      from
        .prepare(`SELECT min(rowid) FROM ${quoted(table)}`)
        .pluck()
        .get() as number | null,
  );
  for (const some of walk(read, () => {}, (first ?? 1) - 1)) for (const { values } of some) yield values;
}

/** Makes the parts agree again: no damaged body, no message that waits for one, nothing sent twice, correct counts. */
function settle(to: Db, copied: readonly SavedTable[], now: number): SavedTable[] {
  const bodies = to.prepare('SELECT id, wire, crc32 FROM message_bodies').iterate() as IterableIterator<{
    id: number;
    wire: Uint8Array;
    crc32: number;
  }>;
  const broken = [...bodies].filter((body) => crc32(body.wire) !== body.crc32).map(({ id }) => id);
  for (const id of broken) to.prepare('DELETE FROM message_bodies WHERE id = ?').run(id);
  to.exec(`UPDATE messages SET state = 'delivered', next_due_at = NULL, finished_at = ${now}
    WHERE next_due_at IS NOT NULL AND id IN
      (SELECT message_id FROM attempts WHERE outcome = 'accepted' AND replay_id IS NULL)`);
  to.exec(`UPDATE messages SET state = 'failed', reason = 'body_damaged', next_due_at = NULL, finished_at = ${now}
    WHERE state IN (${OPEN_STATES.map((state) => `'${state}'`).join(', ')}) AND id NOT IN (SELECT id FROM message_bodies)`);
  to.exec(`DELETE FROM message_bodies WHERE id NOT IN (SELECT id FROM messages)`);
  to.exec('DELETE FROM counters');
  for (const state of MESSAGE_STATES)
    to.prepare('INSERT INTO counters (state, n) SELECT ?, count(*) FROM messages WHERE state = ?').run(state, state);
  const count = (sql: string): number => to.prepare(sql).pluck().get() as number;
  const missing: Record<string, number> = {
    message_bodies: count(
      "SELECT count(*) FROM messages WHERE state <> 'rejected' AND id NOT IN (SELECT id FROM message_bodies)",
    ),
    requests: count(
      'SELECT count(DISTINCT request_id) FROM messages WHERE request_id NOT IN (SELECT id FROM requests)',
    ),
  };
  return copied
    .filter(({ table }) => table !== 'counters')
    .map(({ table, lost }) => ({
      table,
      kept: count(`SELECT count(*) FROM ${quoted(table)}`),
      lost: missing[table] ?? lost,
    }));
}
