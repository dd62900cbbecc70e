import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { failpoint } from '../failpoint.ts';
import type { Db } from './db.ts';
import { ensureStoreId, lastIds, storeId } from './identity.ts';
import { LONGEST_LOG_FILE, MOVED_IN_COMMIT } from './log-passes.ts';
import { applyMigrations, EDITED_SINCE, migrations, OPEN_APART_SINCE, SEALED_SINCE } from './migrations.ts';
import { REPLAYS_VIEW } from './schema/edited-replays.ts';
import { OPEN_ATTEMPTS_VIEWS } from './schema/open-attempts.ts';
import { SEALED_VIEW } from './schema/seal-attempt-headers.ts';
import { scrub } from './scrub.ts';
import { mismatch, missingFile, readSideFile } from './side-file.ts';

export type { Db } from './db.ts';

/** "Hkbn" in ASCII. It marks our files among other SQLite files. */
export const APPLICATION_ID = 0x486b626e;

/** Pages that SQLite keeps in memory. The system's own cache has others: with 16 MB here nothing was faster. */
const CACHE_KIB = 4_096;

/** Below this version a WAL reset can corrupt the file (SQLite 3.51.3 fixed it). */
const MIN_SQLITE = [3, 51, 3] as const;

export type StoreOpenErrorCode =
  | 'workspace_in_use'
  | 'workspace_not_writable'
  | 'store_newer'
  | 'store_corrupt'
  | 'store_foreign'
  | 'store_replaced'
  | 'no_store';

/** Why a store could not be opened. Nothing was changed. */
export class StoreOpenError extends Error {
  readonly code: StoreOpenErrorCode;
  constructor(code: StoreOpenErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreOpenError';
    this.code = code;
  }
}

export const storePath = (workspace: string): string => join(workspace, 'store.sqlite');

/** Makes the folder with mode 0700, or tightens it. */
export function prepareFolder(workspace: string): void {
  try {
    mkdirSync(workspace, { recursive: true, mode: 0o700 });
    chmodSync(workspace, 0o700);
  } catch (error) {
    throw new StoreOpenError('workspace_not_writable', `The folder ${workspace} cannot be used.`, error);
  }
}

/**
 * Locks the workspace for this process. The lock is a SQLite lock on a separate file, so the system releases it however
 * the process ends. Throws `workspace_in_use` or `workspace_not_writable`.
 */
export function lockWorkspace(workspace: string): { release(): void } {
  const path = join(workspace, 'lock.sqlite');
  let lock: Db | undefined;
  try {
    const held = new Database(path, { timeout: 0 });
    lock = held;
    chmodSync(path, 0o600);
    held.pragma('locking_mode = EXCLUSIVE');
    held.exec('BEGIN EXCLUSIVE');
    return { release: () => held.close() };
  } catch (error) {
    lock?.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new StoreOpenError('workspace_in_use', `Another Hookbench has the workspace ${workspace} open.`, error);
    throw new StoreOpenError('workspace_not_writable', `${path} cannot be locked.`, error);
  }
}

/** Throws below {@link MIN_SQLITE}. */
export function requireSqlite(db: Pick<Db, 'prepare'>): void {
  const version = db.prepare('SELECT sqlite_version()').pluck().get() as string;
  const parts = version.split('.').map(Number);
  for (const [i, least] of MIN_SQLITE.entries()) {
    const part = parts[i] ?? 0;
    if (part > least) return;
    if (part < least) throw new Error(`SQLite ${version} is older than ${MIN_SQLITE.join('.')}.`);
  }
}

function identify(db: Db, path: string): void {
  const id = db.pragma('application_id', { simple: true });
  const version = db.pragma('user_version', { simple: true }) as number;
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
  if (id !== APPLICATION_ID && (id !== 0 || tables > 0))
    throw new StoreOpenError('store_foreign', `${path} is not a store of Hookbench.`);
  if (version > migrations.length)
    throw new StoreOpenError('store_newer', `${path} was written by a newer Hookbench (version ${version}).`);
}

