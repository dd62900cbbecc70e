/** What a failed job and a store that cannot be written leave, and who hears of it. */
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import type { MessageState } from '../../../src/core/model/vocabulary.ts';
import { StoreDamagedError, StoreNotWritableError } from '../../../src/core/ports.ts';
import type { Db } from '../../../src/core/store/database.ts';
import type { Changes } from '../../../src/core/store/ports/changes.ts';
import { GroupWriter } from '../../../src/core/store/writer.ts';
import type { SimTime } from '../../helpers/sim-ports.ts';
import { WrittenStore } from '../../helpers/written-store.ts';

let store: WrittenStore;
let db: Db;
let time: SimTime;
let writer: GroupWriter;
let commits: Changes[];
let writable: boolean[];
let damaged: string[];
beforeEach(() => {
  store = new WrittenStore();
  ({ db, time, writer, commits, writable, damaged } = store);
});
const put = (key: string) => store.put(key);
const keys = () => store.keys();

describe('a job that throws', () => {
  test('fails alone: its neighbours are committed, in order, and nothing of it is left', async () => {
    const outcomes = Promise.allSettled([
      writer.write(put('k1')),
      writer.write((changes) => {
        changes.insertedMessage(1, 'queued');
        put('k2')();
        throw new TypeError('bad');
      }),
      writer.write(put('k3')),
    ]);
    await time.settle();
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(keys()).toEqual(['k1', 'k3']);
    expect(commits.flatMap((changes) => changes.inserted)).toEqual([]);
    expect(db.prepare("SELECT n FROM counters WHERE state = 'queued'").pluck().get()).toBe(0);
    expect(writable).toEqual([]);
    expect(writer.writable).toBe(true);
  });

  test('that ended the transaction itself fails with its own error', async () => {
    const failed = writer.write(() => {
      db.exec('ROLLBACK');
      throw new TypeError('bad');
    });
    const said = failed.catch((error: unknown) => error);
    await time.settle();
    expect(await said).toEqual(new TypeError('bad'));
  });

  test('a broken constraint is the error of its job, not of the store', async () => {
    void writer.write(put('k1'));
    const second = writer.write(put('k1')).catch((error: unknown) => error);
    await time.settle();
    expect(await second).toBeInstanceOf(Database.SqliteError);
    expect(await second).not.toBeInstanceOf(StoreNotWritableError);
    expect(keys()).toEqual(['k1']);
  });

  test('a counter that would go below zero undoes its job', async () => {
    const job = writer.write((changes) => {
      put('k1')();
      changes.removedMessage(9, 'failed');
    });
    const failed = job.catch((error: unknown) => error);
    await time.settle();
    expect(await failed).toBeInstanceOf(Database.SqliteError);
    expect(keys()).toEqual([]);
  });

  test('a move to a state that there is none of undoes its job', async () => {
    const job = writer.write((changes) => {
      put('k1')();
      changes.movedMessage(9, 'nowhere' as MessageState, 'nowhere else' as MessageState);
    });
    const failed = job.catch((error: unknown) => error);
    await time.settle();
    expect(String(await failed)).toBe('Error: There is no state nowhere.');
    expect(keys()).toEqual([]);
  });

  test('a listener that throws does not make a committed job run again', async () => {
    let runs = 0;
    store.onCommit = () => {
      throw new Error('a listener');
    };
    const jobs = Promise.all([
      writer.write(() => {
        runs += 1;
      }),
      writer.write(put('k1')),
    ]);
    await expect(time.settle()).rejects.toThrow('a listener');
    await jobs;
    expect(runs).toBe(1);
    expect(keys()).toEqual(['k1']);
  });
});

