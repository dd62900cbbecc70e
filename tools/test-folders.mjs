// Where tests keep things while they run: what Node compiled, and temporary folders in memory.
import { mkdtempSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pinned-node.mjs';
import { removeAtExit } from './remove-folder.mjs';

/** Tests start programs hundreds of times. Node keeps their modules compiled here while the sources are the same. */
const COMPILED = join(root, 'node_modules', '.cache', 'hookbench-compiled');

const MEMORY = '/dev/shm';
const PREFIX = join(MEMORY, 'hookbench-tests-');
/** A container may have 64 MB; a run needs less than this. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

function hasMemory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return process.platform === 'linux' && bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/**
 * For everything that this process starts. The stores of tests sync at every commit, which takes 0.1 ms in memory and
 * several on a disk; a program that is killed leaves the same files in both.
 */
export function setTestFolders() {
  process.env.NODE_COMPILE_CACHE ??= COMPILED;
  if (process.env.TMPDIR?.startsWith(PREFIX) || !hasMemory()) return;
  const folder = mkdtempSync(PREFIX);
  process.env.TMPDIR = folder;
  removeAtExit(folder);
}
