import { beforeEach, expect, test } from 'vitest';
import type { PlannedCall, SyncToSave } from '../../src/core/store/ports/syncs.ts';
import { audience } from './audiences-conformance.ts';
import { messageRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

const sync = (over: Partial<SyncToSave> = {}): SyncToSave => ({
  audienceId: 1,
  n: 1,
  state: 'running',
  token: 't0',
  startedBy: 'person',
  startedAt: 3,
  endedAt: null,
  expected: 3,
  sent: 0,
  added: 2,
  removed: 1,
  changed: 0,
  delivered: null,
  failed: null,
  events: [{ what: 'started', at: 3 }],
  series: [],
  ...over,
});

const call = (position: number): PlannedCall => ({
  position,
  userId: `u${position}`,
  type: position % 2 === 0 ? 'track' : 'identify',
  value: 'true',
  before: position === 3 ? 'false' : null,
});

export function syncsConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(async () => {
    store = open();
    await commit(store, (changes) => store.audiences.save(audience(), changes));
    await commit(store, (changes) => store.audiences.save(audience({ kind: 'trait', property: 'p' }), changes));
  });
  const save = (one: SyncToSave): Promise<number> => commit(store, (changes) => store.syncs.save(one, changes));
  const window = { syncId: 1, after: 0, limit: 100 } as const;

  test('come back as they were saved, newest first, of one audience, of a kind or of all', async () => {
    const first = await save(sync());
    const other = await save(sync({ audienceId: 2, state: 'preparing', expected: null }));
    const done = {
      state: 'done',
      endedAt: 9,
      expected: 3,
      sent: 3,
      delivered: 2,
      failed: 1,
      series: [[1, 2]],
    } as const;
    await save(sync({ id: first, ...done }));
    const second = await save(sync({ n: 2, state: 'stopped' }));
    const idsOf = (audienceId: number | null, kind: 'audience' | 'trait' | null, before: number | null = null) =>
      store.syncs.list({ audienceId, kind, before, limit: 10 }).map(({ id }) => id);
    expect(store.syncs.sync(first)).toEqual({ ...sync(done), id: first });
    expect([idsOf(null, null), idsOf(1, null), idsOf(null, 'trait'), idsOf(null, null, second)]).toEqual([
      [second, other, first],
      [second, first],
      [other],
      [other, first],
    ]);
    expect([
      store.syncs.count({ audienceId: 1, kind: null }),
      store.syncs.count({ audienceId: null, kind: 'trait' }),
    ]).toEqual([2, 1]);
    expect(store.syncs.byNumber(1, 2)).toEqual({ ...sync({ n: 2, state: 'stopped' }), id: second });
    expect(store.syncs.byNumber(1, 3)).toBeUndefined();
    expect(store.syncs.open().map(({ id }) => id)).toEqual([other, second]);
  });

  test('one is done only with a ledger that adds up', async () => {
    const id = await save(sync());
    await expect(save(sync({ id, state: 'done', endedAt: 9, delivered: 1, failed: 1 }))).rejects.toThrow();
    await expect(save(sync({ id, state: 'done', delivered: 2, failed: 1 }))).rejects.toThrow();
    expect(store.syncs.sync(id)?.state).toBe('running');
  });

  test('the oldest of an audience go when they are done and have no calls, a few at a time', async () => {
    const done = { state: 'done', endedAt: 9, delivered: 3, failed: 0 } as const;
    for (let n = 1; n <= 6; n += 1) await save(sync({ n, ...(n !== 2 && done) }));
    await save(sync({ audienceId: 2, ...done }));
    await commit(store, (changes) => store.syncs.addCalls(3, [call(1)], changes));
    const remove = (limit: number) =>
      commit(store, (changes) => store.syncs.removeOld({ audienceId: 1, upTo: 5, limit }, changes));
    const left = () => store.syncs.list({ audienceId: null, kind: null, before: null, limit: 9 }).map(({ id }) => id);
    expect([store.syncs.oldestNumber(1), store.syncs.oldestNumber(9)]).toEqual([1, null]);
    expect([await remove(2), left()]).toEqual([2, [7, 6, 5, 3, 2]]);
    expect([await remove(2), await remove(2), left()]).toEqual([1, 0, [7, 6, 3, 2]]);
    expect(store.syncs.oldestNumber(1)).toBe(2);
  });

  test('those of a removed audience are not listed, and their calls are swept', async () => {
    const id = await save(sync());
    await commit(store, (changes) => store.syncs.addCalls(id, [call(1), call(2), call(3)], changes));
    await commit(store, (changes) => store.audiences.remove(1, changes));
    expect([store.syncs.sync(id), store.syncs.list({ audienceId: null, kind: null, before: null, limit: 9 })]).toEqual([
      undefined,
      [],
    ]);
    while (await commit(store, (changes) => store.audiences.sweep(2, changes)));
    expect(store.syncs.calls({ ...window, only: 'all' })).toEqual([]);
  });

  test('a call is planned, sent and settled once', async () => {
    const id = await save(sync());
    await commit(store, (changes) => {
      store.syncs.addCalls(id, [call(1), call(2), call(3)], changes);
      store.syncs.sent({ syncId: id, position: 1, messageId: 11 }, changes);
      store.syncs.sent({ syncId: id, position: 2, messageId: 12 }, changes);
      store.syncs.settle({ syncId: id, position: 1, outcome: 'failed', reason: '422' }, changes);
      store.syncs.settle({ syncId: id, position: 1, outcome: 'delivered', reason: null }, changes);
    });
    const unsent = { messageId: null, outcome: null, reason: null };
    expect(store.syncs.calls({ ...window, only: 'all' })).toEqual([
      { ...call(1), messageId: 11, outcome: 'failed', reason: '422' },
      { ...call(2), ...unsent, messageId: 12 },
      { ...call(3), ...unsent },
    ]);
    expect(store.syncs.calls({ ...window, after: 1, limit: 1, only: 'all' }).map(({ position }) => position)).toEqual([
      2,
    ]);
    expect(store.syncs.calls({ ...window, only: 'failed' }).map(({ position }) => position)).toEqual([1]);
    expect(store.syncs.openCalls(id)).toEqual([{ position: 2, messageId: 12 }]);
    expect(store.syncs.outcomes(id)).toEqual({ delivered: 0, failed: 1 });
    await expect(commit(store, (changes) => store.syncs.addCalls(id, [call(3)], changes))).rejects.toThrow();
  });

  test('failures are counted by reason, most first', async () => {
    const id = await save(sync());
    const reasons = ['400', '422', '422', 'expired'];
    await commit(store, (changes) => {
      store.syncs.addCalls(
        id,
        reasons.map((_, i) => call(i + 1)),
        changes,
      );
      for (const [i, reason] of reasons.entries()) {
        store.syncs.sent({ syncId: id, position: i + 1, messageId: i + 1 }, changes);
        store.syncs.settle({ syncId: id, position: i + 1, outcome: 'failed', reason }, changes);
      }
    });
    expect(store.syncs.failures(id)).toEqual([
      { reason: '422', count: 2 },
      { reason: '400', count: 1 },
      { reason: 'expired', count: 1 },
    ]);
  });

  test('a plan is removed in steps', async () => {
    const id = await save(sync());
    await commit(store, (changes) => store.syncs.addCalls(id, [call(1), call(2), call(3)], changes));
    const remove = () => commit(store, (changes) => store.syncs.removeCalls(id, 2, changes));
    expect([await remove(), await remove(), await remove()]).toEqual([true, true, false]);
    expect(store.syncs.calls({ ...window, only: 'all' })).toEqual([]);
  });

  test('states are those of the messages that are stored', () => {
    store.arrange.message(messageRow(1, { state: 'delivered' }));
    store.arrange.message(messageRow(2, { state: 'failed' }));
    expect(store.syncs.statesOf([1, 2, 3])).toEqual(
      new Map([
        [1, 'delivered'],
        [2, 'failed'],
      ]),
    );
  });

  test('a call that is taken out of a plan gives its place to the last one', async () => {
    const id = await save(sync());
    await commit(store, (changes) => store.syncs.addCalls(id, [call(1), call(2), call(3)], changes));
    const takeOut = (position: number, last: number) =>
      commit(store, (changes) => store.syncs.takeOut({ syncId: id, position, last }, changes));
    const users = () =>
      store.syncs.calls({ ...window, syncId: id, only: 'all' }).map((one) => [one.position, one.userId]);
    await takeOut(1, 3);
    expect(users()).toEqual([
      [1, 'u3'],
      [2, 'u2'],
    ]);
    await takeOut(2, 2);
    expect(users()).toEqual([[1, 'u3']]);
  });

  test('a call that is made anonymous keeps its place, its outcome and whether it told something before', async () => {
    const id = await save(sync());
    const values = [
      ['true', 'false'],
      ['"secret"', '7'],
      ['7', null],
    ] as const;
    const calls = values.map(([value, before], i) => ({ ...call(i + 1), value, before }));
    await commit(store, (changes) => {
      store.syncs.addCalls(id, calls, changes);
      store.syncs.sent({ syncId: id, position: 2, messageId: 5 }, changes);
      store.syncs.settle({ syncId: id, position: 2, outcome: 'failed', reason: '422' }, changes);
      for (const position of [1, 2, 3, 4]) store.syncs.anonymise({ syncId: id, position }, changes);
    });
    const rows = store.syncs.calls({ ...window, syncId: id, only: 'all' });
    expect(rows.map(({ userId, value, before }) => [userId, value, before])).toEqual([
      ['', 'true', 'false'],
      ['', 'null', 'null'],
      ['', 'null', null],
    ]);
    expect(rows[1]).toMatchObject({ messageId: 5, outcome: 'failed', reason: '422' });
  });
}
