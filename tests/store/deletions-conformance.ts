import { beforeEach, describe, expect, test } from 'vitest';
import type { NewDeletion } from '../../src/core/store/ports/deletions.ts';
import { messageRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

const SOURCES = [
  { sourceId: 1, name: 'web', kind: 'web', destinationOn: true },
  { sourceId: 2, name: 'app', kind: 'mobile', destinationOn: false },
] as const;

const deletion = (over: Partial<NewDeletion> = {}): NewDeletion => ({
  createdAt: 50,
  userIds: ['b', 'a', ' a'],
  sources: SOURCES,
  erase: true,
  suppress: false,
  forget: false,
  upTo: 9,
  upToRequest: 8,
  lookedAt: 0,
  notices: [
    { position: 1, sourceId: 2, calls: 3, reason: 'destination_off' },
    { position: 1, sourceId: 1, calls: 4, reason: null },
    { position: 2, sourceId: 1, calls: 5, reason: null },
  ],
  ...over,
});

export function deletionsConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });
  const add = (over?: Partial<NewDeletion>) => commit(store, (changes) => store.deletions.add(deletion(over), changes));

  test('a request comes back as it was stored, with nothing done yet', async () => {
    const id = await add();
    const { userIds: _, notices: __, ...kept } = deletion();
    const erased = {
      messages: 0,
      attempts: 0,
      replays: 0,
      heldCalls: 0,
      receiverEntries: 0,
      memberships: 0,
      cutCalls: 0,
    };
    const undone = { erasedAt: null, search: null, finishedAt: null, forgottenAt: null };
    expect(store.deletions.get(id)).toEqual({ ...kept, id, users: 3, erased, ...undone });
    expect(store.deletions.get(id + 1)).toBeUndefined();
  });

  test.each([
    { erase: true, suppress: true, forget: false },
    { erase: false, suppress: true, forget: true },
    { erase: false, suppress: false, forget: true },
  ])('what a request asks for comes back as it was: %j', async (asked) => {
    expect(store.deletions.get(await add(asked))).toMatchObject(asked);
  });

  test('progress of a request that is not there is none', async () => {
    const id = await add();
    await commit(store, (changes) => store.deletions.progress(id + 1, { lookedAt: 5 }, changes));
    expect([store.deletions.get(id)!.lookedAt, store.deletions.get(id + 1), store.deletions.count()]).toEqual([
      0,
      undefined,
      1,
    ]);
  });

  test('requests are listed newest first, below an id, and counted', async () => {
    const ids = [await add(), await add(), await add()];
    const listed = (before: number, limit: number) => store.deletions.list({ before, limit }).map(({ id }) => id);
    expect(listed(99, 9)).toEqual(ids.toReversed());
    expect([listed(99, 1), listed(ids[2]!, 9)]).toEqual([[ids[2]], [ids[1], ids[0]]]);
    expect(store.deletions.count()).toBe(3);
  });

  test('users keep their order and their bytes, and come in windows', async () => {
    const id = await add();
    const users = (after: number, limit: number) => store.deletions.users({ id, after, limit });
    expect(users(0, 9)).toEqual(['b', 'a', ' a'].map((userId, i) => ({ position: i + 1, userId, erased: 0 })));
    expect(users(1, 1).map(({ userId }) => userId)).toEqual(['a']);
  });

  test('notices are unsent until they have a message, those of one source at a time', async () => {
    const id = await add({
      notices: [
        { position: 1, sourceId: 2, calls: 1, reason: null },
        { position: 2, sourceId: 1, calls: 1, reason: null },
        { position: 3, sourceId: 1, calls: 1, reason: null },
        { position: 3, sourceId: 2, calls: 1, reason: 'destination_off' },
      ],
    });
    const unsent = () => store.deletions.unsent(id, 9).map(({ sourceId, userId }) => [sourceId, userId]);
    const send = (position: number, sourceId: number, messageId: number) =>
      commit(store, (changes) => store.deletions.sent({ id, position, sourceId, messageId }, changes));
    expect(unsent()).toEqual([
      [1, 'a'],
      [1, ' a'],
    ]);
    expect(store.deletions.unsent(id, 1)).toHaveLength(1);
    await send(2, 1, 11);
    await send(3, 1, 12);
    expect(unsent()).toEqual([[2, 'b']]);
    await send(1, 2, 13);
    expect(unsent()).toEqual([]);
    expect(store.deletions.open().map(({ messageId }) => messageId)).toEqual([11, 12, 13]);
  });

  test('an outcome is kept once, and stays when the message is gone', async () => {
    const id = await add();
    store.arrange.message(messageRow(11, { state: 'queued' }));
    await commit(store, (changes) => store.deletions.sent({ id, position: 1, sourceId: 1, messageId: 11 }, changes));
    const tally = () =>
      store.deletions
        .tally(id)
        .map(({ sourceId, reason, state, n }) => `${sourceId} ${reason} ${state} ${n}`)
        .sort();
    expect(tally()).toEqual(['1 null null 1', '1 null queued 1', '2 destination_off null 1']);
    await commit(store, (changes) => store.deletions.end(11, 'expired', changes));
    await commit(store, (changes) => store.deletions.end(11, 'delivered', changes));
    store.arrange.clear();
    expect(tally()).toEqual(['1 null expired 1', '1 null null 1', '2 destination_off null 1']);
    expect(store.deletions.open()).toEqual([]);
    expect(store.deletions.users({ id, after: 0, limit: 9, failedOnly: true }).map(({ userId }) => userId)).toEqual([
      'b',
    ]);
  });

  test('standings leave out what is not stored', () => {
    store.arrange.message(messageRow(4, { state: 'retrying', nextDueAt: 70 }));
    expect(store.deletions.standings([3, 4])).toEqual([{ id: 4, state: 'retrying', nextDueAt: 70 }]);
  });

  test('progress replaces what it names, and a finished request is no longer unfinished', async () => {
    const id = await add({ forget: true });
    const search = { finishedAt: 60, bytes: 7, found: 1, messages: [3], files: 'cleared' } as const;
    const erased = {
      messages: 4,
      attempts: 3,
      replays: 2,
      heldCalls: 1,
      receiverEntries: 5,
      memberships: 7,
      cutCalls: 6,
    };
    await commit(store, (changes) => store.deletions.progress(id, { lookedAt: 5, erased }, changes));
    expect([store.deletions.unfinished(), store.deletions.unforgotten()]).toEqual([[id], []]);
    await commit(store, (changes) => {
      store.deletions.erasedOf({ id, position: 2, messages: 3 }, changes);
      store.deletions.erasedOf({ id, position: 2, messages: 1 }, changes);
      store.deletions.progress(id, { search, erasedAt: 55, finishedAt: 61 }, changes);
    });
    expect(store.deletions.get(id)).toMatchObject({ lookedAt: 5, erased, search, erasedAt: 55, finishedAt: 61 });
    expect(store.deletions.users({ id, after: 0, limit: 9 }).map((user) => user.erased)).toEqual([0, 4, 0]);
    expect([store.deletions.unfinished(), store.deletions.unforgotten()]).toEqual([[], [id]]);
  });

  test('a forgotten request has no ids any more, and names the messages of its notices', async () => {
    const [id, other] = [await add({ forget: true }), await add()];
    for (const [position, messageId] of [
      [1, 12],
      [2, 11],
    ] as const)
      await commit(store, (changes) => store.deletions.sent({ id, position, sourceId: 1, messageId }, changes));
    expect(await commit(store, (changes) => store.deletions.forget(id, 99, changes))).toEqual([11, 12]);
    expect(store.deletions.users({ id, after: 0, limit: 9 }).map(({ userId }) => userId)).toEqual([null, null, null]);
    expect(store.deletions.users({ id: other, after: 0, limit: 9 })[0]!.userId).toBe('b');
    expect([store.deletions.get(id)!.forgottenAt, store.deletions.unforgotten()]).toEqual([99, []]);
  });
}

