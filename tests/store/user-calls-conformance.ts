import { beforeEach, expect, test } from 'vitest';
import type { MessageRecord } from '../../src/core/model/stored.ts';
import type { UserCallStore } from '../../src/core/store/ports/user-calls.ts';
import { messageRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

export function userCallsConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  let calls: UserCallStore;
  beforeEach(() => {
    store = open();
    calls = store.openUserCalls();
  });
  const put = (id: number, over: Partial<MessageRecord> = {}, body: string | null = '{"type":"track"}'): void =>
    store.arrange.message(messageRow(id, over), body === null ? null : Buffer.from(body));
  const ids = (...page: Parameters<UserCallStore['page']>): number[] => calls.page(...page).calls.map(({ id }) => id);

  test('are those that clients sent with a user id and that were not rejected', () => {
    put(1);
    for (const [i, origin] of (['composer', 'import', 'audience', 'deletion'] as const).entries())
      put(2 + i, { origin });
    put(6, { userId: null });
    put(7, { state: 'rejected' }, null);
    put(8, { state: 'not_selected' });
    expect(ids(0, 8, 100)).toEqual([1, 2, 3, 8]);
    expect(calls.newestId()).toBe(8);
  });

  test('have what their message and its delivered body say', () => {
    put(1, { userId: ' u', sourceId: null, receivedAt: 7, name: 'cut…' }, '{"type":"track","event":"whole"}');
    put(2, { type: 'identify', name: '' }, '{"traits":{"plan":"pro"}}');
    expect(calls.page(0, 2, 9).calls).toEqual([
      {
        id: 1,
        type: 'track',
        event: 'whole',
        userId: ' u',
        sourceId: null,
        receivedAt: 7,
        body: { type: 'track', event: 'whole' },
      },
      {
        id: 2,
        type: 'identify',
        event: '',
        userId: 'u1',
        sourceId: 1,
        receivedAt: 2,
        body: { traits: { plan: 'pro' } },
      },
    ]);
  });

  test('come in pages of messages, and say how far a page was read', () => {
    for (const id of [1, 2, 3, 4, 5]) put(id, { userId: id === 2 ? null : 'u' });
    expect([calls.page(0, 4, 2).readTo, ids(0, 4, 2)]).toEqual([2, [1]]);
    expect([calls.page(2, 4, 2).readTo, ids(2, 4, 2)]).toEqual([4, [3, 4]]);
    expect(calls.page(4, 4, 2)).toEqual({ calls: [], named: [], readTo: 4 });
    expect(calls.page(4, 9, 2).readTo).toBe(9);
  });

  test('name somebody when they have an id, were not rejected and are no notice of a deletion', () => {
    for (const [i, origin] of (['sdk', 'composer', 'import', 'audience', 'deletion'] as const).entries())
      put(1 + i, { origin });
    put(6, { userId: null, anonymousId: 'a' });
    put(7, { userId: null, anonymousId: null });
    put(8, { state: 'rejected' }, null);
    put(9, { type: 'alias', userId: 'u', anonymousId: 'a' }, '{"type":"alias","Previous ID":"p","User ID":"u"}');
    put(10, { type: 'alias', userId: 'u' }, '{"type":"alias","previousId":"q","userId":"u"}');
    put(11, { type: 'alias', userId: 'u' }, '{"type":"alias","previousId":7}');
    put(12, { type: 'track', userId: 'u' }, '{"type":"track","previousId":"q"}');
    const { named } = calls.page(0, 12, 100);
    expect(named.map(({ id }) => id)).toEqual([1, 2, 3, 4, 6, 9, 10, 11, 12]);
    expect(named.slice(4)).toEqual([
      { id: 6, userId: null, anonymousId: 'a', previousId: null },
      { id: 9, userId: 'u', anonymousId: 'a', previousId: 'p' },
      { id: 10, userId: 'u', anonymousId: null, previousId: 'q' },
      { id: 11, userId: 'u', anonymousId: null, previousId: null },
      { id: 12, userId: 'u', anonymousId: null, previousId: null },
    ]);
  });

  test('are given by id to show a person, in order, without those that name nobody', () => {
    put(1, { userId: null, anonymousId: 'a', name: 'cut…', sourceId: null }, '{"event":"whole"}');
    put(2, { state: 'rejected' }, null);
    put(3, { origin: 'deletion' });
    put(4, { type: 'identify', name: '', origin: 'audience' }, '{"traits":{}}');
    expect(calls.personCalls([4, 3, 2, 1, 9])).toEqual([
      {
        id: 1,
        type: 'track',
        event: 'whole',
        userId: null,
        anonymousId: 'a',
        sourceId: null,
        receivedAt: 1,
        body: { event: 'whole' },
      },
      expect.objectContaining({ id: 4, type: 'identify', event: '', userId: 'u1', body: { traits: {} } }),
    ]);
    expect(calls.personCalls([])).toEqual([]);
  });

  test('have no body where it is damaged, no object or not there', () => {
    put(1, { name: 'E' });
    put(2, { name: 'E' }, null);
    put(3, { name: 'E' }, '[1]');
    put(4, { name: 'E' }, 'no json');
    put(5, { name: 'E' });
    store.arrange.damageBody(1);
    expect(calls.page(0, 4, 9).calls.map(({ event, body }) => [event, body])).toEqual(Array(4).fill(['E', null]));
    expect([...calls.bodies([5, 4, 9, 2])]).toEqual([[5, { type: 'track' }]]);
  });

  test('are seen as soon as they are committed, and gone as soon as they are removed', async () => {
    expect([calls.newestId(), ids(0, 9, 9)]).toEqual([0, []]);
    for (const id of [1, 2, 3]) put(id);
    expect(ids(0, 9, 9)).toEqual([1, 2, 3]);
    const step = { after: 0, limit: 1, receivedBefore: 0 };
    await commit(store, (changes) => store.retention.purge(step, changes));
    expect(ids(0, 9, 9)).toEqual([2, 3]);
    expect(calls.bodies([1]).size).toBe(0);
  });
}
