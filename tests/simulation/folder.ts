/**
 * The folder of a world: a new store, in memory where the system allows it, and the check for secrets in it at the end.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, prepareFolder, storePath } from '../../src/core/store/database.ts';
import { memoryFolder } from '../helpers/memory-folder.ts';

const PREFIX = 'hookbench-sim-';
/** The folder of this process, with a migrated store to copy. Made once and removed at the end of the process. */
let own: string | null = null;

/** A folder with an empty store; the caller removes it. */
export function freshFolder(): string {
  own ??= makeOwn();
  const folder = mkdtempSync(join(own, 'world-'));
  copyFileSync(storePath(own), storePath(folder));
  return folder;
}

/** Names of the store's files in which the text stands as it is. */
export const filesWith = (folder: string, text: string): string[] =>
  ['store.sqlite', 'store.sqlite-wal'].filter((name) => {
    const path = join(folder, name);
    return statSync(path, { throwIfNoEntry: false }) !== undefined && readFileSync(path).includes(text);
  });

function makeOwn(): string {
  const folder = mkdtempSync(join(memoryFolder(), PREFIX));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  prepareFolder(folder);
  openStore(folder).close();
  return folder;
}
