/** Files in the place of the store that are not opened, and are left as they are. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openStore, openStoreReadOnly, type StoreOpenError, storePath } from '../../../src/core/store/database.ts';
import { storeId } from '../../../src/core/store/identity.ts';
import { migrations } from '../../../src/core/store/migrations.ts';
import { writeSideFile } from '../../../src/core/store/side-file.ts';
import { codeOf, madeStore, pragma } from '../../helpers/opened-store.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

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
