/** Which rows come with the ids that match, and how long an answer without any is put off. */
import { expect, test } from 'vitest';
import { listHandlers } from '../../../src/core/serving/handlers/lists.ts';
import type { Scan } from '../../../src/core/store/ports/lists.ts';
import { fakeMessage } from '../../helpers/fake-values.ts';

const filter = { terms: [{ key: 'field' as const, path: 'properties.total', op: '>' as const, values: ['80'] }] };

/** A store of 10,000 messages of which a scan reads 1,000, with one match at each of these ids. */
function handlersOver(matches: readonly number[]) {
  const happened: string[] = [];
  const ids = ({ before, after }: Scan) => {
    const bottom = Math.max(after + 1, before - 1_000);
    happened.push(`scan below ${before}`);
    return {
      ids: matches.filter((id) => id < before && id >= bottom),
      scannedTo: bottom,
      more: bottom > after + 1,
    };
  };
  const messages = (wanted: readonly number[]) => wanted.map((id) => ({ ...fakeMessage(id), notes: [] }));
  const handlers = listHandlers({
    lists: { ids, messages, idRange: () => ({ first: 1, last: 10_000 }) } as never,
    details: {} as never,
    ranks: {} as never,
    index: { find: async () => null },
    clock: { mono: () => 0 },
    timers: {
      soon: (run) => {
        happened.push('other work');
        run();
      },
    },
  });
  const ask = (rows: number) => handlers['messages.ids']({ filter, limit: 100, rows });
  return { ask, happened };
}

test('a scan that finds nothing is followed by others, with other work between them, until there is a row', async () => {
  const { ask, happened } = handlersOver([7_900, 7_800, 7_700]);
  const page = await ask(2);
  expect([page.ids, page.rows.map(({ id }) => id), page.scannedTo, page.more]).toEqual([
    [7_900, 7_800, 7_700],
    [7_900, 7_800],
    7_001,
    true,
  ]);
  expect(happened).toEqual(['scan below 10001', 'other work', 'scan below 9001', 'other work', 'scan below 8001']);
});

test('an answer without a row comes after five scans', async () => {
  const { ask, happened } = handlersOver([100]);
  expect(await ask(2)).toEqual({ ids: [], rows: [], scannedTo: 5_001, more: true });
  expect(happened.filter((one) => one.startsWith('scan'))).toHaveLength(5);
});

test('who wants no rows has an answer after the first scan', async () => {
  const { ask, happened } = handlersOver([100]);
  expect(await ask(0)).toEqual({ ids: [], rows: [], scannedTo: 9_001, more: true });
  expect(happened).toEqual(['scan below 10001']);
});
