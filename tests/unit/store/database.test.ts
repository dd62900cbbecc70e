import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MESSAGE_STATES } from '../../../src/core/model/vocabulary.ts';
import {
  lockWorkspace,
  openStore,
  openStoreReadOnly,
  prepareFolder,
  requireSqlite,
  StoreOpenError,
  type StoreOpenErrorCode,
  startError,
  storePath,
} from '../../../src/core/store/database.ts';
import { storeId } from '../../../src/core/store/identity.ts';
import { EDITED_SINCE, migrations, OPEN_APART_SINCE, SEALED_SINCE } from '../../../src/core/store/migrations.ts';
import { writeSideFile } from '../../../src/core/store/side-file.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof StoreOpenError) return error.code;
    throw error;
  }
  return 'no error';
};

/** Mutants are looked for in threads, which cannot set it. */
const setUmask = (mask: number): number => (isMainThread ? process.umask(mask) : mask);

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** A store that was opened once and closed in good order. */
function madeStore(): { folder: string; path: string } {
  const folder = tempWorkspace();
  openStore(folder).close();
  return { folder, path: storePath(folder) };
}

describe('what is wrong is said in words, with the error behind it', () => {
  const thrown = (run: () => unknown): unknown => {
    try {
      run();
    } catch (error) {
      return error;
    }
    return 'no error';
  };
  const said = (code: StoreOpenErrorCode, message: unknown, cause?: unknown) =>
    expect.objectContaining({ name: 'StoreOpenError', code, message, ...(cause !== undefined && { cause }) });
  const sqlite = (code: string) => expect.objectContaining({ code });

  test('of a folder that cannot be made', () => {
    const file = join(tempWorkspace(), 'file');
    writeFileSync(file, '');
    const folder = join(file, 'workspace');
    expect(thrown(() => prepareFolder(folder))).toEqual(
      said('workspace_not_writable', `The folder ${folder} cannot be used.`, expect.any(Error)),
    );
  });

  test('of a workspace that is open, at once', () => {
    const folder = tempWorkspace();
    const lock = lockWorkspace(folder);
    const begin = performance.now();
    expect(thrown(() => lockWorkspace(folder))).toEqual(
      said('workspace_in_use', `Another Hookbench has the workspace ${folder} open.`, sqlite('SQLITE_BUSY')),
    );
    expect(performance.now() - begin).toBeLessThan(4_000);
    lock.release();
  });

  test('of a workspace that is open, whatever its lock is busy with', () => {
    const { exec } = Database.prototype;
    onTestFinished(() => {
      Database.prototype.exec = exec;
    });
    Database.prototype.exec = () => {
      throw new Database.SqliteError('busy', 'SQLITE_BUSY_RECOVERY');
    };
    expect(codeOf(() => lockWorkspace(tempWorkspace()))).toBe('workspace_in_use');
  });

  test('of a lock that cannot be taken', () => {
    const folder = tempWorkspace();
    const path = join(folder, 'lock.sqlite');
    mkdirSync(path);
    expect(thrown(() => lockWorkspace(folder))).toEqual(
      said('workspace_not_writable', `${path} cannot be locked.`, sqlite('SQLITE_CANTOPEN')),
    );
  });

  test('of a workspace that is gone before it is locked', () => {
    const folder = join(tempWorkspace(), 'gone');
    expect(thrown(() => lockWorkspace(folder))).toEqual(
      said('workspace_not_writable', `${join(folder, 'lock.sqlite')} cannot be locked.`, expect.any(TypeError)),
    );
  });

  test('of a SQLite that is too old', () => {
    const { prepare } = Database.prototype;
    onTestFinished(() => {
      Database.prototype.prepare = prepare;
    });
    Database.prototype.prepare = function old(this: Database.Database, sql: string) {
      return prepare.call(this, sql.replace('sqlite_version()', "'3.51.2'"));
    } as typeof prepare;
    const folder = tempWorkspace();
    const message = `${storePath(folder)} cannot be opened: SQLite 3.51.2 is older than 3.51.3.`;
    expect(thrown(() => openStore(folder))).toEqual(said('workspace_not_writable', message, expect.any(Error)));
  });

  test('of a store that would not sync each commit', () => {
    const { pragma: real } = Database.prototype;
    onTestFinished(() => {
      Database.prototype.pragma = real;
    });
    Database.prototype.pragma = function pragma(source, options) {
      return source === 'synchronous' ? 1 : real.call(this, source, options);
    };
    const folder = tempWorkspace();
    const message = `${storePath(folder)} cannot be opened: synchronous is 1, not FULL`;
    expect(thrown(() => openStore(folder))).toEqual(said('workspace_not_writable', message, expect.any(Error)));
  });

  test('of a store that cannot be opened', () => {
    const folder = tempWorkspace();
    const path = storePath(folder);
    mkdirSync(path);
    expect(thrown(() => openStore(folder))).toEqual(
      said(
        'workspace_not_writable',
        `${path} cannot be opened: unable to open database file`,
        sqlite('SQLITE_CANTOPEN'),
      ),
    );
  });

  test.each<[StoreOpenErrorCode, (path: string) => void, string]>([
    ['store_foreign', (path) => pragma(path, 'application_id = 5'), 'is not a store of Hookbench.'],
    ['store_newer', (path) => pragma(path, 'user_version = 999'), 'was written by a newer Hookbench (version 999).'],
    [
      'store_corrupt',
      (path) => writeFileSync(path, 'no store'.repeat(200)),
      'is damaged; it was left as it is. hookbench doctor --repair puts what can be read into a new file.',
    ],
  ])('of a file that is %s, for writing and for reading', (code, spoil, what) => {
    const { folder, path } = madeStore();
    spoil(path);
    const cause = code === 'store_corrupt' ? sqlite('SQLITE_NOTADB') : undefined;
    expect(thrown(() => openStore(folder))).toEqual(said(code, `${path} ${what}`, cause));
    expect(thrown(() => openStoreReadOnly(folder))).toEqual(said(code, `${path} ${what}`, cause));
  });

  test('of a store that is not there', () => {
    const folder = tempWorkspace();
    expect(thrown(() => openStoreReadOnly(folder))).toEqual(said('no_store', `There is no store in ${folder}.`));
  });

  const damaged = new Database.SqliteError('malformed', 'SQLITE_CORRUPT_INDEX');
  test.each([
    ['a damaged page', damaged],
    ['a file that is none', new Database.SqliteError('no', 'SQLITE_NOTADB')],
    ['a setting that is no JSON', new SyntaxError('no JSON')],
    ['damage behind another error', new Error('cannot start', { cause: damaged })],
  ])('of %s that is found at the start', (_what, error) => {
    expect(startError('/w', error)).toEqual(said('store_corrupt', expect.stringContaining('is damaged'), error));
  });

  test.each([
    [new Database.SqliteError('busy', 'SQLITE_BUSY')],
    [new Database.SqliteError('no', 'X_SQLITE_CORRUPT')],
    [new Error('no', { cause: new Error('no') })],
    [{ cause: damaged }],
    [undefined],
  ])('and any other error of a start is given as it is: %s', (error) => {
    expect(startError('/w', error)).toBe(error);
  });
});

