import { beforeEach, describe, expect, test } from 'vitest';
import type { Source, Webhook } from '../../src/core/model/records.ts';
import { attemptRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

const source = (over: Partial<Source> = {}): Omit<Source, 'id'> => ({
  name: 'Site',
  writeKey: 'key',
  kind: 'web',
  enabled: true,
  webhooks: false,
  eventsOff: new Set(),
  createdAt: 5,
  ...over,
});

const webhook = (slot: number, over: Partial<Webhook> = {}): Omit<Webhook, 'id'> => ({
  slot,
  name: `hook ${slot}`,
  url: `http://w${slot}.test/`,
  headers: [
    ['X-Tenant', 'acme', 'shown'],
    ['X-Key', 'secret'],
  ],
  enabled: true,
  createdAt: 5,
  ...over,
});

export function workspaceConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });

  describe('sources', () => {
    type Saved = Parameters<StoreUnderTest['workspace']['sources']['save']>[0];
    const save = (one: Saved) => commit(store, (changes) => store.workspace.sources.save(one, changes));
    const all = () => store.workspace.sources.all();

    test('come back as they were saved, in the order in which they were made', async () => {
      const first = source({ writeKey: 'first', eventsOff: new Set(['b', 'a']) });
      const second = source({ writeKey: 'second', enabled: false, webhooks: true, kind: 'mobile' });
      const ids = [await save(first), await save(second)];
      expect(all()).toEqual([
        { ...first, id: ids[0] },
        { ...second, id: ids[1] },
      ]);
    });

    test('are changed in their place, all but how and when they were made', async () => {
      const id = await save({ ...source(), madeByKey: true });
      const changed = source({ name: 'Shop', writeKey: 'new', kind: 'mobile', enabled: false, webhooks: true });
      expect(await save({ ...changed, id, createdAt: 99, madeByKey: false })).toBe(id);
      expect([all(), store.workspace.sources.madeByKey()]).toEqual([[{ ...changed, id }], 1]);
    });

    test('have each a write key of their own', async () => {
      await save(source());
      await expect(save(source())).rejects.toThrow(/UNIQUE/);
      expect(all()).toHaveLength(1);
    });

    test('that were made by their key are counted', async () => {
      await save(source());
      await save({ ...source({ writeKey: 'b' }), madeByKey: true });
      expect(store.workspace.sources.madeByKey()).toBe(1);
    });

    test('are removed once', async () => {
      const id = await save(source());
      const remove = () => commit(store, (changes) => store.workspace.sources.remove(id, changes));
      expect([await remove(), await remove(), all()]).toEqual([true, false, []]);
    });
  });

  describe('webhooks', () => {
    const save = (one: Omit<Webhook, 'id'> & { id?: number }) =>
      commit(store, (changes) => store.workspace.webhooks.save(one, changes));
    const remove = (id: number) => commit(store, (changes) => store.workspace.webhooks.remove(id, changes));
    const all = () => store.workspace.webhooks.all();

    test('come back as they were saved, by their slot', async () => {
      const second = await save(webhook(2));
      const first = await save(webhook(1, { enabled: false, headers: [] }));
      expect(all()).toEqual([
        { ...webhook(1, { enabled: false, headers: [] }), id: first, readable: true },
        { ...webhook(2), id: second, readable: true },
      ]);
    });

    test('are changed in their place, all but when they were made', async () => {
      const id = await save(webhook(1));
      const changed = webhook(3, { name: 'other', url: 'http://b.test/', enabled: false, headers: [['A', 'b']] });
      expect(await save({ ...changed, id, createdAt: 99 })).toBe(id);
      expect(all()).toEqual([{ ...changed, id, readable: true }]);
    });

    test('have each a slot of their own', async () => {
      await save(webhook(1));
      await expect(save(webhook(1, { name: 'other' }))).rejects.toThrow(/UNIQUE/);
      expect(all().map(({ name }) => name)).toEqual(['hook 1']);
    });

    test('have their static headers sealed, and are told from others when the key is lost', async () => {
      await save(webhook(1));
      expect(store.sealer.sealed).toEqual([JSON.stringify(webhook(1).headers)]);
      store.sealer.isLost = true;
      expect(all()).toMatchObject([{ name: 'hook 1', headers: [], readable: false }]);
    });

    test('are removed once, and never give their id to another', async () => {
      const id = await save(webhook(1));
      expect([await remove(id), await remove(id), all()]).toEqual([true, false, []]);
      expect(await save(webhook(1))).toBeGreaterThan(id);
    });

    test('are listed with the attempts that follow, as they were then', async () => {
      const first = await save(webhook(1));
      store.arrange.attempt(attemptRow(1, 1));
      await save({ ...webhook(1), id: first, name: 'renamed' });
      const second = await save(webhook(2, { enabled: false }));
      store.arrange.attempt(attemptRow(2, 1));
      await remove(first);
      store.arrange.attempt(attemptRow(3, 1));
      const told = store.details.lineUps(1, 3).map(({ webhooks }) => webhooks);
      expect(told).toEqual([
        [{ id: first, slot: 1, name: 'hook 1', enabled: true }],
        [
          { id: first, slot: 1, name: 'renamed', enabled: true },
          { id: second, slot: 2, name: 'hook 2', enabled: false },
        ],
        [{ id: second, slot: 2, name: 'hook 2', enabled: false }],
      ]);
    });
  });

  test('settings are any JSON values by their key, and the last one holds', async () => {
    const { settings } = store.workspace;
    expect(settings.get('a')).toBeUndefined();
    await commit(store, (changes) => {
      settings.save('a', { b: [1, null] }, changes);
      settings.save('c', false, changes);
    });
    expect([settings.get('a'), settings.get('c')]).toEqual([{ b: [1, null] }, false]);
    await commit(store, (changes) => settings.save('a', null, changes));
    expect(settings.get('a')).toBeNull();
  });

  test('a setting that a job reads is the one that was written before it in the same transaction', async () => {
    const { settings } = store.workspace;
    const add = () =>
      store.writer.write((changes) => settings.save('n', (settings.get<number>('n') ?? 0) + 1, changes));
    const both = Promise.all([add(), add()]);
    store.writer.flush();
    await both;
    expect(settings.get('n')).toBe(2);
  });

  describe('secrets', () => {
    const save = (name: string, value: string | null) =>
      commit(store, (changes) => store.workspace.secrets.save(name, value, changes));
    const get = (name: string) => store.workspace.secrets.get(name);

    test('are sealed, replaced and removed by their name', async () => {
      expect(get('shared')).toEqual({ state: 'none' });
      await save('shared', 'a long enough secret');
      expect([get('shared'), store.sealer.sealed]).toEqual([
        { state: 'set', value: 'a long enough secret' },
        ['a long enough secret'],
      ]);
      await save('shared', 'another one');
      await save('other', null);
      expect(get('shared')).toEqual({ state: 'set', value: 'another one' });
      await save('shared', null);
      expect(get('shared')).toEqual({ state: 'none' });
    });

    test('that cannot be unsealed say so', async () => {
      await save('shared', 'a long enough secret');
      store.sealer.isLost = true;
      expect([get('shared'), get('other')]).toEqual([{ state: 'unreadable' }, { state: 'none' }]);
    });
  });
}
