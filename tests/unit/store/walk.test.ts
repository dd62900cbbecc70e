/** Reading a table around damaged pages, on tables of pages of which some throw what SQLite throws. */
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walk } from '../../../src/core/store/walk.ts';

interface Page {
  readonly ids: readonly number[];
  readonly damaged: boolean;
}

const corrupt = new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT');

/** As SQLite reads: page by page from the one that an id belongs to, until there are enough rows. */
const reader = (pages: readonly Page[]) => (from: number, limit: number) => {
  const rows: { id: number }[] = [];
  for (const { ids, damaged } of pages) {
    if ((ids.at(-1) ?? 0) < from || rows.length >= limit) continue;
    if (damaged) throw corrupt;
    rows.push(...ids.filter((id) => id >= from).map((id) => ({ id })));
  }
  return rows.slice(0, limit);
};

const somePages = fc
  .array(fc.record({ rows: fc.integer({ min: 1, max: 40 }), gap: fc.nat(20), damaged: fc.boolean() }), {
    maxLength: 30,
  })
  .map((drafts) => {
    let id = 0;
    return drafts.map(({ rows, gap, damaged }) => {
      id += gap;
      return { damaged, ids: Array.from({ length: rows }, () => ++id) };
    });
  });

test('gives every row that is not on a damaged page, in order and once, and tells of damage if there is any', () => {
  fc.assert(
    fc.property(somePages, (pages) => {
      let told = false;
      const steps = [...walk(reader(pages), () => (told = true))];
      expect(steps.filter((rows) => rows.length === 0)).toEqual([]);
      const found = steps.flat().map(({ id }) => id);
      expect(found).toEqual(pages.filter(({ damaged }) => !damaged).flatMap(({ ids }) => ids));
      expect(told).toBe(pages.some(({ damaged }) => damaged));
    }),
    { numRuns: 300 },
  );
});

const idsFrom = (from: number, n: number): number[] => Array.from({ length: n }, (_, i) => from + i);

test('a sound page of eight rows is found far inside a hole', () => {
  const read = reader([
    { ids: idsFrom(1, 100), damaged: false },
    { ids: idsFrom(101, 10_000), damaged: true },
    { ids: idsFrom(10_101, 8), damaged: false },
    { ids: idsFrom(10_109, 10_000), damaged: true },
    { ids: idsFrom(20_109, 50), damaged: false },
  ]);
  expect([...walk(read, () => {})].flat()).toHaveLength(158);
});

test('a hole of a hundred thousand rows costs some thousand reads', () => {
  const read = reader([
    { ids: idsFrom(1, 100), damaged: false },
    { ids: idsFrom(101, 100_000), damaged: true },
    { ids: idsFrom(100_101, 50), damaged: false },
  ]);
  let reads = 0;
  const counted = (from: number, limit: number) => {
    reads += 1;
    return read(from, limit);
  };
  expect([...walk(counted, () => {})].flat()).toHaveLength(150);
  expect(reads).toBeLessThan(10_000);
});

test.each([
  ['far off', [1, 2, 2 ** 52, 3], [1, 2, 3]],
  ['out of order', [1, 2, 3, 1, 4], [1, 2, 3, 4]],
  ['there twice', [1, 2, 2, 3], [1, 2, 3]],
  ['ten million and one further', [1, 10_000_002], [1]],
])('an id that is %s is passed over', (_what, ids, found) => {
  expect(walked(ids)).toEqual(found);
});

test('an id that is ten million further is one', () => {
  expect(walked([1, 10_000_001])).toEqual([1, 10_000_001]);
});

function walked(ids: readonly number[]): number[] {
  const rows = ids.map((id) => ({ id }));
  const read = (from: number, limit: number) => rows.filter(({ id }) => id >= from).slice(0, limit);
  return [...walk(read, () => {})].flat().map(({ id }) => id);
}

test('a read that fails for another reason ends the walk with its error, and is not damage', () => {
  const busy = new Database.SqliteError('database is busy', 'SQLITE_BUSY');
  const told: string[] = [];
  const read = (): never => {
    throw busy;
  };
  expect(() => [...walk(read, () => told.push('damage'))]).toThrow(busy);
  expect(told).toEqual([]);
});
