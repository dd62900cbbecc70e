/** Statements for many rows: each value in its place, whatever the rows have in common. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { BulkCommand, SharedCommand } from '../../../src/core/store/many-rows.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { prepareAtOnce } from '../../../src/core/store/prepared.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

interface Thing {
  readonly kind: string | null;
  readonly n: number;
  readonly ofId: number | null;
}

const NAMES = ['kind', 'n', 'ofId'] as const;
const COMMON = ['ofId', 'kind'] as const;
const insert = (rows: string): string => `INSERT INTO things (kind, n, of_id) ${rows}`;
const changes = new Changes();

/** A handle, and the statements that were prepared on it. */
function watched(): { db: Db; prepared: () => string[]; things: () => Thing[] } {
  const db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.exec('CREATE TEMP TABLE things (id INTEGER PRIMARY KEY, kind TEXT, n INTEGER, of_id INTEGER) STRICT');
  const all = db.prepare<[], Thing>('SELECT kind, n, of_id AS ofId FROM things ORDER BY id');
  const prepare = vi.spyOn(db, 'prepare');
  return { db, prepared: () => prepare.mock.calls.map(([sql]) => sql), things: () => all.all() };
}

const LENGTHS = [0, 1, 2, 3, 16, 32, 33, 63, 64, 65];
const many = (count: number, of: (n: number) => Omit<Thing, 'n'>): Thing[] =>
  Array.from({ length: count }, (_, n) => ({ n, ...of(n) }));

test.each(LENGTHS)('a bulk command writes %d rows in their order, each value in its place', (count) => {
  const { db, things } = watched();
  const rows = many(count, (n) => ({ kind: `kind ${n}`, ofId: n % 2 === 0 ? null : n }));
  const ids = new BulkCommand<Thing>(db, NAMES, insert).run(changes, rows);
  expect(things()).toEqual(rows);
  expect(ids).toEqual(rows.map((_, n) => n + 1));
});

test.each(LENGTHS)('and %d rows with values in common', (count) => {
  const { db, things } = watched();
  const rows = many(count, () => ({ kind: 'alike', ofId: null }));
  const ids = new BulkCommand<Thing>(db, NAMES, insert, COMMON).run(changes, rows);
  expect(things()).toEqual(rows);
  expect(ids).toEqual(rows.map((_, n) => n + 1));
});

test.each([
  ['the first', 0, { kind: 'other' }],
  ['the second', 1, { kind: 'other' }],
  ['the last, where another is null', 4, { kind: null }],
  ['the last, in the other of two values', 4, { ofId: 7 }],
])('rows that are alike but for %s keep their own values', (_, place, own) => {
  const { db, things } = watched();
  const rows = many(5, () => ({ kind: 'alike', ofId: 1 })).map((row, n) => (n === place ? { ...row, ...own } : row));
  new BulkCommand<Thing>(db, NAMES, insert, COMMON).run(changes, rows);
  expect(things()).toEqual(rows);
});

test('rows of one statement that are alike are told from those of the next that are not', () => {
  const { db, prepared, things } = watched();
  const rows = many(34, (n) => ({ kind: n < 33 ? 'alike' : 'other', ofId: 1 }));
  new BulkCommand<Thing>(db, NAMES, insert, COMMON).run(changes, rows);
  expect(things()).toEqual(rows);
  expect(prepared().map((sql) => sql.includes('SELECT'))).toEqual([true, false]);
});

test('what many rows have in common is given once', () => {
  const { db, prepared } = watched();
  const bulk = new BulkCommand<Thing>(db, NAMES, insert, COMMON);
  const alike = many(3, () => ({ kind: 'alike', ofId: 1 }));
  bulk.run(changes, alike);
  bulk.run(changes, alike.slice(0, 1));
  expect(prepared().map((sql) => sql.split('?').length - 1)).toEqual([2 + 3, 3]);
});

test('a statement is prepared once for each number of rows', () => {
  const { db, prepared } = watched();
  const bulk = new BulkCommand<Thing>(db, NAMES, insert, COMMON);
  expect(prepared()).toEqual([]);
  for (const rows of [many(71, (n) => ({ kind: '', ofId: n })), many(71, () => ({ kind: '', ofId: 1 }))])
    for (let times = 0; times < 2; times++) bulk.run(changes, rows);
  expect(prepared().map((sql) => sql.match(/\(\?/g)!.length)).toEqual([32, 7, 32, 7]);
});

test('a shared command gives many rows the same values, and says how many it found', () => {
  const { db, prepared, things } = watched();
  new BulkCommand<Thing>(db, NAMES, insert).run(changes, [
    { kind: 'a', n: 0, ofId: 1 },
    { kind: 'a', n: 0, ofId: 1 },
    { kind: 'a', n: 0, ofId: 2 },
    { kind: 'a', n: 0, ofId: 1 },
  ]);
  const shared = new SharedCommand<{ n: number; of: number }>(db, 'UPDATE things SET n = @n WHERE of_id = @of');
  expect(prepared()).toHaveLength(1);
  expect(shared.run(changes, { n: 7, of: 1 }, [1, 2, 3])).toBe(2);
  expect(shared.run(changes, { n: 8, of: 1 }, [9, 3, 2])).toBe(1);
  expect(shared.run(changes, { n: 9, of: 1 }, [])).toBe(0);
  expect(shared.run(changes, { n: 5, of: 1 }, [...Array.from({ length: 33 }, (_, n) => 100 + n), 4])).toBe(1);
  const lengths = prepared().flatMap((sql) => /id IN \((.*)\)/.exec(sql)?.[1]?.split(',').length ?? []);
  expect(lengths).toEqual([3, 32, 2]);
  expect(things().map(({ n }) => n)).toEqual([7, 8, 0, 5]);
});

test('a shared command says whether it writes the same, whatever else differs', () => {
  const { db } = watched();
  const sql = 'UPDATE things SET n = @n, kind = @kind WHERE of_id = @of';
  const values = { n: 1, kind: 'a', of: 2, note: 'b' };
  const shared = new SharedCommand<typeof values>(db, sql);
  const asThese = (other: Partial<typeof values>): boolean => shared.writesTheSame(values, { ...values, ...other });
  expect([asThese({}), asThese({ note: 'c' })]).toEqual([true, true]);
  expect([asThese({ n: 3 }), asThese({ kind: '' }), asThese({ of: 3 })]).toEqual([false, false, false]);
});

test('a handle that prepares at once finds an error in each form', () => {
  const { db } = watched();
  prepareAtOnce(db);
  const notThere = (rows: string): string => `INSERT INTO nowhere ${rows}`;
  expect(() => new BulkCommand<Thing>(db, NAMES, notThere)).toThrow('nowhere');
  const notAlike = (rows: string): string => (rows.includes('SELECT') ? notThere(rows) : insert(rows));
  expect(() => new BulkCommand<Thing>(db, NAMES, notAlike, COMMON)).toThrow('nowhere');
  expect(() => new SharedCommand(db, 'UPDATE nowhere SET n = 1 WHERE true')).toThrow('nowhere');
});
