/** Identifies a store, and records its largest row ids. */
import type { Db } from './db.ts';
import type { LastIds } from './side-file.ts';

/** Null when the store never got one. */
export function storeId(db: Db): string | null {
  const text = db.prepare("SELECT value FROM settings WHERE key = 'store_id'").pluck().get() as string | undefined;
  return text === undefined ? null : (JSON.parse(text) as string);
}

/** Gives a store its id, once. */
export function ensureStoreId(db: Db): void {
  db.exec(
    `INSERT INTO settings (key, value) VALUES ('store_id', '"' || lower(hex(randomblob(16))) || '"')
     ON CONFLICT (key) DO NOTHING`,
  );
}

export const lastIds = (db: Db): LastIds =>
  db
    .prepare(
      `SELECT coalesce((SELECT max(id) FROM requests), 0) AS requests,
              coalesce((SELECT max(id) FROM attempts), 0) AS attempts,
              coalesce((SELECT max(id) FROM replays), 0) AS replays`,
    )
    .get() as LastIds;
