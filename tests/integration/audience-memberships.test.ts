/** Which audiences somebody is in, on the whole engine in simulated time. */
import { expect, test } from 'vitest';
import { audienceWorld, type World } from '../helpers/audience-world.ts';

const save = async (world: World, name: string, over: object = {}): Promise<number> =>
  (await world.run(world.call['audiences.save']({ kind: 'audience', name, ...over }))).id;
const edit = (world: World, id: number, add: string[], remove: string[] = []) =>
  world.run(world.call['audiences.editMembers']({ id, add, remove }));
const namesOf = async (world: World, ...userIds: string[]): Promise<string[]> =>
  (await world.call['audiences.withUser']({ userIds })).map(({ name }) => name);
const rule = (event: string) => ({
  by: 'computed' as const,
  definition: { match: 'all', of: [{ kind: 'event', event, op: 'at_least', times: 1 }] },
});

test('are those that have one of the ids as a member now', async () => {
  const world = await audienceWorld();
  const [first, second] = [await save(world, 'First'), await save(world, 'Second')];
  await save(world, 'Third');
  await edit(world, first, ['a', 'b']);
  await edit(world, second, ['b', 'c']);
  expect(await namesOf(world, 'b', 'a')).toEqual(['First', 'Second']);
  expect(await namesOf(world, 'A')).toEqual([]);
  // A former member whom the receivers were told of has a row until the next sync.
  await world.run(world.call['audiences.sync']({ id: first }));
  await world.settle(first);
  await edit(world, first, [], ['a']);
  expect(world.row(first).counts.toRemove).toBe(1);
  expect(await namesOf(world, 'a')).toEqual([]);
});

test('by a rule follow the stored calls, and a computed trait is none of them', async () => {
  const world = await audienceWorld();
  const id = await save(world, 'Buyers', { source: rule('Bought') });
  // Its value looks like that of a member.
  const definition = { kind: 'last', event: 'Bought', path: 'properties.gift' };
  await world.run(
    world.call['audiences.save']({ kind: 'trait', name: 'Gift', source: { by: 'computed', definition } }),
  );
  await world.post('/v1/track', { userId: 'a', event: 'Bought', properties: { gift: true } });
  await world.time.advance(2_000);
  expect(await world.call['audiences.withUser']({ userIds: ['a'] })).toEqual([{ id, name: 'Buyers', isCounted: true }]);
  expect(await namesOf(world, 'b')).toEqual([]);
});

test('are none for somebody who was erased', async () => {
  const world = await audienceWorld();
  const id = await save(world, 'VIP');
  await edit(world, id, ['a', 'b']);
  await world.post('/v1/track', { userId: 'a', event: 'Bought' });
  await world.run(world.call['deletions.create']({ userIds: ['a'], erase: true, suppress: false, forget: false }));
  for (let looks = 0; looks < 1_000 && world.row(id).counts.members > 1; looks += 1) await world.time.advance(20);
  expect(await namesOf(world, 'a')).toEqual([]);
  expect(await namesOf(world, 'b')).toEqual(['VIP']);
});
