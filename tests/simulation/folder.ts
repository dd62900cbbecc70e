/** The folder of a world: a fresh store in memory where the system has that, and what must not be in it at the end. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, prepareFolder, storePath } from '../../src/core/store/database.ts';
import { CANARY } from './canaries.ts';

const PREFIX = 'hookbench-sim-';
/** A sync costs nothing there. */
const MEMORY = '/dev/shm';
let template: string | null = null;

/** A folder with an empty store; the caller removes it. */
export function freshFolder(): string {
  template ??= makeTemplate();
  const folder = mkdtempSync(join(base(), PREFIX));
  copyFileSync(storePath(template), storePath(folder));
  return folder;
}

/** Names of the store's files in which a secret stands in clear text. */
export const filesWithSecrets = (folder: string): string[] =>
  ['store.sqlite', 'store.sqlite-wal'].filter((name) => {
    const path = join(folder, name);
    return statSync(path, { throwIfNoEntry: false }) !== undefined && readFileSync(path).includes(CANARY);
  });

function base(): string {
  const hasMemory = process.platform === 'linux' && statSync(MEMORY, { throwIfNoEntry: false })?.isDirectory() === true;
  return hasMemory ? MEMORY : tmpdir();
}

/** Migrated once a process. */
function makeTemplate(): string {
  const folder = mkdtempSync(join(base(), PREFIX));
  prepareFolder(folder);
  openStore(folder).close();
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