function pragma(path: string, setting: string): void {
  const db = new Database(path);
  db.pragma(setting);
  db.close();
}

test.each([
  ['3.51.3', true],
  ['3.51.10', true],
  ['3.52.0', true],
  ['4.0.0', true],
  ['3.51.2', false],
  ['3.51', false],
  ['3.50.9', false],
  ['2.99.99', false],
])('SQLite %s will do: %s', (version, will) => {
  const db = { prepare: () => ({ pluck: () => ({ get: () => version }) }) } as unknown as Database.Database;
  if (will) expect(() => requireSqlite(db)).not.toThrow();
  else expect(() => requireSqlite(db)).toThrow(`SQLite ${version} is older than 3.51.3.`);
});

describe('the side file says which store was here', () => {
  const SIDE = { requests: 0, attempts: 0, replays: 0 };
  const refused = (folder: string): unknown => {
    try {
      openStore(folder).close();
    } catch (error) {
      return [(error as StoreOpenError).code, (error as Error).message];
    }
    return 'opened';
  };
  const replaced = (path: string, what: string): unknown => [
    'store_replaced',
    `${path} ${what}. It was left as it is: put the right file back, or accept this state.`,
  ];
  const idOf = (folder: string): string => {
    const db = openStoreReadOnly(folder);
    const id = storeId(db)!;
    db.close();
    return id;
  };

  test('this one opens', () => {
    const { folder } = madeStore();
    writeSideFile(folder, { store: idOf(folder), ...SIDE });
    expect(refused(folder)).toBe('opened');
  });

  test('another one, and an older one, do not, unless that is accepted', () => {
    const { folder, path } = madeStore();
    writeSideFile(folder, { store: idOf(folder), ...SIDE, requests: 3 });
    const older = 'is older than the one that was here: it ends at 0 of 3 requests';
    expect(refused(folder)).toEqual(replaced(path, older));
    writeSideFile(folder, { store: 'other', ...SIDE });
    expect(refused(folder)).toEqual(replaced(path, 'is another store than the one that was here'));
    openStore(folder, { accept: true }).close();
  });

  test('a file without tables is another one', () => {
    const folder = tempWorkspace();
    pragma(storePath(folder), 'journal_mode = WAL');
    writeSideFile(folder, { store: 'a', ...SIDE });
    expect(refused(folder)).toEqual(replaced(storePath(folder), 'is another store than the one that was here'));
  });

  test('one that is gone or empty is not made anew, unless that is accepted', () => {
    const folder = tempWorkspace();
    const path = storePath(folder);
    writeSideFile(folder, { store: 'a', ...SIDE });
    expect([refused(folder), existsSync(path)]).toEqual([replaced(path, 'is gone'), false]);
    writeFileSync(path, '');
    expect([refused(folder), statSync(path).size]).toEqual([replaced(path, 'is empty'), 0]);
    openStore(folder, { accept: true }).close();
  });
});

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

