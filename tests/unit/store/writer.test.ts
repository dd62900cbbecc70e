import Database from 'better-sqlite3';
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DUE_STATES, MESSAGE_STATES, type MessageState } from '../../../src/core/model/vocabulary.ts';
import { StoreDamagedError, StoreNotWritableError, type Timers } from '../../../src/core/ports.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { GroupWriter, type Together } from '../../../src/core/store/writer.ts';

import { countedStates, secondConnection } from '../../helpers/core-fixture.ts';
import { SimTime } from '../../helpers/sim-ports.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let folder: string;
let db: Db;
let time: SimTime;
let writer: GroupWriter;
let commits: Changes[];
let writable: boolean[];
let damaged: string[];
let onCommit: () => void;

beforeEach(() => {
  folder = tempWorkspace();
  db = openStore(folder);
  onTestFinished(() => void db.close());
  db.pragma('synchronous = OFF');
  time = new SimTime();
  commits = [];
  writable = [];
  damaged = [];
  onCommit = () => {};
  writer = new GroupWriter(db, time, {
    committed: (changes) => {
      commits.push(changes);
      onCommit();
    },
    writable: (now) => writable.push(now),
    damaged: (what) => damaged.push(what),
  });
});

const put = (key: string) => (): string => {
  db.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run(key, 'x');
  return key;
};
const keys = (from: Db = db): string[] =>
  from.prepare("SELECT key FROM settings WHERE key LIKE 'k%' ORDER BY rowid").pluck().all() as string[];

describe('what is written together', () => {
  let runs: string[][];
  const shouted: Together<string, string> = {
    run: (all) => {
      runs.push([...all]);
      if (all.includes('bad')) throw new Error('bad');
      return all.map((key) => put(`k${key}`)().toUpperCase());
    },
  };
  const ask = (key: string, rows = 1): Promise<string> => writer.writeTogether(shouted, () => key, rows);
  beforeEach(() => {
    runs = [];
  });

  test('is one run in the place of the first, and each gets its own result', async () => {
    const all = Promise.all([writer.write(put('k1')), ask('2'), writer.write(put('k3')), ask('4')]);
    writer.flush();
    expect([await all, runs, keys()]).toEqual([['k1', 'K2', 'k3', 'K4'], [['2', '4']], ['k1', 'k2', 'k4', 'k3']]);
    expect(commits).toHaveLength(1);
  });

  test('is another run for something else, and in another transaction', async () => {
    const others: Together<number, number> = { run: (all) => all.map((n) => n * all.length) };
    const all = Promise.all([ask('1'), writer.writeTogether(others, () => 5, 1), ask('2', 998), ask('3')]);
    writer.flush();
    expect([await all, runs]).toEqual([
      ['K1', 5, 'K2', 'K3'],
      [['1', '2'], ['3']],
    ]);
    expect(commits).toHaveLength(2);
  });

  test('is taken in the transaction, and again when that is repeated', async () => {
    const taken: string[] = [];
    let latest = 'early';
    const take = (): string => {
      taken.push(latest);
      return latest;
    };
    const [good, bad] = [writer.writeTogether(shouted, take, 1), ask('bad')];
    latest = 'late';
    writer.flush();
    await expect(bad).rejects.toThrow('bad');
    expect([await good, taken, keys()]).toEqual(['KLATE', ['late', 'late'], ['klate']]);
  });

  test('fails for the culprit alone, at once', async () => {
    const all = Promise.allSettled([ask('1'), ask('bad'), ask('3')]);
    writer.flush();
    expect(runs).toEqual([['1', 'bad', '3'], ['1'], ['bad'], ['3']]);
    expect(keys()).toEqual(['k1', 'k3']);
    expect(await all).toEqual([
      { status: 'fulfilled', value: 'K1' },
      { status: 'rejected', reason: new Error('bad') },
      { status: 'fulfilled', value: 'K3' },
    ]);
  });
});