describe('what SQLite says', () => {
  const thrown = (error: Error): Promise<unknown> => {
    const failed = writer
      .write(() => {
        throw error;
      })
      .catch((reason: unknown) => reason);
    return time.settle().then(() => failed);
  };

  test.each([
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    'SQLITE_READONLY_DBMOVED',
    'SQLITE_BUSY',
    'SQLITE_LOCKED',
    'SQLITE_NOTADB',
    'SQLITE_CANTOPEN',
    'SQLITE_NOMEM',
  ])('%s: the store cannot be written', async (code) => {
    const cause = new Database.SqliteError('in its words', code);
    const error = (await thrown(cause)) as Error;
    expect(error).toBeInstanceOf(StoreNotWritableError);
    expect(error).not.toBeInstanceOf(StoreDamagedError);
    expect([error.message, error.cause, writable, damaged]).toEqual(['in its words', cause, [false], []]);
  });

  test('SQLITE_CORRUPT: the page is damaged, which concerns its job alone', async () => {
    const cause = new Database.SqliteError('in its words', 'SQLITE_CORRUPT');
    const other = writer.write(put('k1'));
    const error = (await thrown(cause)) as Error;
    expect(error).toBeInstanceOf(StoreDamagedError);
    expect([error.message, error.cause, writable, damaged]).toEqual(['in its words', cause, [], ['in its words']]);
    expect(await other).toBe('k1');
  });

  test.each([
    new Database.SqliteError('no', 'SQLITE_CONSTRAINT'),
    new Database.SqliteError('no', 'X_SQLITE_FULL'),
    Object.assign(new Error('no'), { code: 'SQLITE_FULL' }),
  ])('%s: the job is at fault', async (error) => {
    expect(await thrown(error)).toBe(error);
    expect([writable, damaged, writer.writable]).toEqual([[], [], true]);
  });

  test('damage needs no one who hears of it', async () => {
    writer = new GroupWriter(db, time, { committed: () => {}, writable: () => {} });
    expect(await thrown(new Database.SqliteError('no', 'SQLITE_CORRUPT'))).toBeInstanceOf(StoreDamagedError);
  });

  test('that it cannot be written is told once, however often it is tried', async () => {
    const full = new Database.SqliteError('full', 'SQLITE_FULL');
    await thrown(full);
    await thrown(full);
    expect(writable).toEqual([false]);
    const done = writer.write(put('k1'));
    await time.settle();
    await done;
    expect(writable).toEqual([false, true]);
  });
});

describe('a store that cannot be written', () => {
  test('rejects every job of the turn with StoreNotWritableError, writes nothing, and works again later', async () => {
    db.pragma('query_only = ON');
    const outcomes = Promise.allSettled([writer.write(put('k1')), writer.write(put('k2'))]);
    await time.settle();
    for (const outcome of await outcomes) {
      expect(outcome.status).toBe('rejected');
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(StoreNotWritableError);
    }
    expect(writer.writable).toBe(false);
    db.pragma('query_only = OFF');
    expect(keys()).toEqual([]);
    const again = writer.write(put('k3'));
    await time.settle();
    await again;
    expect(keys()).toEqual(['k3']);
    expect(writable).toEqual([false, true]);
  });

  test('a full store fails in the middle of a transaction and leaves nothing of it', async () => {
    db.pragma(`max_page_count = ${(db.pragma('page_count', { simple: true }) as number) + 2}`);
    const outcomes = Promise.allSettled([
      writer.write(put('k1')),
      writer.write(() => db.prepare("INSERT INTO settings (key, value) VALUES ('k2', ?)").run('x'.repeat(100_000))),
    ]);
    await time.settle();
    for (const outcome of await outcomes)
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(StoreNotWritableError);
    expect(keys()).toEqual([]);
    expect(db.inTransaction).toBe(false);
    db.pragma('max_page_count = 1000000');
    const again = writer.write(put('k3'));
    await time.settle();
    await again;
    expect(keys()).toEqual(['k3']);
  });

  test('a full disk that takes empty transactions is not called writable', async () => {
    const fill = () => {
      throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
    };
    const full = writer.write(fill).catch((error: unknown) => error);
    await time.settle();
    expect(await full).toBeInstanceOf(StoreNotWritableError);
    const empty = writer.write(() => {});
    await time.settle();
    await empty;
    expect(writer.writable).toBe(false);
    const back = writer.write((changes) => {
      changes.movedMessage(1, 'queued', 'failed');
      changes.movedMessage(1, 'failed', 'queued');
    });
    await time.settle();
    await back;
    expect(writer.writable).toBe(false);
    const real = writer.write(put('k1'));
    await time.settle();
    await real;
    expect(writable).toEqual([false, true]);
  });

  test('a lock of another connection is waited for shortly, then it is StoreNotWritableError', async () => {
    const other = new Database(db.name);
    other.exec('BEGIN IMMEDIATE');
    const failed = writer.write(put('k1')).catch((error: unknown) => error);
    const begin = performance.now();
    await time.settle();
    expect(await failed).toBeInstanceOf(StoreNotWritableError);
    expect(performance.now() - begin).toBeLessThan(4_000);
    other.close();
  });
});
