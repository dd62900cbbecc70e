import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SafeStorage, workspaceKey } from '../../../src/main/sealed-key.ts';

/** Seals by turning bytes round: enough to see that the key itself is not on disk. */
const storage = (given: Partial<SafeStorage> = {}): SafeStorage => ({
  isAsyncEncryptionAvailable: async () => true,
  getSelectedStorageBackend: () => 'gnome_libsecret',
  encryptStringAsync: async (text) => Buffer.from(`sealed:${[...text].reverse().join('')}`),
  decryptStringAsync: async (sealed) => ({
    result: [...sealed.toString().replace('sealed:', '')].reverse().join(''),
    shouldReEncrypt: false,
  }),
  ...given,
});

let folder = '';
let workspace = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookbench-key-'));
  workspace = join(folder, 'workspace');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (name: string): number => statSync(join(workspace, name)).mode & 0o777;

describe('where the system can keep a key', () => {
  test('32 random bytes are sealed at the first start and opened at the next', async () => {
    const first = await workspaceKey(workspace, storage(), 'linux');
    expect(first).toMatchObject({ storage: 'system' });
    expect(first.key).toHaveLength(32);
    expect(modeOf('key.sealed')).toBe(0o600);
    expect(readFileSync(join(workspace, 'key.sealed'), 'utf8')).not.toContain(first.key.toString('base64'));
    expect(existsSync(join(workspace, 'key'))).toBe(false);
    expect(await workspaceKey(workspace, storage(), 'linux')).toEqual(first);
  });

  test('macOS and Windows have no backend to ask about', async () => {
    const withoutBackend = storage({ getSelectedStorageBackend: undefined });
    expect(await workspaceKey(workspace, withoutBackend, 'darwin')).toMatchObject({ storage: 'system' });
  });

  test('a key that the system wants sealed anew is sealed anew', async () => {
    const { key } = await workspaceKey(workspace, storage(), 'linux');
    let seals = 0;
    const rotating = storage({
      encryptStringAsync: async (text) => {
        seals += 1;
        return storage().encryptStringAsync(text);
      },
      decryptStringAsync: async (sealed) => ({
        ...(await storage().decryptStringAsync(sealed)),
        shouldReEncrypt: true,
      }),
    });
    expect((await workspaceKey(workspace, rotating, 'linux')).key).toEqual(key);
    expect(seals).toBe(1);
  });

  test('a sealed key that cannot be opened now is an error and stays as it is: nothing weaker takes its place', async () => {
    await workspaceKey(workspace, storage(), 'linux');
    const before = readFileSync(join(workspace, 'key.sealed'));
    const locked = storage({ decryptStringAsync: () => Promise.reject(new Error('locked')) });
    await expect(workspaceKey(workspace, locked, 'linux')).rejects.toMatchObject({ code: 'key_unreadable' });
    const damaged = storage({ decryptStringAsync: async () => ({ result: 'short', shouldReEncrypt: false }) });
    await expect(workspaceKey(workspace, damaged, 'linux')).rejects.toMatchObject({ code: 'key_unreadable' });
    expect(readFileSync(join(workspace, 'key.sealed'))).toEqual(before);
    expect(existsSync(join(workspace, 'key'))).toBe(false);
  });
});

describe('where it cannot', () => {
  test.each<[string, Partial<SafeStorage>]>([
    ['no encryption', { isAsyncEncryptionAvailable: async () => false }],
    ['an error', { isAsyncEncryptionAvailable: () => Promise.reject(new Error('no bus')) }],
    ['basic_text', { getSelectedStorageBackend: () => 'basic_text' }],
    ['an unknown backend', { getSelectedStorageBackend: () => 'unknown' }],
    ['no backend at all', { getSelectedStorageBackend: undefined }],
  ])('%s: the key lies in a 0600 file, and the shell knows it', async (_title, given) => {
    const first = await workspaceKey(workspace, storage(given), 'linux');
    expect(first).toMatchObject({ storage: 'file' });
    expect(modeOf('key')).toBe(0o600);
    expect(existsSync(join(workspace, 'key.sealed'))).toBe(false);
    expect(await workspaceKey(workspace, storage(given), 'linux')).toEqual(first);
  });

  test('a workspace that has a key file keeps it, also on a system that could seal', async () => {
    const { key } = await workspaceKey(workspace, storage({ isAsyncEncryptionAvailable: async () => false }), 'linux');
    expect(await workspaceKey(workspace, storage(), 'linux')).toEqual({ key, storage: 'file' });
  });

  test('a key file that holds no key is an error and is not replaced', async () => {
    await workspaceKey(workspace, storage({ isAsyncEncryptionAvailable: async () => false }), 'linux');
    writeFileSync(join(workspace, 'key'), 'abc');
    await expect(workspaceKey(workspace, storage(), 'linux')).rejects.toMatchObject({ code: 'key_unreadable' });
    expect(readFileSync(join(workspace, 'key'), 'utf8')).toBe('abc');
  });
});
