/** Checks what delivery relies on before it begins, because a damaged index can silently leave messages out. */
import { type Damage, isDamage } from './damage.ts';
import type { Db } from './database.ts';

/** A check of 100,000 messages takes 0.1 s, 0.3 s from a cold disk. Above this size only `hookbench doctor` checks. */
const MOST = 1_000_000;
const TABLES = ['messages', 'attempts', 'open_attempts'];

/** False when due messages must be found by a walk through the table, around damaged pages. */
export function dueTimesAreSound(db: Db, damage: Damage): boolean {
  const stored = db.prepare('SELECT sum(n) FROM counters').pluck().get() as number;
  if (stored > MOST) return true;
  const problem = problemOf(db) ?? wrongCounts(db);
  if (problem === null) return true;
  damage.found(problem);
  return rebuildIndexes(db);
}

function problemOf(db: Db): string | null {
  for (const table of TABLES) {
    try {
      const found = db.pragma(`integrity_check(${table})`, { simple: true }) as string;
      if (found !== 'ok') return found;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return (error as Error).message;
    }
  }
  return null;
}

function wrongCounts(db: Db): string | null {
  const counted = db.prepare('SELECT state, count(*) AS n FROM messages NOT INDEXED GROUP BY state').all();
  const kept = db.prepare('SELECT state, n FROM counters WHERE n <> 0 ORDER BY state').all();
  return JSON.stringify(counted) === JSON.stringify(kept) ? null : 'the counts by state are not those of the messages';
}

/**
 * Rebuilds the indexes from their tables, which loses nothing when only an index is damaged. The old pages stay unused,
 * because SQLite would follow damaged pointers to free them. True when everything is sound afterwards; otherwise
 * nothing has changed.
 */
function rebuildIndexes(db: Db): boolean {
  const which = `type = 'index' AND sql IS NOT NULL AND tbl_name IN (${TABLES.map((name) => `'${name}'`).join(', ')})`;
  db.unsafeMode(true);
  try {
    db.exec('BEGIN IMMEDIATE');
    const indexes = db.prepare(`SELECT sql FROM sqlite_schema WHERE ${which}`).pluck().all() as string[];
    db.pragma('writable_schema = ON');
    db.exec(`DELETE FROM sqlite_schema WHERE ${which}`);
    db.pragma('writable_schema = RESET');
    for (const sql of indexes) db.exec(sql);
    const isSound = problemOf(db) === null;
    db.exec(isSound ? 'COMMIT' : 'ROLLBACK');
    return isSound;
  } catch {
    if (db.inTransaction) db.exec('ROLLBACK');
    return false;
  } finally {
    db.pragma('writable_schema = RESET');
    db.unsafeMode(false);
  }
}
