/** What the tests of audiences by a rule and of computed traits share: calls that count, and what receivers are told. */
import type { World } from '../helpers/audience-world.ts';
import { sync } from './audience-syncs-stage.ts';

export const MINUTE = 60_000;
export const PROPERTY = 'fans';

/** Members by a call (`fan`), until a later call, and by an order of the last 10 minutes. */
export const rule = {
  match: 'any',
  of: [
    { kind: 'trait', path: 'fan', test: { op: 'is', value: true } },
    { kind: 'event', event: 'Order Completed', op: 'at_least', times: 1, withinMs: 10 * MINUTE },
  ],
};

type Save = Parameters<World['call']['audiences.save']>[0];
export const by = (definition: object): Save['source'] => ({ by: 'computed', definition: definition as never });
export const add = async (world: World, more: Partial<Save> = {}): Promise<number> => {
  const saved = world.call['audiences.save']({ kind: 'audience', name: 'Fans', source: by(rule), ...more } as Save);
  return (await world.run(saved)).id;
};
export const fan = (world: World, userId: string, isFan: boolean) =>
  world.post('/v1/identify', { userId, traits: { fan: isFan } });
export const order = (world: World, userId: string, properties: object = {}) =>
  world.post('/v1/track', { userId, event: 'Order Completed', properties });

/** What receivers were told of the property, in order. */
export const told = (world: World, property = PROPERTY): string[] =>
  world
    .bodies()
    .filter(({ traits }) => traits !== undefined && property in traits)
    .map(({ userId, traits }) => `${userId} ${JSON.stringify(traits![property])}`);

/** Long enough for a change to be counted and taken over. */
export const rest = (world: World, ms = 300): Promise<void> => world.time.advance(ms);

/** What receivers are told by a sync from now to its end. */
export async function synced(world: World, id: number): Promise<string[]> {
  const before = told(world).length;
  await sync(world, id);
  await world.settle(id);
  return told(world).slice(before).sort();
}
