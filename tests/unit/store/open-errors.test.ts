/** Why a store or a workspace does not open, in words. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  lockWorkspace,
  openStore,
  openStoreReadOnly,
  prepareFolder,
  requireSqlite,
  type StoreOpenErrorCode,
  startError,
  storePath,
} from '../../../src/core/store/database.ts';
import { codeOf, madeStore, pragma } from '../../helpers/opened-store.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

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