describe('files that are not our store', () => {
  const untouched = (path: string, code: string): void => {
    const before = readFileSync(path);
    const folder = join(path, '..');
    const files = readdirSync(folder);
    chmodSync(path, 0o640);
    expect(codeOf(() => openStore(folder))).toBe(code);
    if (process.platform !== 'win32') expect(modeOf(path)).toBe(0o640);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(files);
  };

  test('a SQLite file of another program is foreign, and left alone', () => {
    const folder = tempWorkspace();
    const other = new Database(storePath(folder));
    other.exec('CREATE TABLE theirs (a)');
    other.close();
    untouched(storePath(folder), 'store_foreign');
  });

  test('so is an empty one with an application id', () => {
    const folder = tempWorkspace();
    const other = new Database(storePath(folder));
    other.pragma('application_id = 77');
    other.close();
    untouched(storePath(folder), 'store_foreign');
  });

  test('a store of a newer version is named, and left alone', () => {
    const { path } = madeStore();
    const db = new Database(path);
    db.pragma(`user_version = ${migrations.length + 1}`);
    db.pragma('journal_mode = DELETE');
    db.close();
    untouched(path, 'store_newer');
  });

  test('a zeroed header is named, and left alone', () => {
    const { path } = madeStore();
    const bytes = readFileSync(path);
    bytes.fill(0, 0, 100);
    writeFileSync(path, bytes);
    untouched(path, 'store_corrupt');
  });

  test('text is named, and left alone', () => {
    const folder = tempWorkspace();
    writeFileSync(
      storePath(folder),
      'this is not a database, but it is long enough to have a header of its own\n'.repeat(20),
    );
    untouched(storePath(folder), 'store_corrupt');
  });

  test('half a store is named, and left alone', () => {
    const { folder, path } = madeStore();
    const db = openStore(folder);
    db.pragma('journal_mode = DELETE');
    db.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length / 2));
    untouched(path, 'store_corrupt');
  });

  test('a folder in the place of the store is named', () => {
    const folder = tempWorkspace();
    mkdirSync(storePath(folder));
    expect(codeOf(() => openStore(folder))).toBe('workspace_not_writable');
  });
});

const APART = ['attempts', 'open_attempts'];

describe('reading while no engine runs', () => {
  test('no store is an error and makes none', () => {
    const folder = tempWorkspace();
    expect(codeOf(() => openStoreReadOnly(folder))).toBe('no_store');
    expect(existsSync(storePath(folder))).toBe(false);
  });

  test('a lock is waited for a second', () => {
    const db = openStoreReadOnly(madeStore().folder);
    expect(db.pragma('busy_timeout', { simple: true })).toBe(1_000);
    db.close();
  });

  test.each([
    [1, ['attempt_results', 'replays', ...APART]],
    [SEALED_SINCE - 1, ['attempt_results', 'replays', ...APART]],
    [SEALED_SINCE, ['replays', ...APART]],
    [EDITED_SINCE - 1, ['replays', ...APART]],
    [EDITED_SINCE, APART],
    [OPEN_APART_SINCE - 1, APART],
    [OPEN_APART_SINCE, []],
    [migrations.length, []],
    [0, []],
  ])('a store of version %i has these views before its tables: %j', (version, views) => {
    const { folder, path } = madeStore();
    pragma(path, `user_version = ${version}`);
    const db = openStoreReadOnly(folder);
    expect(db.prepare('SELECT name FROM temp.sqlite_schema').pluck().all()).toEqual(views);
    db.close();
  });

  test('a store is read and cannot be written', () => {
    const { folder } = madeStore();
    const db = openStoreReadOnly(folder);
    expect(db.prepare('SELECT count(*) FROM counters').pluck().get()).toBe(MESSAGE_STATES.length);
    expect(() => db.exec("INSERT INTO settings (key, value) VALUES ('a', 'b')")).toThrow(/readonly/);
    db.close();
  });

  test('a damaged store is named and closed', () => {
    const { folder, path } = madeStore();
    const bytes = readFileSync(path);
    bytes.fill(0, 0, 100);
    writeFileSync(path, bytes);
    const { close } = Database.prototype;
    onTestFinished(() => {
      Database.prototype.close = close;
    });
    let closed = 0;
    Database.prototype.close = function counted() {
      closed += 1;
      return close.call(this);
    };
    expect(codeOf(() => openStoreReadOnly(folder))).toBe('store_corrupt');
    expect(closed).toBe(1);
  });

  test('a newer or foreign store is named', () => {
    const { folder, path } = madeStore();
    const db = new Database(path);
    db.pragma(`user_version = ${migrations.length + 1}`);
    expect(codeOf(() => openStoreReadOnly(folder))).toBe('store_newer');
    db.pragma('application_id = 5');
    db.close();
    expect(codeOf(() => openStoreReadOnly(folder))).toBe('store_foreign');
  });
});
