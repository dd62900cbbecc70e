/** Values counted where the index says that a text may be, and how small an answer stays. */
import { expect, test } from 'vitest';
import { IndexedScan } from '../../../src/core/serving/handlers/indexed-scan.ts';
import type { ValuePage, ValueScan } from '../../../src/core/store/ports/lists.ts';

const filter = { terms: [{ key: 'text' as const, values: ['abc'] }] };

function scanOver(
  ranges: Array<{ top: number; bottom: number }>,
  read: (scan: ValueScan) => ValuePage['counts'],
  { reads = Number.POSITIVE_INFINITY, searchedTo = 1 } = {},
) {
  const asked: number[][] = [];
  const values = (scan: ValueScan): ValuePage => {
    asked.push([scan.before, scan.after, scan.most]);
    return { counts: read(scan), scannedTo: scan.after + 1, more: false };
  };
  const never = () => {
    throw new Error('not asked for');
  };
  const scan = new IndexedScan({
    lists: { values, ids: never, tally: never },
    index: { find: async () => ({ ranges, searchedTo }) },
    // There is time for so many reads.
    forSomeTime: () => () => asked.length < reads,
  });
  return { scan, asked };
}

test('values of several ranges are added, each once in the answer', async () => {
  const ranges = [
    { top: 100, bottom: 90 },
    { top: 20, bottom: 10 },
  ];
  const { scan } = scanOver(ranges, ({ before }) => [
    ['Signed Up', 1],
    [`Below ${before}`, 2],
  ]);
  expect(await scan.values({ filter, key: 'event', before: 200, after: 0 })).toEqual({
    counts: [
      ['Signed Up', 2],
      ['Below 100', 2],
      ['Below 20', 2],
    ],
    scannedTo: 1,
    more: false,
  });
});

test('an answer with many different values ends at the range that brought them', async () => {
  const ranges = [
    { top: 2_000, bottom: 1_500 },
    { top: 1_000, bottom: 500 },
    { top: 400, bottom: 300 },
  ];
  const { scan, asked } = scanOver(ranges, ({ before }) =>
    Array.from({ length: 600 }, (_, n) => [`${before} ${n}`, 1] as const),
  );
  const page = await scan.values({ filter, key: 'event', before: 3_000, after: 0 });
  expect([page.counts.length, page.scannedTo, page.more]).toEqual([1_200, 500, true]);
  expect(asked).toEqual([
    [2_000, 1_499, 1_000],
    [1_000, 499, 400],
  ]);
});

test.each([
  ['goes on at the next range', [{ top: 40, bottom: 30 }], 1, 40, true],
  ['has read all that the index named, and goes on where the index has not looked', [], 50, 50, true],
  ['has read all that the index named', [], 1, 1, false],
])('an answer whose time is over %s', async (_where, others, searchedTo, scannedTo, more) => {
  const ranges = [{ top: 100, bottom: 90 }, ...others];
  const { scan } = scanOver(ranges, () => [['Signed Up', 1]], { reads: 1, searchedTo });
  const page = await scan.values({ filter, key: 'event', before: 200, after: 0 });
  expect(page).toEqual({ counts: [['Signed Up', 1]], scannedTo, more });
});

test('an answer whose time is over within a range goes on there', async () => {
  const values = () => ({ counts: [], scannedTo: 95, more: true });
  const scan = new IndexedScan({
    lists: { values, ids: values as never, tally: values as never },
    index: { find: async () => ({ ranges: [{ top: 100, bottom: 90 }], searchedTo: 1 }) },
    forSomeTime: () => () => false,
  });
  expect(await scan.values({ filter, key: 'event', before: 200, after: 0 })).toMatchObject({
    scannedTo: 95,
    more: true,
  });
});
