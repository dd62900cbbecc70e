/** For tests that open stores: one that was closed before, a change of its settings, and the code of an error. */
import Database from 'better-sqlite3';
import { openStore, StoreOpenError, storePath } from '../../src/core/store/database.ts';
import { tempWorkspace } from './temp-workspace.ts';

/** A store that was opened once and closed in good order. */
export function madeStore(): { folder: string; path: string } {
  const folder = tempWorkspace();
  openStore(folder).close();
  return { folder, path: storePath(folder) };
}

/** Sets it in a file that nobody has open. */
export function pragma(path: string, setting: string): void {
  const db = new Database(path);
  db.pragma(setting);
  db.close();
}

/** The code of the error with which nothing was opened. */
export const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof StoreOpenError) return error.code;
    throw error;
  }
  return 'no error';
};
