/**
 * The key that seals the secrets of a workspace where the system has no safe place for it: 32 bytes as base64 in
 * a file that only this user can read (reliability, section 3, Secrets).
 */

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;

/** In a workspace: the key as the desktop app keeps it, sealed by the system. */
export const SEALED_KEY_NAME = 'key.sealed';

/** The file exists but holds no key. It is never replaced, because what its key sealed would be lost. */
export class KeyError extends Error {
  readonly code: 'key_unreadable' | 'key_sealed';
  constructor(message: string, code: KeyError['code'] = 'key_unreadable') {
    super(message);
    this.name = 'KeyError';
    this.code = code;
  }
}

/** Decodes 32 bytes of base64. Throws a {@link KeyError} that names `where`, never the value. */
export function decodeKey(text: string, where: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, 'base64');
  if (key.length !== KEY_BYTES || key.toString('base64') !== trimmed)
    throw new KeyError(`${where} does not hold a key: 32 bytes as base64 are expected.`);
  return key;
}

/** Written whole under another name, then linked, so that a crash never leaves half a key in its place. */
function makeKeyFile(path: string, key: Buffer): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, `${key.toString('base64')}\n`);
    fsyncSync(file);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}

/** Reads the key at `path`, or writes `made` if there is none. Narrows modes wider than 0600. */
export function readOrMakeKeyFile(path: string, made: Buffer = randomBytes(KEY_BYTES)): Buffer {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) makeKeyFile(path, made);
  const stat = lstatSync(path);
  if (!stat.isFile()) throw new KeyError(`${path} is not a file.`);
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) chmodSync(path, 0o600);
  return decodeKey(readFileSync(path, 'utf8'), path);
}

/** The key of a workspace for a shell that cannot ask the system's key store. Throws a {@link KeyError}. */
export function keyWithoutSystem(
  workspace: string,
  given: string | undefined,
): { readonly key: Buffer; readonly storage: 'environment' | 'file' } {
  if (given !== undefined && given !== '') return { key: decodeKey(given, 'HOOKBENCH_KEY'), storage: 'environment' };
  const plainFile = join(workspace, 'key');
  const sealedFile = join(workspace, SEALED_KEY_NAME);
  // Neither of two keys could open what the other one sealed.
  if (existsSync(sealedFile) && !existsSync(plainFile))
    throw new KeyError(
      `The desktop app keeps the key of this workspace in the system's key store (${sealedFile}). ` +
        'Start the desktop app once with --key-file, which moves the key to a file that only you can read, ' +
        'or give the key in HOOKBENCH_KEY.',
      'key_sealed',
    );
  return { key: readOrMakeKeyFile(plainFile), storage: 'file' };
}
