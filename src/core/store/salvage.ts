/** Copies the readable rows of a damaged store into a new file, and counts the lost ones. */
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { deliver, fail, interruptedCells, type Resting, type Standing, type UnderWay } from '../model/moves.ts';
import { MESSAGE_STATES, OPEN_STATES } from '../model/vocabulary.ts';
import { isDamage } from './damage.ts';
import { APPLICATION_ID, type Db } from './database.ts';
import { DueTimes } from './due-times.ts';
import { MessageMoves } from './message-moves.ts';
import { applyMigrations, migrations } from './migrations.ts';
import { Changes } from './ports/changes.ts';
import { columns } from './statements.ts';
import { walk } from './walk.ts';

export interface SavedTable {
  readonly table: string;
  readonly kept: number;
  /** Null when the original number is unknown. */
  readonly lost: number | null;
}

interface CopiedTable {
  readonly table: string;
  /** Rows in the damaged store; null when they cannot be counted. */
  readonly before: number | null;
}

const STANDING = columns(['id', 'state', 'round', 'cells', 'nextDueAt', 'firstAttemptAt', 'windowEndsAt']);

const quoted = (name: string): string => `"${name}"`;

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
  return db;
}

/** Throws SQLite's error when not even the schema can be read. */
export function salvage(from: Db, path: string, now: number): SavedTable[] {
  const stored = from.pragma('user_version', { simple: true }) as number;
  const to = emptyStore(path, stored > 0 ? Math.min(stored, migrations.length) : migrations.length);
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

function copyTable(from: Db, to: Db, table: string, withoutRowid: boolean): CopiedTable {
  const columns = to.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];
  const list = columns.map(quoted).join(', ');
  const insert = to.prepare(
    `INSERT OR IGNORE INTO ${quoted(table)} (${list}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const values of rowsOf(from, table, list, withoutRowid)) take(insert, values);
  const before = orNull(
    () =>
      from
        .prepare(`SELECT count(*) FROM ${quoted(table)}`)
        .pluck()
        .get() as number,
  );
  return { table, before };
}

/** The table rejects a row whose values were overwritten. */
function take(insert: Database.Statement, values: readonly unknown[]): void {
  try {
    insert.run(...values);
  } catch {}
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

/**
 * Makes the parts agree again: no row in an unknown state, no damaged body, no message that waits for one, nothing sent
 * twice, correct counts.
 */
function settle(to: Db, copied: readonly CopiedTable[], now: number): SavedTable[] {
  dropUnknownStates(to);
  dropBrokenBodies(to);
  endMessages(to, now);
  to.exec('DELETE FROM message_bodies WHERE id NOT IN (SELECT id FROM messages)');
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
    .map(({ table, before }) => {
      const kept = count(`SELECT count(*) FROM ${quoted(table)}`);
      const lost = before === null ? null : Math.max(0, before - kept);
      return { table, kept, lost: missing[table] ?? lost };
    });
}

/** The table takes any state, but nothing knows what to do with a message whose state was overwritten. */
function dropUnknownStates(to: Db): void {
  const known = MESSAGE_STATES.map(() => '?').join(', ');
  to.prepare(`DELETE FROM messages WHERE state NOT IN (${known})`).run(...MESSAGE_STATES);
}

function dropBrokenBodies(to: Db): void {
  const bodies = to.prepare('SELECT id, wire, crc32 AS sum FROM message_bodies').iterate();
  const broken: number[] = [];
  for (const { id, wire, sum } of bodies as IterableIterator<{ id: number; wire: Uint8Array; sum: number }>)
    if (crc32(wire) !== sum) broken.push(id);
  const drop = to.prepare('DELETE FROM message_bodies WHERE id = ?');
  for (const id of broken) drop.run(id);
}

interface OpenMessage extends Standing<UnderWay | Resting> {
  readonly wasAccepted: number;
  readonly hasBody: number;
}

/** A message that a webhook accepted is delivered. One that waits for a lost body fails. */
function endMessages(to: Db, now: number): void {
  const rows = to.prepare(
    `SELECT ${STANDING},
       EXISTS (SELECT 1 FROM attempts a
         WHERE a.message_id = messages.id AND a.outcome = 'accepted' AND a.replay_id IS NULL) AS wasAccepted,
       EXISTS (SELECT 1 FROM message_bodies b WHERE b.id = messages.id) AS hasBody
     FROM messages WHERE state IN (${OPEN_STATES.map(() => '?').join(', ')})`,
  );
  const moves = new MessageMoves(to, new DueTimes());
  const changes = new Changes();
  for (const { wasAccepted, hasBody, ...from } of rows.all(...OPEN_STATES) as OpenMessage[]) {
    const cells = interruptedCells(from.cells, null);
    if (wasAccepted === 1) moves.apply(deliver(from, now, cells), changes);
    else if (hasBody === 0) moves.apply(fail(from, now, cells, 'body_damaged'), changes);
  }
}