function migrate(db: Db): void {
  const from = db.pragma('user_version', { simple: true }) as number;
  if (from === migrations.length) return;
  db.transaction(() => {
    applyMigrations(db, from, migrations.length, () => failpoint('migrating'));
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${migrations.length}`);
  }).immediate();
}

/**
 * WAL with `synchronous=FULL`. FULL is set after WAL, because better-sqlite3's build drops to NORMAL at the first write
 * in WAL mode unless FULL is set. Asserted after a first write.
 */
function makeDurable(db: Db): void {
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma(`wal_autocheckpoint = ${MOVED_IN_COMMIT}`);
  db.pragma(`journal_size_limit = ${LONGEST_LOG_FILE}`);
  db.prepare(
    "INSERT INTO settings (key, value) VALUES ('opened', '1') ON CONFLICT (key) DO UPDATE SET value = value + 1",
  ).run();
  ensureStoreId(db);
  const mode = db.pragma('synchronous', { simple: true });
  if (mode !== 2) throw new Error(`synchronous is ${String(mode)}, not FULL`);
}

export const isCorrupt = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code);

const corrupt = (path: string, cause: unknown): StoreOpenError =>
  new StoreOpenError(
    'store_corrupt',
    `${path} is damaged; it was left as it is. hookbench doctor --repair puts what can be read into a new file.`,
    cause,
  );

/**
 * Damage that is found while the engine starts gets the same error as damage found on opening. A setting that is not
 * JSON counts as damage.
 */
export const startError = (workspace: string, error: unknown): unknown =>
  isCorrupt(error) || error instanceof SyntaxError || (error instanceof Error && isCorrupt(error.cause))
    ? corrupt(storePath(workspace), error)
    : error;

const replaced = (path: string, what: string): StoreOpenError =>
  new StoreOpenError(
    'store_replaced',
    `${path} ${what}. It was left as it is: put the right file back, or accept this state.`,
  );

/** Checks against the side file that this is the store that was here before. Throws `store_replaced`. */
function compare(db: Db, workspace: string): void {
  const side = readSideFile(workspace);
  if (side === null) return;
  const tables = db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'settings'").pluck().get();
  const what = tables === 0 ? mismatch(side, null, side) : mismatch(side, storeId(db), lastIds(db));
  if (what !== null) throw replaced(storePath(workspace), what);
}

export interface OpenStoreOptions {
  /** True when the user wants to open the file even if the side file names another store. */
  readonly accept?: boolean;
}

/** Opens (or makes) the store for writing. Throws a {@link StoreOpenError}. */
export function openStore(workspace: string, { accept = false }: OpenStoreOptions = {}): Db {
  const path = storePath(workspace);
  let db: Db | undefined;
  try {
    // Before SQLite opens the file, because it would create a missing file and drop the log of an empty one.
    const missing = accept || readSideFile(workspace) === null ? null : missingFile(path);
    if (missing !== null) throw replaced(path, missing);
    db = new Database(path, { timeout: 250 });
    requireSqlite(db);
    identify(db, path);
    if (!accept) compare(db, workspace);
    chmodSync(path, 0o600);
    db.pragma(`cache_size = -${CACHE_KIB}`);
    db.pragma('temp_store = MEMORY');
    db.pragma('trusted_schema = OFF');
    if ((db.pragma('user_version', { simple: true }) as number) === 0) db.pragma('page_size = 4096');
    db.pragma('journal_mode = WAL');
    migrate(db);
    makeDurable(db);
    scrub(db);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof StoreOpenError) throw error;
    if (isCorrupt(error)) throw corrupt(path, error);
    throw new StoreOpenError('workspace_not_writable', `${path} cannot be opened: ${(error as Error).message}`, error);
  }
}

/**
 * Opens an existing store for reading while no engine runs. Throws a {@link StoreOpenError}; `no_store` when there is
 * none.
 */
export function openStoreReadOnly(workspace: string): Db {
  const path = storePath(workspace);
  if (!existsSync(path)) throw new StoreOpenError('no_store', `There is no store in ${workspace}.`);
  const db = new Database(path, { readonly: true, timeout: 1000 });
  try {
    identify(db, path);
    const version = db.pragma('user_version', { simple: true }) as number;
    if (version > 0 && version < SEALED_SINCE) db.exec(SEALED_VIEW);
    if (version > 0 && version < EDITED_SINCE) db.exec(REPLAYS_VIEW);
    if (version > 0 && version < OPEN_APART_SINCE) db.exec(OPEN_ATTEMPTS_VIEWS);
  } catch (error) {
    db.close();
    throw isCorrupt(error) ? corrupt(path, error) : error;
  }
  return db;
}
