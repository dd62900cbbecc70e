/** What the doctor finds in a store, and what a repair leaves in its folder. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { dueTimesAreSound } from '../../../src/core/store/check.ts';
import { untold } from '../../../src/core/store/damage.ts';
import { type Db, lockWorkspace, openStore, StoreOpenError, storePath } from '../../../src/core/store/database.ts';
import { examine, repair } from '../../../src/core/store/doctor.ts';
import { storeId } from '../../../src/core/store/identity.ts';
import { searchPath } from '../../../src/core/store/search-file.ts';
import { readSideFile, sideFilePath, writeSideFile } from '../../../src/core/store/side-file.ts';
import { tear } from '../../helpers/damaged-store.ts';
import { putAttempt, putMessage, putReplay, putRequest } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const ASIDE = 'store.damaged-2026-01-02T03-04-05-006Z.sqlite';

let workspace: string;
let path: string;
beforeEach(() => {
  workspace = tempWorkspace();
  path = storePath(workspace);
});

/** What `work` returns of the open store, which is closed then. */
function within<T>(work: (db: Db) => T): T {
  const db = openStore(workspace);
  db.pragma('synchronous = OFF');
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const wire = Buffer.from('{"a":1}');
const putBody = (db: Db, id: number, sum = crc32(wire)): void =>
  void db.prepare('INSERT INTO message_bodies (id, wire, crc32) VALUES (?, ?, ?)').run(id, wire, sum);
const fill = (n: number): void =>
  within((db) =>
    db.transaction(() => {
      putRequest(db, 1);
      for (let id = 1; id <= n; id++) {
        putMessage(db);
        putBody(db, id);
      }
    })(),
  );

const errorOf = (run: () => unknown): StoreOpenError => {
  try {
    run();
  } catch (error) {
    if (error instanceof StoreOpenError) return error;
    throw error;
  }
  throw new Error('it did not fail');
};
const canBeLocked = (): boolean => {
  lockWorkspace(workspace).release();
  return true;
};

describe('an examination', () => {
  test('of a sound store finds nothing, and gives the folder free again', () => {
    fill(3);
    expect(examine(workspace)).toEqual({ store: path, problems: [] });
    expect(canBeLocked()).toBe(true);
  });

  test('closes every file that it opens', () => {
    fill(1);
    const close = vi.spyOn(Database.prototype, 'close');
    onTestFinished(() => close.mockRestore());
    examine(workspace);
    // The lock and the store.
    expect(close).toHaveBeenCalledTimes(2);
    close.mockClear();
    repair(workspace, NOW);
    // The lock; the damaged store, as a store and as a file; the new store, as it is made and as it is noted.
    expect(close).toHaveBeenCalledTimes(5);
  });

  test.each([examine, (folder: string) => repair(folder, NOW)])('is refused while an engine runs', (run) => {
    fill(1);
    const lock = lockWorkspace(workspace);
    expect(errorOf(() => run(workspace)).code).toBe('workspace_in_use');
    lock.release();
  });

  test.each([examine, (folder: string) => repair(folder, NOW)])('of a folder without a store says so', (run) => {
    expect(errorOf(() => run(workspace)).code).toBe('no_store');
    expect(canBeLocked()).toBe(true);
  });

  test.each([examine, (folder: string) => repair(folder, NOW)])('of a foreign file says so', (run) => {
    const other = new Database(path);
    other.exec('CREATE TABLE theirs (a)');
    other.close();
    expect(errorOf(() => run(workspace)).code).toBe('store_foreign');
  });

  test('finds an unreadable page, and tells of it in single lines', () => {
    fill(500);
    within(() => {});
    tear(workspace, 'messages');
    const { problems } = examine(workspace);
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) {
      expect(problem).not.toMatch(/never used|\n|^ok$|^\*\*\*/);
      expect(problem.trim()).not.toBe('');
    }
  });

  test('finds many wrong index entries, and tells of 20 at the most', () => {
    fill(60);
    within((db) => {
      db.unsafeMode(true);
      db.pragma('writable_schema = ON');
      db.exec(
        `UPDATE sqlite_schema SET sql = replace(sql, '(message_id)', '(name)') WHERE name = 'messages_message_id'`,
      );
      db.pragma('writable_schema = RESET');
    });
    const { problems } = examine(workspace);
    expect(problems).toHaveLength(20);
    expect(problems[0]).toBe('row 1 missing from index messages_message_id');
  });

  test('counts the bodies that are not what was stored', () => {
    fill(3);
    within((db) => {
      putBody(db, 4, 1);
      putBody(db, 5, 2);
    });
    expect(examine(workspace).problems).toEqual(['2 stored bodies do not match their checksum']);
  });

  test('finds counts that are not those of the messages', () => {
    fill(3);
    within((db) => db.exec("UPDATE counters SET n = n + 1 WHERE state = 'failed'"));
    expect(examine(workspace).problems).toEqual(['the counts by state are not those of the messages']);
  });

  test('finds no fault in the unused pages of a rebuilt index', () => {
    fill(300);
    within((db) => db.exec("UPDATE counters SET n = n + 1 WHERE state = 'failed'"));
    within((db) => {
      expect(dueTimesAreSound(db, untold())).toBe(true);
      db.exec("UPDATE counters SET n = n - 1 WHERE state = 'failed'");
    });
    expect(examine(workspace).problems).toEqual([]);
  });

  test('of a file that cannot be opened as a store, or be read, says why', () => {
    fill(1);
    const sound = readFileSync(path);
    writeFileSync(path, Buffer.from(sound).fill(0, 0, 100));
    expect(examine(workspace).problems).toEqual([expect.stringContaining('store.sqlite is damaged')]);
    // The list of tables can be read, and the body of the bodies' table cannot.
    writeFileSync(path, sound);
    tear(workspace, 'message_bodies');
    expect(examine(workspace).problems).toEqual([expect.stringContaining('malformed')]);
    expect(canBeLocked()).toBe(true);
  });

  test('forgets that a store was damaged once it is sound, and not before', () => {
    fill(3);
    const side = { store: within((db) => storeId(db))!, requests: 1, attempts: 0, replays: 0 };
    writeSideFile(workspace, { ...side, damagedAt: 7 });
    within((db) => db.exec("UPDATE counters SET n = n + 1 WHERE state = 'failed'"));
    examine(workspace);
    expect(readSideFile(workspace)).toEqual({ ...side, damagedAt: 7 });
    within((db) => db.exec("UPDATE counters SET n = n - 1 WHERE state = 'failed'"));
    examine(workspace);
    expect(readSideFile(workspace)).toEqual(side);
  });

  test('makes the next start look for itself once something is wrong, and not before', () => {
    fill(3);
    const side = { store: within((db) => storeId(db))!, requests: 1, attempts: 0, replays: 0, damagedAt: 7 };
    const spoil = (): void => within((db) => void db.exec("UPDATE counters SET n = n + 1 WHERE state = 'failed'"));
    const written = (): number => statSync(sideFilePath(workspace)).ino;
    writeSideFile(workspace, { ...side, damagedAt: undefined, soundAs: 'as left' });
    const before = written();
    examine(workspace);
    expect([readSideFile(workspace)?.soundAs, written()]).toEqual(['as left', before]);
    spoil();
    writeSideFile(workspace, { ...side, soundAs: 'as left' });
    examine(workspace);
    expect(readSideFile(workspace)).toEqual(side);
    const after = written();
    examine(workspace);
    expect(written()).toBe(after);
  });

  test('writes no side file for a store that was never damaged, or has none', () => {
    fill(1);
    examine(workspace);
    expect(existsSync(sideFilePath(workspace))).toBe(false);
    writeSideFile(workspace, { store: within((db) => storeId(db))!, requests: 1, attempts: 0, replays: 0 });
    const before = statSync(sideFilePath(workspace)).ino;
    examine(workspace);
    expect(statSync(sideFilePath(workspace)).ino).toBe(before);
  });
});

