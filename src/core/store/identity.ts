/** Identifies a store, and records its largest row ids. */

import type { Db } from './db.ts';
import { NEWEST_ATTEMPT } from './newest-attempt.ts';
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

const newest = (table: string): string => `coalesce((SELECT max(id) FROM ${table}), 0)`;

/** Also of a store that is not migrated yet, in which open attempts are among all others. */
export function lastIds(db: Db): LastIds {
  const areApart = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'open_attempts'").get() !== undefined;
  const attempts = areApart ? NEWEST_ATTEMPT : newest('attempts');
  return db
    .prepare(`SELECT ${newest('requests')} AS requests, ${attempts} AS attempts, ${newest('replays')} AS replays`)
    .get() as LastIds;
}
