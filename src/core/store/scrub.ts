/**
 * Takes bytes out of the store's files that no row holds any more. SQLite leaves what was overwritten or deleted in
 * free parts of pages and in its log; after a migration that took secrets out of rows they must not stay there.
 */
import type { Db } from './db.ts';

/** Set by such a migration, in its transaction, and removed when the files are clean: a kill in between starts it again. */
const DUE = "FROM settings WHERE key = 'scrub_due'";
/** A smaller store is rewritten in memory; for a larger one SQLite uses a file of its own, which it removes at once. */
const IN_MEMORY_BYTES = 64 * 1024 * 1024;

export const isScrubDue = (db: Db): boolean => db.prepare(`SELECT 1 ${DUE}`).get() !== undefined;

/**
 * Rewrites the main file and empties the log, when that is due. It stays due when it cannot be done now: no space for a
 * second copy, a reader that holds the log, a damaged page. The rows themselves are clean all the same.
 */
export function scrub(db: Db): void {
  if (!isScrubDue(db)) return;
  try {
    rewrite(db);
    if (!emptyLog(db)) return;
    db.exec(`DELETE ${DUE}`);
  } catch {
    // Due at the next start again; the engine logs that it is.
  }
}

function rewrite(db: Db): void {
  const bytes =
    (db.pragma('page_count', { simple: true }) as number) * (db.pragma('page_size', { simple: true }) as number);
  const before = db.pragma('temp_store', { simple: true }) as number;
  db.pragma(`temp_store = ${bytes <= IN_MEMORY_BYTES ? 'MEMORY' : 'FILE'}`);
  try {
    db.exec('VACUUM');
  } finally {
    db.pragma(`temp_store = ${before}`);
  }
}

/** Moves the log into the main file and cuts it to nothing. False while a reader holds it. */
function emptyLog(db: Db): boolean {
  const [answer] = db.pragma('wal_checkpoint(TRUNCATE)') as Array<{ busy: number }>;
  return answer?.busy === 0;
}
