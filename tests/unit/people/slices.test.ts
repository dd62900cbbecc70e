/** The thread hears of new calls between two turns, so no turn of a long job may be long. */
import { describe, expect, test } from 'vitest';
import { SLICE_MS, SLICE_UNITS, UNIT } from '../../../src/core/model/slice.ts';
import { PeopleIndex } from '../../../src/core/people/people-index.ts';
import { columnsOfRule, RuleWatch } from '../../../src/core/people/rule-watch.ts';
import { SlowHost } from './slow-host.ts';

const CALLS = 5_000;
const READ_MS = 0.5;
/** A slice ends after the unit that was under way when its time was over. */
const LONGEST_MS = SLICE_MS + READ_MS;

const orders = {
  match: 'all',
  of: [
    {
      kind: 'event',
      event: 'Order Completed',
      op: 'at_least',
      times: 1,
      withinMs: null,
      where: [{ path: 'properties.total', test: { op: 'above', value: 20 } }],
    },
  ],
} as const;

function shop(readMs: number): SlowHost {
  const host = new SlowHost(readMs);
  for (let n = 0; n < CALLS; n += 1)
    host.call(`usr_${n}`, { event: 'Order Completed', properties: { total: n % 2 === 0 ? 30 : 10 } });
  host.start();
  return host;
}

describe('a turn of a long job', () => {
  test('takes no longer than a slice while the stored calls are read', () => {
    const host = shop(READ_MS);
    host.finish();
    expect(Math.max(...host.turns.map(({ ms }) => ms))).toBeLessThanOrEqual(LONGEST_MS);
    expect(host.told.at(-1)).toMatchObject({ state: 'ready', calls: CALLS, people: CALLS });
  });

  test('takes no longer than a slice while a new rule reads bodies and counts everyone', () => {
    const host = shop(READ_MS);
    host.finish();
    host.turns.length = 0;
    host.ask('rule', { rule: orders });
    host.finish();
    expect(host.ask('rule', { rule: orders })).toMatchObject({ done: true, members: CALLS / 2 });
    expect(host.turns.reduce((sum, { read }) => sum + read, 0)).toBe(CALLS);
    expect(Math.max(...host.turns.map(({ ms }) => ms))).toBeLessThanOrEqual(LONGEST_MS);
  });

  test('takes no longer than a slice while everyone is counted again', () => {
    const host = shop(READ_MS);
    host.ask('hold', { rule: orders });
    host.finish();
    host.turns.length = 0;
    host.ask('recount', null);
    host.finish();
    expect(host.turns.reduce((sum, { read }) => sum + read, 0)).toBe(CALLS);
    expect(Math.max(...host.turns.map(({ ms }) => ms))).toBeLessThanOrEqual(LONGEST_MS);
  });

  test('ends after so many units where no time passes', () => {
    const host = shop(0);
    host.finish();
    expect(Math.max(...host.turns.map(({ read }) => read))).toBe(SLICE_UNITS * UNIT);
  });

  test('does some work although its time is over when it begins', () => {
    const host = shop(10 * SLICE_MS);
    host.finish();
    expect(Math.max(...host.turns.map(({ read }) => read))).toBe(UNIT);
    expect(host.told.at(-1)).toMatchObject({ state: 'ready', calls: CALLS });
  });

  test('is followed by a pause, which new calls do not end for the long job', () => {
    const host = shop(READ_MS);
    host.finish();
    host.ask('recount', null);
    host.turn();
    host.turns.length = 0;
    host.call('usr_new', { event: 'Order Completed' });
    host.tellStored();
    host.turn();
    expect(host.turns).toEqual([{ ms: READ_MS, read: 1 }]);
    expect(host.ask('explain', { rule: orders, userId: 'usr_new' })).toBeNull();
  });
});

test('a unit looks through a bounded number of calls for those of a rare event', () => {
  const index = new PeopleIndex(() => new Map());
  for (let id = 1; id <= 20_000; id += 1)
    index.add({ id, type: 'track', event: 'Seen', userId: 'usr_a', sourceId: 1, receivedAt: 0, body: {} });
  index.countFromStart(0);
  const rare = { ...orders, of: [{ ...orders.of[0], event: 'Rare' }] };
  const [column] = index.columnsFor(columnsOfRule(rare));
  index.watch(new RuleWatch(index.data, rare, [column!]));
  expect(index.work({ isOver: () => true })).toBe(true);
  expect(column!.filledTo).toBe(4_096);
});
