/**
 * The key that seals the secrets of a workspace, itself sealed by the system (safeStorage). Where the system has
 * no safe place, or only obfuscates (`basic_text`), it lies in a 0600 file and the interface says so
 * (reliability, section 3, Secrets). A sealed key is never replaced by an unsealed one unless a person asks for it
 * (`--key-file`).
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeKey, KeyError, readOrMakeKeyFile, SEALED_KEY_NAME } from '../shell/key-file.ts';

/** The part of Electron's safeStorage that is used. */
export interface SafeStorage {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  encryptStringAsync(text: string): Promise<Buffer>;
  decryptStringAsync(sealed: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }>;
  getSelectedStorageBackend?(): string;
}

export interface WorkspaceKey {
  readonly key: Buffer;
  readonly storage: 'system' | 'file';
}

async function isSafe(storage: SafeStorage, platform: NodeJS.Platform): Promise<boolean> {
  if (!(await storage.isAsyncEncryptionAvailable().catch(() => false))) return false;
  if (platform !== 'linux') return true;
  const backend = storage.getSelectedStorageBackend?.();
  return backend !== 'basic_text' && backend !== 'unknown' && backend !== undefined;
}

async function writeSealed(path: string, key: Buffer, storage: SafeStorage): Promise<void> {
  const sealed = await storage.encryptStringAsync(key.toString('base64'));
  writeFileSync(`${path}.new`, sealed, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

async function openSealed(path: string, storage: SafeStorage): Promise<Buffer> {
  const sealed = readFileSync(path);
  const opened = await storage.decryptStringAsync(sealed).catch((error: unknown) => {
    throw new KeyError(`The system could not open ${path}: ${error instanceof Error ? error.message : String(error)}`);
  });
  const key = decodeKey(opened.result, path);
  if (opened.shouldReEncrypt) await writeSealed(path, key, storage);
  return key;
}

/** A key file, which the command line can open too. The sealed key goes only once the file holds the same key. */
function unsealed(key: Buffer, plainFile: string, sealedFile: string): WorkspaceKey {
  if (!readOrMakeKeyFile(plainFile, key).equals(key))
    throw new KeyError(`${plainFile} holds another key than ${sealedFile}; both were left as they are.`);
  rmSync(sealedFile, { force: true });
  return { key, storage: 'file' };
}

export interface KeyWishes {
  /** For a person who asked for a key file. */
  readonly keyFile?: boolean;
  readonly platform?: NodeJS.Platform;
}

/** Rejects with a `KeyError` when there is a sealed key that cannot be opened now. */
export async function workspaceKey(
  workspace: string,
  storage: SafeStorage,
  { keyFile = false, platform = process.platform }: KeyWishes = {},
): Promise<WorkspaceKey> {
  mkdirSync(workspace, { recursive: true, mode: 0o700 });
  const sealedFile = join(workspace, SEALED_KEY_NAME);
  const plainFile = join(workspace, 'key');
  if (existsSync(sealedFile)) {
    const key = await openSealed(sealedFile, storage);
    return keyFile ? unsealed(key, plainFile, sealedFile) : { key, storage: 'system' };
  }
  // A workspace of the headless shell or an earlier start keeps its key: another key could not open its secrets.
  if (keyFile || existsSync(plainFile) || !(await isSafe(storage, platform)))
    return { key: readOrMakeKeyFile(plainFile), storage: 'file' };
  const key = randomBytes(32);
  await writeSealed(sealedFile, key, storage);
  return { key, storage: 'system' };
}
