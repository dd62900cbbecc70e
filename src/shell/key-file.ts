/**
 * The key that seals a workspace's secrets, where the system has no safe place for it: 32 bytes as base64 in
 * a file that only this user can read (reliability, section 3, Secrets).
 */

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';

const keyBytes = 32;

/** The key is there but is not one: never replaced, because what it sealed would be lost. */
export class KeyError extends Error {
  readonly code = 'key_unreadable';
  constructor(message: string) {
    super(message);
    this.name = 'KeyError';
  }
}

/** Decodes 32 bytes of base64. Throws a {@link KeyError} that names `where`, never the value. */
export function decodeKey(text: string, where: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, 'base64');
  if (key.length !== keyBytes || key.toString('base64') !== trimmed)
    throw new KeyError(`${where} does not hold a key: 32 bytes as base64 are expected.`);
  return key;
}

/** Written whole under another name, then linked, so that a crash never leaves half a key in its place. */
function makeKeyFile(path: string): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, `${randomBytes(keyBytes).toString('base64')}\n`);
    fsyncSync(file);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}

/** Reads the key at `path`, made at the first start. Wider modes than 0600 are narrowed. */
export function readOrMakeKeyFile(path: string): Buffer {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) makeKeyFile(path);
  const stat = lstatSync(path);
  if (!stat.isFile()) throw new KeyError(`${path} is not a file.`);
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) chmodSync(path, 0o600);
  return decodeKey(readFileSync(path, 'utf8'), path);
}
