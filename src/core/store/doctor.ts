/**
 * Checks the store of a workspace while no engine runs, and saves what is readable in a damaged store into a new file.
 */
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { isDamage } from './damage.ts';
import { type Db, lockWorkspace, openStoreReadOnly, StoreOpenError, storePath } from './database.ts';
import { lastIds, storeId } from './identity.ts';
import { type SavedTable, salvage } from './salvage.ts';
import { deleteSearchFile } from './search-file.ts';
import { readSideFile, sideFilePath, writeSideFile } from './side-file.ts';

export interface Examined {
  readonly store: string;
  /** Empty when the store is sound. */
  readonly problems: readonly string[];
}

export interface Repaired {
  readonly store: string;
  /** Path of the damaged file now. */
  readonly aside: string;
  readonly tables: readonly SavedTable[];
}

const MOST_PROBLEMS = 20;
const LOG_FILES = ['-wal', '-shm'];

/** Throws a StoreOpenError: `workspace_in_use` while an engine runs there, `no_store` when there is none. */
export function examine(workspace: string): Examined {
  const lock = lockWorkspace(workspace);
  try {
    const problems = problemsOf(workspace);
    // The store is sound, so the side file no longer calls it damaged.
    const side = readSideFile(workspace);
    if (problems.length === 0 && side?.damagedAt !== undefined)
      writeSideFile(workspace, { ...side, damagedAt: undefined });
    // The next start must look for itself.
    if (problems.length > 0 && side?.soundAs !== undefined) writeSideFile(workspace, { ...side, soundAs: undefined });
    return { store: storePath(workspace), problems };
  } finally {
    lock.release();
  }
}

function problemsOf(workspace: string): string[] {
  let db: Db | undefined;
  try {
    db = openStoreReadOnly(workspace);
    const found = (db.pragma(`integrity_check(${MOST_PROBLEMS})`) as Array<{ integrity_check: string }>)
      .flatMap((row) => row.integrity_check.split('\n'))
      .filter((text) => text !== 'ok' && !text.startsWith('***'));
    // Unused pages are not a problem: a rebuilt index leaves them.
    return [...found.filter((text) => !text.endsWith(': never used')), ...brokenBodies(db), ...wrongCounts(db)];
  } catch (error) {
    if (isDamage(error)) return [(error as Error).message];
    if ((error as { code?: string }).code === 'store_corrupt') return [(error as Error).message];
    throw error;
  } finally {
    db?.close();
  }
}

function brokenBodies(db: Db): string[] {
  let broken = 0;
  for (const { wire, sum } of db
    .prepare('SELECT wire, crc32 AS sum FROM message_bodies')
    .iterate() as IterableIterator<{
    wire: Uint8Array;
    sum: number;
  }>)
    if (crc32(wire) !== sum) broken += 1;
  return broken === 0 ? [] : [`${broken} stored bodies do not match their checksum`];
}

function wrongCounts(db: Db): string[] {
  const counted = db.prepare('SELECT state, count(*) AS n FROM messages NOT INDEXED GROUP BY state').all();
  const kept = db.prepare('SELECT state, n FROM counters WHERE n <> 0 ORDER BY state').all();
  return JSON.stringify(counted) === JSON.stringify(kept) ? [] : ['the counts by state are not those of the messages'];
}

/**
 * First copies the damaged file and its log aside. Then saves what is readable in the copy into a new file, which
 * replaces the store in one step. Throws a StoreOpenError.
 */
export function repair(workspace: string, now: number): Repaired {
  const lock = lockWorkspace(workspace);
  const path = storePath(workspace);
  const next = join(workspace, 'store.repaired.sqlite');
  try {
    const name = `store.damaged-${new Date(now).toISOString().replace(/[:.]/g, '-')}.sqlite`;
    const aside = join(workspace, name);
    openStoreReadOnly(workspace).close();
    copyFileSync(path, aside);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${aside}-wal`);
    for (const file of [next, ...LOG_FILES.map((suffix) => next + suffix)]) rmSync(file, { force: true });
    const tables = saved(aside, next, now);
    noteNew(workspace, next);
    deleteSearchFile(workspace);
    for (const suffix of LOG_FILES) rmSync(path + suffix, { force: true });
    renameSync(next, path);
    return { store: path, aside, tables };
  } catch (error) {
    if (!isDamage(error) && (error as { code?: string }).code !== 'store_corrupt') throw error;
    const text = `${path}: its list of tables cannot be read, so nothing can be saved from it here. It was left as it is; put a copy back.`;
    throw new StoreOpenError('store_corrupt', text, error);
  } finally {
    lock.release();
  }
}

function saved(aside: string, next: string, now: number): SavedTable[] {
  const from = new Database(aside, { readonly: true });
  try {
    return salvage(from, next, now);
  } finally {
    from.close();
  }
}

/** The new file may have fewer rows than the damaged one, so the side file now describes the new one. */
function noteNew(workspace: string, next: string): void {
  const db = new Database(next, { readonly: true });
  const store = storeId(db);
  const last = lastIds(db);
  db.close();
  if (store === null) rmSync(sideFilePath(workspace), { force: true });
  else writeSideFile(workspace, { store, ...last });
}
