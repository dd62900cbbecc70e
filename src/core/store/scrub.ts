/**
 * Removes bytes from the store's files that no row holds any more. SQLite leaves overwritten and deleted values in free
 * parts of pages and in its log. After a migration that removed secrets from rows, they must not stay there.
 */
import type { Db } from './db.ts';

/**
 * Such a migration sets this key in its transaction. It is removed when the files are clean, so a kill in between
 * repeats the rewrite.
 */
const DUE = "FROM settings WHERE key = 'scrub_due'";
/** A store below this size is rewritten in memory. For a larger one SQLite uses a temporary file. */
const IN_MEMORY_BYTES = 64 * 1024 * 1024;

/** Requests a rewrite, with a statement of the transaction that makes it necessary. */
export const SCRUB_IS_DUE = "INSERT OR REPLACE INTO settings (key, value) VALUES ('scrub_due', '1')";

export const isScrubDue = (db: Db): boolean => db.prepare(`SELECT 1 ${DUE}`).get() !== undefined;

/**
 * Rewrites the main file and empties the log, when that is due. It stays due when it cannot be done now: no space for a
 * second copy, a reader that holds the log, a damaged page. The rows are clean in any case.
 */
export function scrub(db: Db): void {
  if (!isScrubDue(db)) return;
  try {
    rewrite(db);
    if (!emptyLog(db)) return;
    db.exec(`DELETE ${DUE}`);
  } catch {
    // Still due at the next start. The engine logs this.
  }
}

function rewrite(db: Db): void {
  const bytes =
    (db.pragma('page_count', { simple: true }) as number) * (db.pragma('page_size', { simple: true }) as number);
  const before = db.pragma('temp_store', { simple: true }) as number;
  const overwrites = db.pragma('secure_delete', { simple: true }) as number;
  db.pragma(`temp_store = ${bytes <= IN_MEMORY_BYTES ? 'MEMORY' : 'FILE'}`);
  // Otherwise a new page may hold, behind its content, what was in memory before: bytes of old pages.
  db.pragma('secure_delete = ON');
  try {
    db.exec('VACUUM');
  } finally {
    db.pragma(`secure_delete = ${overwrites}`);
    db.pragma(`temp_store = ${before}`);
  }
}

/** Moves the log into the main file and truncates it. False while a reader holds it. */
function emptyLog(db: Db): boolean {
  const [answer] = db.pragma('wal_checkpoint(TRUNCATE)') as Array<{ busy: number }>;
  return answer?.busy === 0;
}
