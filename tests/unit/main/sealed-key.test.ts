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
    const first = await workspaceKey(workspace, storage(), { platform: 'linux' });
    expect(first).toMatchObject({ storage: 'system' });
    expect(first.key).toHaveLength(32);
    expect([modeOf('.'), modeOf('key.sealed')]).toEqual([0o700, 0o600]);
    expect(readFileSync(join(workspace, 'key.sealed'), 'utf8')).not.toContain(first.key.toString('base64'));
    expect(existsSync(join(workspace, 'key'))).toBe(false);
    expect(await workspaceKey(workspace, storage(), { platform: 'linux' })).toEqual(first);
  });

  test('macOS and Windows have no backend to ask about', async () => {
    const withoutBackend = storage({ getSelectedStorageBackend: undefined });
    expect(await workspaceKey(workspace, withoutBackend, { platform: 'darwin' })).toMatchObject({ storage: 'system' });
  });

  test('a key is sealed again when the system wants it, and only then', async () => {
    const { key } = await workspaceKey(workspace, storage(), { platform: 'linux' });
    let seals = 0;
    const counting: Partial<SafeStorage> = {
      encryptStringAsync: async (text) => {
        seals += 1;
        return storage().encryptStringAsync(text);
      },
    };
    await workspaceKey(workspace, storage(counting), { platform: 'linux' });
    expect(seals).toBe(0);
    const rotating = storage({
      ...counting,
      decryptStringAsync: async (sealed) => ({
        ...(await storage().decryptStringAsync(sealed)),
        shouldReEncrypt: true,
      }),
    });
    expect((await workspaceKey(workspace, rotating, { platform: 'linux' })).key).toEqual(key);
    expect(seals).toBe(1);
  });

  test('a sealed key that cannot be opened now is an error and stays as it is: nothing weaker takes its place', async () => {
    await workspaceKey(workspace, storage(), { platform: 'linux' });
    const before = readFileSync(join(workspace, 'key.sealed'));
    const locked = storage({ decryptStringAsync: () => Promise.reject(new Error('locked')) });
    await expect(workspaceKey(workspace, locked, { platform: 'linux' })).rejects.toMatchObject({
      code: 'key_unreadable',
    });
    const damaged = storage({ decryptStringAsync: async () => ({ result: 'short', shouldReEncrypt: false }) });
    await expect(workspaceKey(workspace, damaged, { platform: 'linux' })).rejects.toMatchObject({
      code: 'key_unreadable',
    });
    expect(readFileSync(join(workspace, 'key.sealed'))).toEqual(before);
    expect(existsSync(join(workspace, 'key'))).toBe(false);
  });
});

test.each([
  [new Error('the keyring is locked'), 'the keyring is locked'],
  ['locked', 'locked'],
])('the error of a key that cannot be opened names the file and says why: %s', async (thrown, why) => {
  await workspaceKey(workspace, storage(), { platform: 'linux' });
  const locked = storage({ decryptStringAsync: () => Promise.reject(thrown) });
  await expect(workspaceKey(workspace, locked, { platform: 'linux' })).rejects.toThrow(
    `The system could not open ${join(workspace, 'key.sealed')}: ${why}`,
  );
});

describe('where it cannot', () => {
  test.each<[string, Partial<SafeStorage>]>([
    ['no encryption', { isAsyncEncryptionAvailable: async () => false }],
    ['an error', { isAsyncEncryptionAvailable: () => Promise.reject(new Error('no bus')) }],
    ['basic_text', { getSelectedStorageBackend: () => 'basic_text' }],
    ['an unknown backend', { getSelectedStorageBackend: () => 'unknown' }],
    ['no backend at all', { getSelectedStorageBackend: undefined }],
  ])('%s: the key lies in a 0600 file, and the shell knows it', async (_title, given) => {
    const first = await workspaceKey(workspace, storage(given), { platform: 'linux' });
    expect(first).toMatchObject({ storage: 'file' });
    expect(modeOf('key')).toBe(0o600);
    expect(existsSync(join(workspace, 'key.sealed'))).toBe(false);
    expect(await workspaceKey(workspace, storage(given), { platform: 'linux' })).toEqual(first);
  });

  test('a workspace that has a key file keeps it, also on a system that could seal', async () => {
    const { key } = await workspaceKey(workspace, storage({ isAsyncEncryptionAvailable: async () => false }), {
      platform: 'linux',
    });
    expect(await workspaceKey(workspace, storage(), { platform: 'linux' })).toEqual({ key, storage: 'file' });
  });

  test('a key file that holds no key is an error and is not replaced', async () => {
    await workspaceKey(workspace, storage({ isAsyncEncryptionAvailable: async () => false }), { platform: 'linux' });
    writeFileSync(join(workspace, 'key'), 'abc');
    await expect(workspaceKey(workspace, storage(), { platform: 'linux' })).rejects.toMatchObject({
      code: 'key_unreadable',
    });
    expect(readFileSync(join(workspace, 'key'), 'utf8')).toBe('abc');
  });
});

describe('a key that a person wants in a file', () => {
  const wanted = { platform: 'linux', keyFile: true } as const;

  test('is opened and written there, and the sealed one goes', async () => {
    const { key } = await workspaceKey(workspace, storage(), { platform: 'linux' });
    expect(await workspaceKey(workspace, storage(), wanted)).toEqual({ key, storage: 'file' });
    expect([modeOf('key'), existsSync(join(workspace, 'key.sealed'))]).toEqual([0o600, false]);
    expect(await workspaceKey(workspace, storage(), { platform: 'linux' })).toEqual({ key, storage: 'file' });
  });

  test('is there too when another start has taken the sealed one away meanwhile', async () => {
    const { key } = await workspaceKey(workspace, storage(), { platform: 'linux' });
    const raced = storage({
      decryptStringAsync: async (sealed) => {
        rmSync(join(workspace, 'key.sealed'));
        return storage().decryptStringAsync(sealed);
      },
    });
    expect(await workspaceKey(workspace, raced, wanted)).toEqual({ key, storage: 'file' });
  });

  test('is made there at the first start', async () => {
    expect(await workspaceKey(workspace, storage(), wanted)).toMatchObject({ storage: 'file' });
    expect([existsSync(join(workspace, 'key')), existsSync(join(workspace, 'key.sealed'))]).toEqual([true, false]);
  });

  test('never takes the place of another key', async () => {
    await workspaceKey(workspace, storage(), { platform: 'linux' });
    const other = `${Buffer.alloc(32, 9).toString('base64')}\n`;
    writeFileSync(join(workspace, 'key'), other);
    await expect(workspaceKey(workspace, storage(), wanted)).rejects.toThrow(
      `${join(workspace, 'key')} holds another key than ${join(workspace, 'key.sealed')}; both were left as they are.`,
    );
    expect([readFileSync(join(workspace, 'key'), 'utf8'), existsSync(join(workspace, 'key.sealed'))]).toEqual([
      other,
      true,
    ]);
  });
});
