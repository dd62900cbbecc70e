/** Syncs and notices while the store refuses to write, as on a full disk, and after that. */
import { expect, test } from 'vitest';
import { StoreNotWritableError } from '../../src/core/ports.ts';
import type { OpenStore } from '../../src/core/store/ports/store.ts';
import { audienceWorld, crashCopy, type World } from '../helpers/audience-world.ts';
import { RefusingStore } from '../helpers/refusing-store.ts';

const HOUR = 3_600_000;

async function worldWith(over: object = {}): Promise<{ store: RefusingStore; world: World; id: number }> {
  const store = new RefusingStore();
  const world = await audienceWorld({ openStore: store.open });
  const { id } = await world.run(world.call['audiences.save']({ kind: 'audience', name: 'VIP', ...over }));
  await world.run(world.call['audiences.editMembers']({ id, add: ['a', 'b'] }));
  return { store, world, id };
}

test('a sync on change that could not begin begins when the store can be written', async () => {
  const { store, world, id } = await worldWith({ sync: { when: 'change' } });
  store.refuses = true;
  await world.time.advance(2_000);
  expect([store.refused > 0, world.row(id).lastSync]).toEqual([true, null]);
  store.refuses = false;
  await world.time.advance(10_000);
  expect((await world.settle(id)).ledger).toMatchObject({ expected: 2, delivered: 2 });
});

test('a scheduled sync that is due is tried every few seconds, and begins when the store can be written', async () => {
  const { store, world, id } = await worldWith({ sync: { when: 'every', everyMs: HOUR } });
  await world.time.advance(HOUR - 10_000);
  store.refuses = true;
  await world.time.advance(60_000);
  expect(world.row(id).lastSync).toBeNull();
  // Delivery looks twice a second whether the store can be written again.
  expect(store.refused).toBeLessThan(200);
  store.refuses = false;
  await world.time.advance(10_000);
  expect((await world.settle(id)).ledger).toMatchObject({ expected: 2, delivered: 2 });
});

test('a stop that the store refuses leaves the sync running', async () => {
  const { store, world, id } = await worldWith();
  await world.run(world.call['destination.save']({ paused: true }));
  const { id: sync } = (await world.run(world.call['audiences.sync']({ id })))!;
  await world.time.advance(100);
  store.refuses = true;
  await expect(world.run(world.call['audiences.stopSync']({ sync }))).rejects.toMatchObject({
    code: 'store_not_writable',
  });
  store.refuses = false;
  expect(world.row(id).lastSync?.state).toBe('running');
  await world.run(world.call['destination.save']({ paused: false }));
  expect((await world.settle(id)).ledger).toMatchObject({ expected: 2, delivered: 2 });
});

test.each([
  ['hand', 'stopped', 0],
  ['change', 'done', 2],
] as const)(
  'after a start on a store that refuses, a sync by %s is %s once it can be written',
  async (when, state, delivered) => {
    const { world, id } = await worldWith({ sync: { when } });
    await world.run(world.call['destination.save']({ paused: true }));
    if (when === 'hand') await world.run(world.call['audiences.sync']({ id }));
    await world.time.advance(2_000);
    expect(world.row(id).lastSync?.state).toBe('running');
    const folder = crashCopy(world.folder);
    await world.stop();
    const store = new RefusingStore();
    const openStore: OpenStore = (needs) => {
      const opened = store.open(needs);
      const { syncs } = opened.ports;
      const open = syncs.open.bind(syncs);
      const refusing = (): ReturnType<typeof open> => {
        store.refuses = true;
        return open();
      };
      // From the moment at which open syncs are taken up.
      Object.assign(syncs, { open: refusing });
      return opened;
    };
    const again = await audienceWorld({ folder, seed: 2, openStore });
    await again.time.advance(12_000);
    expect(again.row(id).lastSync?.ledger.delivered).toBe(0);
    store.refuses = false;
    await again.run(again.call['destination.save']({ paused: false }));
    await again.time.advance(20_000);
    const last = await again.settle(id);
    expect([last.state, last.ledger.delivered]).toEqual([state, delivered]);
  },
);

test('the end of a notice that the store refused is kept as soon as the store can be written', async () => {
  const store = new RefusingStore();
  let ends = 0;
  const openStore: OpenStore = (needs) => {
    const opened = store.open(needs);
    const { deletions } = opened.ports;
    const end = deletions.end.bind(deletions);
    Object.assign(deletions, {
      end: (...given: Parameters<typeof end>): void => {
        ends += 1;
        if (ends === 1) throw new StoreNotWritableError('database or disk is full');
        end(...given);
      },
    });
    return opened;
  };
  const world = await audienceWorld({ openStore });
  await world.post('/v1/track', { userId: 'a', event: 'E' });
  await world.run(world.call['deletions.create']({ userIds: ['a'], erase: false, suppress: false, forget: false }));
  await world.time.advance(5_000);
  expect(ends).toBe(2);
  const { deletions } = world.engine.parts.store.ports;
  expect(deletions.open()).toEqual([]);
});
