import { beforeEach, describe, expect, test } from 'vitest';
import type { AudienceUser } from '../../src/core/model/audience-user.ts';
import type { AudienceToSave } from '../../src/core/store/ports/audiences.ts';
import { messageRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

export const audience = (over: Partial<AudienceToSave> = {}): AudienceToSave => ({
  kind: 'audience',
  name: 'VIP Kunden \u202e',
  property: 'vip',
  definition: null,
  syncWhen: 'hand',
  everyMs: null,
  nextSyncAt: null,
  track: false,
  createdAt: 7,
  ...over,
});

const user = (userId: string, value: string | null, sent: string | null = null): AudienceUser => ({
  userId,
  value,
  sent,
  since: 5,
  label: null,
});

export function audiencesConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });
  const save = (one: AudienceToSave): Promise<number> => commit(store, (changes) => store.audiences.save(one, changes));
  const put = (audienceId: number, ...users: AudienceUser[]) =>
    commit(store, (changes) => {
      for (const one of users) store.audiences.putUser(audienceId, one, changes);
    });
  const ids = (audienceId: number, only: 'all' | 'pending', after: string | null = null, limit = 100): string[] =>
    store.audiences.users({ audienceId, after, limit, only }).map(({ userId }) => userId);

  test('come back as they were saved, and keep their kind and the time they were made', async () => {
    const id = await save(audience());
    const edited = { name: 'B', property: 'b', definition: '{"all":[]}', track: true } as const;
    const scheduled = { syncWhen: 'every', everyMs: 600_000, nextSyncAt: 99 } as const;
    await save(audience({ id, ...edited, ...scheduled, kind: 'trait', createdAt: 9 }));
    const other = await save(audience());
    expect(store.audiences.all()).toEqual([
      { ...audience(), id, ...edited, ...scheduled },
      { ...audience(), id: other },
    ]);
  });

  test('a name is taken once per kind and a property once in all', async () => {
    await save(audience());
    await expect(save(audience({ property: 'other' }))).rejects.toThrow();
    await expect(save(audience({ kind: 'trait' }))).rejects.toThrow();
    await save(audience({ kind: 'trait', property: 'other' }));
    expect(store.audiences.all().map(({ kind }) => kind)).toEqual(['audience', 'trait']);
  });

  test('a removed one leaves its name and property free at once, and its rows are swept in steps', async () => {
    const id = await save(audience());
    const kept = await save(audience({ name: 'K', property: 'k' }));
    await put(id, user('a', 'true'), user('b', 'true'), user('c', 'true'));
    await put(kept, user('a', 'true'));
    const remove = () => commit(store, (changes) => store.audiences.remove(id, changes));
    expect([await remove(), await remove()]).toEqual([true, false]);
    const again = await save(audience());
    expect(again).toBeGreaterThan(kept);
    const sweep = () => commit(store, (changes) => store.audiences.sweep(2, changes));
    expect(await sweep()).toBe(true);
    expect(ids(id, 'all')).toHaveLength(1);
    while (await sweep());
    expect([ids(id, 'all'), ids(kept, 'all'), store.audiences.all().map((one) => one.id)]).toEqual([
      [],
      ['a'],
      [kept, again],
    ]);
  });

  describe('users', () => {
    test('are told apart byte for byte and listed by their bytes', async () => {
      const id = await save(audience());
      // U+FF5E comes before U+1F680 in bytes, and after it in UTF-16.
      const given = ['🚀', '～', 'é', 'e\u0301', 'a', ' a', 'A', 'a '];
      await put(id, ...given.map((one) => user(one, 'true')));
      const sorted = [' a', 'A', 'a', 'a ', 'e\u0301', 'é', '～', '🚀'];
      expect(ids(id, 'all')).toEqual(sorted);
      expect([...ids(id, 'all', null, 3), ...ids(id, 'all', 'a', 9)]).toEqual(sorted);
      await commit(store, (changes) => store.audiences.removeUser(id, 'a', changes));
      expect(store.audiences.user(id, 'a')).toBeUndefined();
      expect(store.audiences.user(id, 'a ')).toEqual(user('a ', 'true'));
    });

    test('are pending while they have a value other than the one sent', async () => {
      const id = await save(audience());
      const rows = [user('in', 'true', 'true'), user('new', 'true'), user('out', 'false', 'true')];
      await put(id, ...rows, user('lost', null, '5'));
      expect(ids(id, 'pending')).toEqual(['new', 'out']);
      expect(ids(id, 'all')).toEqual(['in', 'lost', 'new', 'out']);
      expect(ids(id, 'pending', 'new', 1)).toEqual(['out']);
      await put(id, { ...user('new', 'true', 'true'), since: 8, label: 'L' });
      expect(ids(id, 'pending')).toEqual(['out']);
      expect(store.audiences.user(id, 'new')).toEqual({ ...user('new', 'true', 'true'), since: 8, label: 'L' });
    });

    test('of an audience are counted as members, to add and to remove', async () => {
      const id = await save(audience());
      await put(
        id,
        user('a', 'true', 'true'),
        user('b', 'true'),
        user('c', 'true', 'false'),
        user('d', 'false', 'true'),
      );
      expect(store.audiences.counts(id)).toEqual({ members: 3, toAdd: 2, toRemove: 1, toChange: 0 });
    });

    test('of a trait are counted by their value, and one that is lost is neither a member nor sent', async () => {
      const id = await save(audience({ kind: 'trait' }));
      await put(id, user('a', '5', '5'), user('b', 'false'), user('c', '"x"', '7'), user('d', null, '7'));
      expect(store.audiences.counts(id)).toEqual({ members: 3, toAdd: 1, toRemove: 0, toChange: 1 });
    });
  });

  test('calls are counted by user within a stretch of ids, without rejected ones', () => {
    const put = (id: number, over: object): void => store.arrange.message(messageRow(id, over));
    put(1, { userId: 'a' });
    put(2, { userId: 'a' });
    put(3, { userId: 'a', state: 'rejected' });
    put(4, { userId: 'b' });
    put(5, { userId: null });
    put(6, { userId: 'a' });
    const found = store.audiences.callsByUser({ after: 1, upTo: 6 }).sort((a, b) => (a.userId < b.userId ? -1 : 1));
    expect(found).toEqual([
      { userId: 'a', calls: 2 },
      { userId: 'b', calls: 1 },
    ]);
  });
}
