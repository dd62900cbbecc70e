import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decodeKey, keyWithoutSystem, readOrMakeKeyFile } from '../../../src/shell/key-file.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hb-key-'));
  path = join(folder, 'key');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the first start makes 32 random bytes in a 0600 file, and every later one reads them', () => {
  const key = readOrMakeKeyFile(path);
  expect(key).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['key']);
  expect(readOrMakeKeyFile(path)).toEqual(key);
  expect(readOrMakeKeyFile(join(folder, 'other'))).not.toEqual(key);
});

test('wider modes are narrowed', () => {
  readOrMakeKeyFile(path);
  chmodSync(path, 0o644);
  readOrMakeKeyFile(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

describe('what holds no key is an error and stays as it is', () => {
  test.each([
    '',
    'abc',
    'A'.repeat(43),
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
    `${Buffer.alloc(32).toString('base64')}x`,
  ])('%j', (text) => {
    writeFileSync(path, text);
    expect(() => readOrMakeKeyFile(path)).toThrow(expect.objectContaining({ code: 'key_unreadable' }));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('a folder, and a link', () => {
    mkdirSync(path);
    expect(() => readOrMakeKeyFile(path)).toThrow('is not a file');
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'));
    expect(() => readOrMakeKeyFile(join(folder, 'link'))).toThrow('is not a file');
  });
});

test('the error names the place and never the value', () => {
  expect(() => decodeKey('hunter2', 'HOOKBENCH_KEY')).toThrow(/^HOOKBENCH_KEY does not hold a key/);
  expect(() => decodeKey('hunter2', 'HOOKBENCH_KEY')).not.toThrow(/hunter2/);
});

describe('a shell that cannot ask the system', () => {
  test('takes the given key, else that of the file, which it makes', () => {
    const given = Buffer.alloc(32, 5);
    expect(keyWithoutSystem(folder, given.toString('base64'))).toEqual({ key: given, storage: 'environment' });
    expect(readdirSync(folder)).toEqual([]);
    const made = keyWithoutSystem(folder, '');
    expect([made, keyWithoutSystem(folder, undefined)]).toEqual([made, made]);
    expect(made).toEqual({ key: readOrMakeKeyFile(path), storage: 'file' });
  });

  test('makes no second key beside one that the desktop app keeps sealed, and says what to do', () => {
    writeFileSync(join(folder, 'key.sealed'), 'sealed');
    expect(() => keyWithoutSystem(folder, undefined)).toThrow(expect.objectContaining({ code: 'key_sealed' }));
    expect(() => keyWithoutSystem(folder, undefined)).toThrow('--key-file');
    expect(readdirSync(folder)).toEqual(['key.sealed']);
    readOrMakeKeyFile(path);
    expect(keyWithoutSystem(folder, undefined)).toEqual({ key: readOrMakeKeyFile(path), storage: 'file' });
  });
});
