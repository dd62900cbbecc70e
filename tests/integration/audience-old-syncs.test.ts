/** What is kept of syncs once many came after them. */
import { describe, expect, test } from 'vitest';
import { audienceWorld, type World } from '../helpers/audience-world.ts';
import { edit, sync, told, withMembers } from './audience-syncs-stage.ts';

test('an old sync keeps its ledger when its calls are removed', async () => {
  const world = await audienceWorld();
  const id = await withMembers(world, ['a']);
  for (let n = 1; n <= 52; n += 1) {
    await sync(world, id);
    await world.settle(id);
    await (n % 2 === 1 ? edit(world, id, [], ['a']) : edit(world, id, ['a']));
  }
  const detail = (n: number) => world.call['audiences.getSync']({ id, n });
  const [old, kept] = [await detail(2), await detail(3)];
  expect([old.callsRemoved, old.ledger.delivered, old.failures]).toEqual([true, 1, []]);
  expect([kept.callsRemoved, kept.ledger.delivered]).toEqual([false, 1]);
  const calls = (syncId: number) => world.call['audiences.syncCalls']({ sync: syncId, show: 'all', limit: 10 });
  expect((await calls(old.id)).rows).toEqual([]);
  expect((await calls(kept.id)).rows).toHaveLength(1);
});

describe('the newest 1,000 syncs of an audience are kept', () => {
  const OLD = 1_003;
  const numbers = ({ engine }: World, id: number) =>
    engine.parts.stores.syncs.list({ audienceId: id, kind: null, before: null, limit: 2_000 }).map(({ n }) => n);
  /** A world that begins with 1,003 syncs, and syncs every 10 min of a retry clock at 240x. */
  async function withOldSyncs(members: string[]): Promise<[world: World, id: number]> {
    const before = await audienceWorld();
    const id = await withMembers(before, members, { sync: { when: 'every', everyMs: 600_000 } });
    const { stores, write } = before.engine.parts;
    const done = { audienceId: id, state: 'done', startedBy: 'clock', startedAt: 1, endedAt: 2 } as const;
    const ledger = { expected: 4, sent: 4, added: 4, removed: 0, changed: 0, delivered: 3, failed: 1 };
    const old = (n: number) => ({ ...done, ...ledger, n, token: `t${n}`, events: [], series: [] });
    await before.run(
      write((changes) => {
        for (let n = 1; n <= OLD; n += 1) stores.syncs.save(old(n), changes);
      }),
    );
    await before.run(before.call['clock.setSpeed']({ speed: 240 }));
    await before.stop();
    const world = await audienceWorld({ folder: before.folder, seed: 2, start: before.time.wall() });
    return [world, id];
  }

  test('at a start', async () => {
    const [world, id] = await withOldSyncs([]);
    await world.time.advance(100);
    expect([numbers(world, id).length, numbers(world, id).at(-1), world.row(id).syncs]).toEqual([1_000, 4, OLD]);
    expect(() => world.call['audiences.getSync']({ id, n: 3 })).toThrow();
    expect((await world.call['audiences.getSync']({ id, n: 4 })).ledger).toMatchObject({ delivered: 3, failed: 1 });
  });

  test('after each sync of a schedule, also when it has nothing to send', async () => {
    const [world, id] = await withOldSyncs(['a']);
    while (world.row(id).syncs === OLD) await world.time.advance(500);
    await world.settle(id);
    await world.time.advance(100);
    expect([numbers(world, id).length, numbers(world, id).at(-1)]).toEqual([1_000, 5]);
    while (world.row(id).syncs < OLD + 3) await world.time.advance(500);
    await world.time.advance(100);
    expect([numbers(world, id).length, numbers(world, id).at(-1)]).toEqual([1_000, 7]);
    expect(told(world.bodies())).toEqual(['a true']);
    const { rows, total } = await world.call['audiences.syncs']({ id, limit: 5 });
    expect([total, rows.map(({ n, ledger }) => [n, ledger.expected, ledger.delivered])]).toEqual([
      1_000,
      [
        [OLD + 3, 0, 0],
        [OLD + 2, 0, 0],
        [OLD + 1, 1, 1],
        [OLD, 4, 3],
        [OLD - 1, 4, 3],
      ],
    ]);
  });
});