describe('one turn, one transaction', () => {
  test('jobs asked for in one turn are committed together, in order, and each gives its value', async () => {
    const all = Promise.all([writer.write(put('k1')), writer.write(put('k2')), writer.write(put('k3'))]);
    await time.settle();
    expect(await all).toEqual(['k1', 'k2', 'k3']);
    expect(commits).toHaveLength(1);
    expect(keys()).toEqual(['k1', 'k2', 'k3']);
  });

  test('nothing is written before the turn ends', () => {
    void writer.write(put('k1'));
    expect(keys()).toEqual([]);
    expect(commits).toHaveLength(0);
  });

  test('a promise resolves only when another connection sees the rows', async () => {
    const other = secondConnection(folder);
    const seen = writer.write(put('k1')).then(() => keys(other));
    await time.settle();
    expect(await seen).toEqual(['k1']);
  });

  test('listeners hear of a commit before its promises resolve', async () => {
    const order: string[] = [];
    onCommit = () => order.push('committed');
    void writer.write(put('k1')).then(() => order.push('resolved'));
    await time.settle();
    expect(order).toEqual(['committed', 'resolved']);
  });

  test('many rows are split into several transactions, in order', async () => {
    const all = Promise.all(
      Array.from({ length: 25 }, (_, i) => writer.write(put(`k${String(i).padStart(2, '0')}`), 100)),
    );
    await time.settle();
    await all;
    expect(commits).toHaveLength(3);
    expect(keys()).toEqual(Array.from({ length: 25 }, (_, i) => `k${String(i).padStart(2, '0')}`));
  });

  test.each([
    [999, 1],
    [1_000, 2],
  ])('a job of %d rows and one more are %d transactions', async (rows, transactions) => {
    const done = Promise.all([writer.write(put('k1'), rows), writer.write(put('k2'))]);
    await time.settle();
    await done;
    expect(commits).toHaveLength(transactions);
  });

  test('a job that says nothing of its rows writes one', async () => {
    const done = Promise.all([writer.write(put('k1'), 999), writer.write(put('k2')), writer.write(put('k3'))]);
    await time.settle();
    await done;
    expect(commits).toHaveLength(2);
  });

  test('one job of very many rows is one transaction', async () => {
    const done = Promise.all([writer.write(put('k1'), 5_001), writer.write(put('k2'))]);
    await time.settle();
    await done;
    expect(commits).toHaveLength(2);
  });

  test('flush commits at once and leaves nothing for the turn', async () => {
    const one = writer.write(put('k1'));
    const many = writer.write(put('k2'), 2_000);
    writer.flush();
    expect(keys()).toEqual(['k1', 'k2']);
    await time.settle();
    expect(await Promise.all([one, many])).toEqual(['k1', 'k2']);
    expect(commits).toHaveLength(1);
  });

  test('one turn is asked for at a time, also where a listener writes while jobs are left', async () => {
    let asked = 0;
    const timers: Timers = {
      after: (ms, run) => time.after(ms, run),
      soon: (run) => {
        asked += 1;
        time.soon(run);
      },
    };
    const extra: Promise<string>[] = [];
    const committed = (): void => {
      if (extra.length === 0) extra.push(writer.write(put('k3')));
    };
    writer = new GroupWriter(db, timers, { committed, writable: () => {} });
    const both = Promise.all([writer.write(put('k1'), 1_000), writer.write(put('k2'), 1)]);
    await time.settle();
    expect([await both, await extra[0], keys(), asked]).toEqual([['k1', 'k2'], 'k3', ['k1', 'k2', 'k3'], 2]);
  });

  test('a job that is asked for by the end of another one comes in the next transaction', async () => {
    const both = writer.write(put('k1')).then(() => writer.write(put('k2')));
    await time.settle();
    await both;
    expect(commits).toHaveLength(2);
  });
});

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
    onCommit = () => {
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

describe('the changes of a transaction', () => {
  test.each<
    [
      string,
      (changes: Changes) => void,
      Partial<Record<'inserted' | 'messages' | 'removed' | 'emptied', number[]>>,
      object,
    ]
  >([
    ['an insert', (c) => c.insertedMessage(1, 'queued'), { inserted: [1], messages: [1] }, { queued: 1 }],
    ['a move', (c) => c.movedMessage(1, 'queued', 'failed'), { messages: [1] }, { queued: -1, failed: 1 }],
    ['a move to where it was', (c) => c.movedMessage(1, 'paused', 'paused'), { messages: [1] }, {}],
    ['a removal', (c) => c.removedMessage(1, 'failed'), { removed: [1] }, { failed: -1 }],
    ['an emptying', (c) => c.emptiedMessage(1), { messages: [1], emptied: [1] }, {}],
  ])('%s', (_, change, { inserted = [], messages = [], removed = [], emptied = [] }, counts) => {
    const changes = new Changes();
    change(changes);
    expect([changes.inserted, [...changes.messages], changes.removed, changes.emptied]).toEqual([
      inserted,
      messages,
      removed,
      emptied,
    ]);
    expect(Object.fromEntries(changes.counts)).toEqual(counts);
  });

  test('add up, and a message that was removed is no changed one', () => {
    const changes = new Changes();
    changes.insertedMessage(1, 'queued');
    changes.insertedMessage(2, 'queued');
    changes.removedMessage(1, 'queued');
    expect([changes.inserted, [...changes.messages], changes.removed]).toEqual([[1, 2], [2], [1]]);
    expect(Object.fromEntries(changes.counts)).toEqual({ queued: 1 });
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

describe('counters', () => {
  const command = fc.oneof(
    fc.record({ kind: fc.constant('insert' as const), state: fc.constantFrom(...MESSAGE_STATES) }),
    fc.record({ kind: fc.constant('move' as const), at: fc.nat(), to: fc.constantFrom(...MESSAGE_STATES) }),
    fc.record({ kind: fc.constant('remove' as const), at: fc.nat() }),
    fc.record({ kind: fc.constant('throw' as const), state: fc.constantFrom(...MESSAGE_STATES) }),
    fc.record({ kind: fc.constant('turn' as const) }),
  );
  const due = (state: MessageState): number | null => (DUE_STATES.has(state) ? 1 : null);

  test('always equal a count of the messages by state', async () => {
    const insert = db.prepare(
      `INSERT INTO messages (message_id, request_id, position, origin, type, name, state, received_at, size, next_due_at)
       VALUES ('m', 1, 0, 'sdk', 'track', 'n', ?, 1, 1, ?)`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 40 }), async (commands) => {
        let changedInMemory = 0;
        for (const one of commands) {
          if (one.kind === 'turn') await time.settle();
          else
            writer
              .write((changes) => {
                changedInMemory += 1;
                const ids = db.prepare('SELECT id, state FROM messages').all() as Array<{
                  id: number;
                  state: MessageState;
                }>;
                if (one.kind === 'insert' || one.kind === 'throw') {
                  changes.insertedMessage(Number(insert.run(one.state, due(one.state)).lastInsertRowid), one.state);
                  if (one.kind === 'throw') throw new Error('no');
                  return;
                }
                const row = ids[one.at % Math.max(1, ids.length)];
                if (row === undefined) return;
                if (one.kind === 'remove') {
                  db.prepare('DELETE FROM messages WHERE id = ?').run(row.id);
                  changes.removedMessage(row.id, row.state);
                } else {
                  db.prepare('UPDATE messages SET state = ?, next_due_at = ? WHERE id = ?').run(
                    one.to,
                    due(one.to),
                    row.id,
                  );
                  changes.movedMessage(row.id, row.state, one.to);
                }
              })
              .catch(() => {});
        }
        await time.settle();
        const counted = db.prepare('SELECT state, n FROM counters WHERE n <> 0 ORDER BY state').all() as Array<{
          state: string;
          n: number;
        }>;
        expect(Object.fromEntries(counted.map(({ state, n }) => [state, n]))).toEqual(countedStates(db));
        expect(changedInMemory).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 100 },
    );
  });
});