export function suppressionsConformance(open: OpenStore): void {
  describe('suppressions', () => {
    let store: StoreUnderTest;
    beforeEach(() => {
      store = open();
    });
    const add = (userId: string, requestId: number | null = null) =>
      commit(store, (changes) => store.suppressions.add({ userId, since: 5, requestId }, changes));

    test('ids are kept by their bytes: case, spaces and composed letters differ', async () => {
      const ids = ['usr', 'Usr', ' usr', 'usr ', 'é', 'e\u0301', 'u\u0000x'];
      for (const id of ids) expect(await add(id)).toBe(true);
      expect(new Set(store.suppressions.userIds())).toEqual(new Set(ids));
      expect(store.suppressions.get('usr')).toEqual({
        userId: 'usr',
        since: 5,
        requestId: null,
        hits: 0,
        lastHitAt: null,
      });
      expect(store.suppressions.get('uSr')).toBeUndefined();
    });

    test('one that is there already stays as it is; one that is removed is gone', async () => {
      await add('a', 1);
      expect([await add('a', 2), store.suppressions.get('a')!.requestId]).toEqual([false, 1]);
      const remove = () => commit(store, (changes) => store.suppressions.remove('a', changes));
      expect([await remove(), await remove(), store.suppressions.userIds()]).toEqual([true, false, []]);
    });

    test('windows go in the order of the bytes and may search; totals go by request', async () => {
      for (const [userId, requestId] of [
        ['ab', 1],
        ['b', 2],
        ['é', 2],
        ['A', null],
      ] as const)
        await add(userId, requestId);
      const window = (after: string | undefined, limit: number, search?: string) =>
        store.suppressions.window({ after, limit, search }).map(({ userId }) => userId);
      expect([window(undefined, 9), window('ab', 1), window(undefined, 9, 'b')]).toEqual([
        ['A', 'ab', 'b', 'é'],
        ['b'],
        ['ab', 'b'],
      ]);
      expect([store.suppressions.count(), store.suppressions.count('b')]).toEqual([4, 2]);
      expect(store.suppressions.totals()).toEqual([
        { requestId: 2, users: 2, hits: 0 },
        { requestId: 1, users: 1, hits: 0 },
        { requestId: null, users: 1, hits: 0 },
      ]);
    });
  });
}
