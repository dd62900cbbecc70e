/** Statements with named parameters, and the texts that are made of the model's names. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { receivedCalls } from '../../../src/core/ingest/received-call.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { prepareAtOnce } from '../../../src/core/store/prepared.ts';
import { SqliteSearchTexts } from '../../../src/core/store/search-texts.ts';
import { sqlitePorts } from '../../../src/core/store/sqlite-ports.ts';
import { columnList, columns, insertInto, replaceInto, Writes } from '../../../src/core/store/statements.ts';
import { SqliteUserCalls } from '../../../src/core/store/user-calls.ts';
import { GroupWriter } from '../../../src/core/store/writer.ts';
import { SimTime } from '../../helpers/sim-ports.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';
import { TurningSealer } from '../../store/turning-sealer.ts';

interface Pair {
  readonly firstId: number;
  readonly second_id: number;
}

class Pairs extends Writes {
  readonly put = this.command<Pair>('INSERT INTO pairs VALUES (@firstId, @second_id)');
  readonly take = this.command<{ firstId: number }, Pair>('DELETE FROM pairs WHERE first_id = @firstId RETURNING *');
  readonly putAll = this.bulk<Pair>(
    ['second_id', 'firstId'],
    (rows) => `INSERT INTO pairs (second_id, first_id) ${rows}`,
    ['second_id'],
  );
  readonly all = this.query<undefined, object>('SELECT * FROM pairs');
  readonly between = this.column<{ from: number; to: number }, number>(
    'SELECT second_id FROM pairs WHERE first_id >= @from AND (second_id <= @to OR first_id = @from) ORDER BY 1',
  );
}

let pairs: Pairs;
const changes = new Changes();
beforeEach(() => {
  const db: Db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.exec('CREATE TEMP TABLE pairs (first_id INTEGER, second_id INTEGER)');
  pairs = new Pairs(db);
  for (const n of [1, 2, 3]) expect(pairs.put.run(changes, { second_id: 10 * n, firstId: n }).changes).toBe(1);
});

test('values go where their names stand, in whatever order they are given, and as often as they are named', () => {
  expect(pairs.all.all()).toEqual([1, 2, 3].map((n) => ({ first_id: n, second_id: 10 * n })));
  expect(pairs.all.get()).toEqual({ first_id: 1, second_id: 10 });
  expect(pairs.between.all({ to: 20, from: 1 })).toEqual([10, 20]);
  expect([pairs.between.get({ to: 5, from: 3 }), pairs.between.get({ to: 5, from: 4 })]).toEqual([30, undefined]);
});

test('a command gives the rows that it returns', () => {
  expect(pairs.take.all(changes, { firstId: 2 })).toEqual([{ first_id: 2, second_id: 20 }]);
  expect(pairs.between.all({ from: 0, to: 99 })).toEqual([10, 30]);
});

describe('a statement is prepared', () => {
  /** A handle, and the statements that were prepared on it. */
  function watched(): { db: Db; prepared: () => string[] } {
    const db = openStore(tempWorkspace());
    onTestFinished(() => void db.close());
    db.exec('CREATE TEMP TABLE pairs (first_id INTEGER, second_id INTEGER)');
    const prepare = vi.spyOn(db, 'prepare');
    return { db, prepared: () => prepare.mock.calls.map(([sql]) => sql) };
  }

  test('when it first runs, and never again', () => {
    const { db, prepared } = watched();
    const made = new Pairs(db);
    expect(prepared()).toEqual([]);
    for (const firstId of [1, 2]) made.put.run(changes, { firstId, second_id: 5 });
    expect(prepared()).toEqual(['INSERT INTO pairs VALUES (?, ?)']);
    for (const from of [1, 2]) expect(made.between.get({ from, to: 9 })).toBe(5);
    expect(prepared()).toHaveLength(2);
  });

  test('when it is made, where a handle is told so', () => {
    const { db, prepared } = watched();
    prepareAtOnce(db);
    const made = new Pairs(db);
    expect(prepared()).toHaveLength(6);
    made.put.run(changes, { firstId: 1, second_id: 5 });
    made.putAll.run(changes, [{ firstId: 2, second_id: 6 }]);
    made.putAll.run(changes, [
      { firstId: 3, second_id: 7 },
      { firstId: 4, second_id: 7 },
    ]);
    expect(made.between.all({ from: 1, to: 9 })).toEqual([5, 6, 7, 7]);
    expect(prepared()).toHaveLength(6);
  });
});

test('SQLite takes every statement of the store', () => {
  const db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  prepareAtOnce(db);
  const prepare = vi.spyOn(db, 'prepare');
  const writer = new GroupWriter(db, new SimTime(), { committed: () => {}, writable: () => {} });
  sqlitePorts(db, { writer, sealer: new TurningSealer(), receivedCalls });
  new SqliteSearchTexts(db, () => {});
  new SqliteUserCalls(db, () => {});
  expect(prepare.mock.calls.length).toBeGreaterThan(200);
});

test('the names of the model become columns', () => {
  expect(columns(['id', 'sourceId'])).toBe('id AS id, source_id AS sourceId');
  expect(columns(['id', 'firstAttemptAt'], 'm')).toBe('m.id AS id, m.first_attempt_at AS firstAttemptAt');
  expect(columnList(['id', 'sourceId'])).toBe('id, source_id');
  expect(columnList(['id', 'sourceId'], 'm')).toBe('m.id, m.source_id');
  expect(insertInto('marks', ['id', 'madeAt'])).toBe('INSERT INTO marks (id, made_at) VALUES (@id, @madeAt)');
});

test('a row with the same keys is replaced, except for its keys', () => {
  expect(replaceInto('marks', ['userId', 'kind'], ['userId', 'kind', 'madeAt', 'n']).replace(/\s+/g, ' ')).toBe(
    'INSERT INTO marks (user_id, kind, made_at, n) VALUES (@userId, @kind, @madeAt, @n) ' +
      'ON CONFLICT (user_id, kind) DO UPDATE SET made_at = excluded.made_at, n = excluded.n',
  );
});