describe('a repair', () => {
  test('replaces the store by one of the readable rows, and keeps the damaged file', () => {
    fill(500);
    tear(workspace, 'message_bodies');
    const before = readFileSync(path);
    const { store, aside, tables } = repair(workspace, NOW);
    expect([store, aside]).toEqual([path, join(workspace, ASIDE)]);
    expect(readFileSync(aside).equals(before)).toBe(true);
    const others = readdirSync(workspace).filter((name) => !name.startsWith(ASIDE));
    expect(others.sort()).toEqual(['lock.sqlite', 'store.json', 'store.sqlite']);
    expect(tables.find(({ table }) => table === 'messages')).toEqual({ table: 'messages', kept: 500, lost: 0 });
    expect(examine(workspace).problems).toEqual([]);
    expect(canBeLocked()).toBe(true);
  });

  test('takes along what is only in the log, and leaves no log of the old file', () => {
    const db = openStore(workspace);
    onTestFinished(() => void db.close());
    putRequest(db, 1);
    putMessage(db);
    const log = readFileSync(`${path}-wal`);
    const main = readFileSync(path);
    db.close();
    writeFileSync(path, main);
    writeFileSync(`${path}-wal`, log);
    const { aside, tables } = repair(workspace, NOW);
    expect(readFileSync(`${aside}-wal`).length).toBe(log.length);
    expect(tables.find(({ table }) => table === 'messages')!.kept).toBe(1);
    expect([existsSync(`${path}-wal`), existsSync(`${path}-shm`)]).toEqual([false, false]);
    expect(within((next) => next.prepare('SELECT count(*) FROM messages').pluck().get())).toBe(1);
  });

  test('starts anew where an earlier one was cut short', () => {
    fill(2);
    const next = join(workspace, 'store.repaired.sqlite');
    for (const suffix of ['', '-wal', '-shm']) writeFileSync(next + suffix, 'half a file');
    expect(repair(workspace, NOW).tables.find(({ table }) => table === 'messages')!.kept).toBe(2);
    expect(readdirSync(workspace).filter((name) => name.startsWith('store.repaired'))).toEqual([]);
  });

  test('leaves no search index of the old file', () => {
    fill(1);
    writeFileSync(searchPath(workspace), 'an index');
    repair(workspace, NOW);
    expect(existsSync(searchPath(workspace))).toBe(false);
  });

  test('describes the new file in the side file', () => {
    within((db) => {
      putRequest(db, 4);
      putMessage(db, { request: 4 });
      putAttempt(db, 6, 1);
      putReplay(db, 8, 1);
    });
    const store = within((db) => storeId(db))!;
    writeSideFile(workspace, { store, requests: 99, attempts: 99, replays: 99, damagedAt: 1 });
    repair(workspace, NOW);
    expect(readSideFile(workspace)).toEqual({ store, requests: 4, attempts: 6, replays: 8 });
  });

  test('leaves no side file when the id of the store was lost', () => {
    fill(1);
    writeSideFile(workspace, { store: 'a', requests: 0, attempts: 0, replays: 0 });
    const db = new Database(path);
    db.exec("DELETE FROM settings WHERE key = 'store_id'");
    db.close();
    repair(workspace, NOW);
    expect(existsSync(sideFilePath(workspace))).toBe(false);
    repair(workspace, NOW);
    expect(existsSync(sideFilePath(workspace))).toBe(false);
  });

  test('of a file without a readable list of tables is refused, and the file stays', () => {
    fill(1);
    const bytes = readFileSync(path);
    bytes.fill(0xfc, 100, 108);
    writeFileSync(path, bytes);
    const error = errorOf(() => repair(workspace, NOW));
    expect([error.code, error.message]).toEqual([
      'store_corrupt',
      `${path}: its list of tables cannot be read, so nothing can be saved from it here. It was left as it is; put a copy back.`,
    ]);
    expect(error.cause).toBeInstanceOf(Error);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(canBeLocked()).toBe(true);
  });
});
