/** Small files that only this user can read, written whole or not at all. */
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';

/** Null when there is no file. Throws when it exists and cannot be read. */
export function readIfThere(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes with mode 0600 and replaces what was there. */
export function writePrivate(path: string, bytes: Uint8Array | string): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

/** Takes access away from other users, where files have modes. */
export function narrow(path: string): void {
  if (process.platform !== 'win32') chmodSync(path, 0o600);
}
