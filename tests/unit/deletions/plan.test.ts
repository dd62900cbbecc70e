import { describe, expect, test } from 'vitest';
import { plannedNotices, plannedSources, reasonOf } from '../../../src/core/deletions/plan.ts';
import type { FoundUser } from '../../../src/core/deletions/user-calls.ts';
import type { Source } from '../../../src/core/model/records.ts';

const user = (...calls: Array<[source: number, calls: number]>): FoundUser => ({
  calls: new Map(calls),
  messages: [],
  held: 0,
  replays: 0,
  identify: null,
});
const source = (id: number, webhooks: boolean): Source =>
  ({ id, name: `s${id}`, kind: 'web', webhooks, enabled: true }) as Source;
const ON = { enabled: true, webhookCount: 1 };

describe('sources', () => {
  const silences = (destination: typeof ON) =>
    plannedSources([source(1, true), source(2, false)], [], destination).map(({ silent }) => silent);

  test('are told when the destination is on, for them and as a whole, and has a webhook', () => {
    expect(silences(ON)).toEqual([null, 'destination_off']);
    expect(silences({ ...ON, enabled: false })).toEqual(['destination_off', 'destination_off']);
    expect(silences({ ...ON, webhookCount: 0 })).toEqual(['no_webhook', 'destination_off']);
    expect(plannedSources([source(1, true)], [], ON)).toEqual([
      { sourceId: 1, name: 's1', kind: 'web', destinationOn: true, silent: null },
    ]);
    expect(plannedSources([source(1, true)], [], { ...ON, enabled: false })[0]!.destinationOn).toBe(false);
    expect(plannedSources([source(1, true)], [], { ...ON, webhookCount: 0 })[0]!.destinationOn).toBe(true);
  });

  test('that were removed come last, each once and by id, when they have calls of these users', () => {
    const users = [user([9, 1], [1, 1]), user([7, 2], [9, 1])];
    const planned = plannedSources([source(1, true)], users, ON);
    expect(planned.map(({ sourceId }) => sourceId)).toEqual([1, 7, 9]);
    expect(planned[1]).toEqual({
      sourceId: 7,
      name: 'Source 7',
      kind: null,
      destinationOn: false,
      silent: 'source_removed',
    });
  });
});

test('a user whom a source does not know is no reason to ask whether it is on', () => {
  const [on, off] = plannedSources([source(1, true), source(2, false)], [], ON);
  expect([reasonOf(on!, user([1, 3])), reasonOf(on!, user())]).toEqual([null, 'does_not_know']);
  expect([reasonOf(off!, user([2, 3])), reasonOf(off!, user())]).toEqual(['destination_off', 'does_not_know']);
});

test('notices go by user, then source, with the calls that are known; who is not known is left out', () => {
  const sources = plannedSources([source(1, true), source(2, false), source(3, true)], [], ON);
  const users = new Map([
    ['a', user([3, 5], [2, 1])],
    ['b', user()],
    ['c', user([1, 2])],
  ]);
  expect(plannedNotices(['a', 'b', 'c'], users, sources)).toEqual([
    { position: 1, sourceId: 2, calls: 1, reason: 'destination_off' },
    { position: 1, sourceId: 3, calls: 5, reason: null },
    { position: 3, sourceId: 1, calls: 2, reason: null },
  ]);
});
