/** A small file that only this user can read, written whole or not at all. */
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';

/** Null when there is none. Throws when it is there and cannot be read. */
export function readIfThere(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Mode 0600; takes the place of what was there. */
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

/** Takes read rights from others, where files have modes. */
export function narrow(path: string): void {
  if (process.platform !== 'win32') chmodSync(path, 0o600);
}
