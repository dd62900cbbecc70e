/** Statements with named parameters, and the texts that are made of the model's names. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import {
  BulkCommand,
  columnList,
  columns,
  insertInto,
  replaceInto,
  Writes,
} from '../../../src/core/store/statements.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

interface Pair {
  readonly firstId: number;
  readonly second_id: number;
}

class Pairs extends Writes {
  readonly put = this.command<Pair>('INSERT INTO pairs VALUES (@firstId, @second_id)');
  readonly take = this.command<{ firstId: number }, Pair>('DELETE FROM pairs WHERE first_id = @firstId RETURNING *');
  readonly putAll = this.bulk<Pair>(
    ['second_id', 'firstId'],
    (rows) => `INSERT INTO pairs (second_id, first_id) VALUES ${rows}`,
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

test.each([0, 1, 3, 16, 33, 63])('a bulk command writes %d rows in their order, each value in its place', (count) => {
  const rows = Array.from({ length: count }, (_, n) => ({ firstId: 100 + n, second_id: n }));
  pairs.putAll.run(changes, rows);
  expect(pairs.all.all().slice(3)).toEqual(rows.map(({ firstId, second_id }) => ({ first_id: firstId, second_id })));
});

test('a bulk command is prepared for one row when it is made, and once for each length that it needs', () => {
  const db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.exec('CREATE TEMP TABLE pairs (first_id INTEGER, second_id INTEGER)');
  const prepare = vi.spyOn(db, 'prepare');
  const bulk = new BulkCommand<Pair>(db, ['firstId', 'second_id'], (rows) => `INSERT INTO pairs VALUES ${rows}`);
  const prepared = () => prepare.mock.calls.map(([sql]) => sql.match(/\(\?, \?\)/g)!.length);
  expect(prepared()).toEqual([1]);
  const rows = Array.from({ length: 7 }, (_, n) => ({ firstId: n, second_id: n }));
  bulk.run(changes, rows);
  bulk.run(changes, rows);
  expect(prepared()).toEqual([1, 4, 2]);
  expect(() => new BulkCommand<Pair>(db, ['firstId'], (all) => `INSERT INTO nowhere VALUES ${all}`)).toThrow('nowhere');
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
