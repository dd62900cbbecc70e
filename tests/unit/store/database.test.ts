/** A store that is opened: its settings and tables, the modes of its files, and the lock of its workspace. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockWorkspace, openStore, prepareFolder } from '../../../src/core/store/database.ts';
import { migrations } from '../../../src/core/store/migrations.ts';
import { codeOf, madeStore } from '../../helpers/opened-store.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

/** Mutants are looked for in threads, which cannot set it. */
const setUmask = (mask: number): number => (isMainThread ? process.umask(mask) : mask);

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('a new store', () => {
  test('counts how often it was opened', () => {
    const { folder } = madeStore();
    const db = openStore(folder);
    expect(db.prepare("SELECT value FROM settings WHERE key = 'opened'").pluck().get()).toBe('2');
    db.close();
  });

  test.each([
    ['busy_timeout', 250],
    ['cache_size', -4_096],
    ['temp_store', 2],
    ['trusted_schema', 0],
    ['page_size', 4_096],
    ['wal_autocheckpoint', 10_000],
    ['journal_size_limit', 192 << 20],
  ])('is used with a %s of %i', (name, value) => {
    const db = openStore(tempWorkspace());
    expect(db.pragma(name, { simple: true })).toBe(value);
    db.close();
  });

  test('is in WAL mode and syncs each commit, also after the first write', () => {
    const db = openStore(tempWorkspace());
    db.prepare("INSERT INTO settings (key, value) VALUES ('a', 'b')").run();
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    db.close();
  });

  test('still syncs each commit when it is opened again', () => {
    const { folder } = madeStore();
    const db = openStore(folder);
    db.prepare("INSERT INTO settings (key, value) VALUES ('a', 'b')").run();
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    db.close();
  });

  test('has every table STRICT, its application id and its version', () => {
    const db = openStore(tempWorkspace());
    const tables = db
      .prepare("SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .all() as Array<{
      name: string;
      strict: number;
    }>;
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'sources',
        'webhooks',
        'settings',
        'secrets',
        'requests',
        'messages',
        'message_bodies',
        'attempts',
        'replays',
        'counters',
      ]),
    );
    expect(tables.filter(({ strict }) => strict !== 1)).toEqual([]);
    expect(db.pragma('application_id', { simple: true })).toBe(0x486b626e);
    expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
  });

  test('keeps its rows when it is opened again', () => {
    const { folder } = madeStore();
    const first = openStore(folder);
    first.prepare("INSERT INTO settings (key, value) VALUES ('kept', 'yes')").run();
    first.close();
    const second = openStore(folder);
    expect(second.prepare("SELECT value FROM settings WHERE key = 'kept'").pluck().get()).toBe('yes');
    second.close();
  });
});

describe.skipIf(process.platform === 'win32')('file modes', () => {
  test('the folder is 0700 and every file in it 0600, also under an open umask', () => {
    const folder = join(tempWorkspace(), 'deep', 'workspace');
    const umask = setUmask(0);
    try {
      prepareFolder(folder);
      const lock = lockWorkspace(folder);
      const db = openStore(folder);
      db.prepare("INSERT INTO settings (key, value) VALUES ('a', 'b')").run();
      expect(modeOf(folder)).toBe(0o700);
      const modes = Object.fromEntries(
        readdirSync(folder).map((name) => [name, modeOf(join(folder, name)).toString(8)]),
      );
      expect(modes).toMatchObject({ 'store.sqlite': '600', 'store.sqlite-wal': '600', 'lock.sqlite': '600' });
      expect(new Set(Object.values(modes))).toEqual(new Set(['600']));
      db.close();
      lock.release();
    } finally {
      setUmask(umask);
    }
  });

  test('a folder and a store that others can read are tightened', () => {
    const { folder, path } = madeStore();
    chmodSync(folder, 0o777);
    chmodSync(path, 0o666);
    prepareFolder(folder);
    openStore(folder).close();
    expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(path)).toBe(0o600);
  });
});

describe('the lock', () => {
  test('a second one is refused until the first is released', () => {
    const folder = tempWorkspace();
    const first = lockWorkspace(folder);
    expect(codeOf(() => lockWorkspace(folder))).toBe('workspace_in_use');
    first.release();
    lockWorkspace(folder).release();
  });

  test('it is free again once its process was killed', async () => {
    const folder = tempWorkspace();
    const module = new URL('../../../src/core/store/database.ts', import.meta.url).href;
    // A lock that nothing refers to ends with the next collection.
    const script = `import { lockWorkspace } from ${JSON.stringify(module)}; const held = lockWorkspace(${JSON.stringify(folder)}); console.log('locked'); setInterval(() => held, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    onTestFinished(() => void child.kill('SIGKILL'));
    await new Promise<void>((resolve, reject) => {
      child.stdout.once('data', () => resolve());
      child.once('exit', (code, signal) => reject(new Error(`the holder ended early, with ${code ?? signal}`)));
    });
    expect(codeOf(() => lockWorkspace(folder))).toBe('workspace_in_use');
    child.kill('SIGKILL');
    await ended;
    lockWorkspace(folder).release();
  });

  test('a lock file that cannot be opened is named, not taken for another Hookbench', () => {
    const folder = tempWorkspace();
    mkdirSync(join(folder, 'lock.sqlite'));
    expect(codeOf(() => lockWorkspace(folder))).toBe('workspace_not_writable');
  });

  test('a store that another connection keeps locked is an error soon, not after the 5 s of the library', () => {
    const { folder, path } = madeStore();
    const other = new Database(path);
    other.exec('BEGIN EXCLUSIVE');
    const begin = performance.now();
    expect(codeOf(() => openStore(folder))).toBe('workspace_not_writable');
    expect(performance.now() - begin).toBeLessThan(4_000);
    other.close();
  });
});
