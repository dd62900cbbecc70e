/** The file of the search index, beside the store and never part of its transactions. */
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openStoreReadOnly } from './database.ts';
import type { Db } from './db.ts';
import type { OpenBlock, SearchBatch, SearchFile, SearchMarks, SearchStores, SegmentCounts } from './ports/search.ts';
import { SqliteSearchTexts } from './search-texts.ts';

/** "Hkbs" in ASCII. */
const APPLICATION_ID = 0x486b6273;
/** Goes up with every change of the tables or of what the bits mean. A file of another version is made again. */
const VERSION = 3;

const TABLES = `
CREATE TABLE marks (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  store_id TEXT,
  next_block INTEGER NOT NULL,
  attempt INTEGER NOT NULL
) STRICT;
CREATE TABLE blocks (block INTEGER PRIMARY KEY, signature BLOB NOT NULL) STRICT;
CREATE TABLE counts (segment INTEGER PRIMARY KEY, counts BLOB NOT NULL) STRICT;
CREATE TABLE parts (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
`;

/** A segment has fewer parts, so that `segment * PLACES + part` is an id. */
const PLACES = 1_024;

export const searchPath = (workspace: string): string => join(workspace, 'search.sqlite');
/** Endings of the files of the index. */
export const SEARCH_FILES = ['', '-wal', '-shm', '-journal'];

export function deleteSearchFile(workspace: string): void {
  for (const ending of SEARCH_FILES) rmSync(searchPath(workspace) + ending, { force: true });
}

/** Opens a second handle on an open store, and the file of its index when it is asked for. Throws a StoreOpenError. */
export function openSearch(workspace: string): SearchStores {
  const db = openStoreReadOnly(workspace);
  // The pages are read once and in order, so that a large cache would only take memory.
  db.pragma('cache_size = -512');
  return {
    source: new SqliteSearchTexts(db, () => db.close()),
    openFile: () => openSearchFile(workspace),
    isLocked,
    deleteFile: () => deleteSearchFile(workspace),
  };
}

const isLocked = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);

function openSearchFile(workspace: string): SearchFile {
  const path = searchPath(workspace);
  try {
    return new SqliteSearchFile(path);
  } catch (error) {
    if (isLocked(error) || !(error instanceof Database.SqliteError || error instanceof OtherFile)) throw error;
    deleteSearchFile(workspace);
    return new SqliteSearchFile(path);
  }
}

/** Another program's file, or one of another version. */
class OtherFile extends Error {}

class SqliteSearchFile implements SearchFile {
  readonly #db: Db;

  constructor(path: string) {
    this.#db = new Database(path, { timeout: 250 });
    try {
      chmodSync(path, 0o600);
      this.#prepare();
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  #prepare(): void {
    const db = this.#db;
    db.pragma('cache_size = -1024');
    db.pragma('trusted_schema = OFF');
    // What was removed is overwritten, so that erased users leave no bit behind.
    db.pragma('secure_delete = ON');
    if (db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0) {
      db.pragma('page_size = 4096');
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${VERSION}`);
      db.exec(TABLES);
    }
    const is = (name: string, value: number): boolean => db.pragma(name, { simple: true }) === value;
    if (!is('application_id', APPLICATION_ID) || !is('user_version', VERSION)) throw new OtherFile();
    db.pragma('journal_mode = WAL');
    // A crash of the machine may lose the newest transactions, which are then made again.
    db.pragma('synchronous = NORMAL');
  }

  marks(): SearchMarks | null {
    const row = this.#db.prepare('SELECT store_id AS storeId, next_block AS nextBlock, attempt FROM marks').get();
    return (row as SearchMarks | undefined) ?? null;
  }

  blocks(): OpenBlock[] {
    return this.#db.prepare('SELECT block, signature FROM blocks ORDER BY block').all() as OpenBlock[];
  }

  counts(): SegmentCounts[] {
    return this.#db.prepare('SELECT segment, counts FROM counts ORDER BY segment').all() as SegmentCounts[];
  }

  #part: Database.Statement<[number], Uint8Array> | null = null;

  part(segment: number, part: number): Uint8Array | undefined {
    this.#part ??= this.#db.prepare<[number], Uint8Array>('SELECT bytes FROM parts WHERE id = ?').pluck();
    return this.#part.get(segment * PLACES + part);
  }

  save({ marks, blocks, counts, parts, dropBlocks, dropSegments }: SearchBatch): void {
    const db = this.#db;
    db.transaction(() => {
      const put = (sql: string, rows: ReadonlyArray<readonly unknown[]>): void => {
        if (rows.length === 0) return;
        const statement = db.prepare(sql);
        for (const row of rows) statement.run(...row);
      };
      db.prepare('DELETE FROM blocks WHERE block < ?').run(dropBlocks);
      db.prepare('DELETE FROM counts WHERE segment < ?').run(dropSegments);
      db.prepare('DELETE FROM parts WHERE id < ?').run(dropSegments * PLACES);
      put(
        'INSERT OR REPLACE INTO blocks (block, signature) VALUES (?, ?)',
        blocks.map(({ block, signature }) => [block, signature]),
      );
      put(
        'INSERT OR REPLACE INTO counts (segment, counts) VALUES (?, ?)',
        counts.map((one) => [one.segment, one.counts]),
      );
      put(
        'INSERT OR REPLACE INTO parts (id, bytes) VALUES (?, ?)',
        parts.map(({ segment, part, bytes }) => [segment * PLACES + part, bytes]),
      );
      put('INSERT OR REPLACE INTO marks (id, store_id, next_block, attempt) VALUES (1, ?, ?, ?)', [
        [marks.storeId, marks.nextBlock, marks.attempt],
      ]);
    }).immediate();
  }

  settle(): void {
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
  }

  bytes(): number {
    const pages = this.#db.pragma('page_count', { simple: true }) as number;
    return pages * (this.#db.pragma('page_size', { simple: true }) as number);
  }

  close(): void {
    this.#db.close();
  }
}
