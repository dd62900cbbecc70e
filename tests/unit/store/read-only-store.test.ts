/** A store that is read while no engine runs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MESSAGE_STATES } from '../../../src/core/model/vocabulary.ts';
import { openStoreReadOnly, storePath } from '../../../src/core/store/database.ts';
import { EDITED_SINCE, migrations, OPEN_APART_SINCE, SEALED_SINCE } from '../../../src/core/store/migrations.ts';
import { codeOf, madeStore, pragma } from '../../helpers/opened-store.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

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
