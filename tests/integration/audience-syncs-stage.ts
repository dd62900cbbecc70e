/** What the tests of audience syncs share: an audience of listed members, and what receivers are told of it. */
import type { Body, World } from '../helpers/audience-world.ts';

export async function withMembers(world: World, ids: readonly string[], over: object = {}): Promise<number> {
  const { id } = await world.run(world.call['audiences.save']({ kind: 'audience', name: 'VIP (EU)', ...over }));
  for (let at = 0; at < ids.length; at += 1_000)
    await world.run(world.call['audiences.editMembers']({ id, add: ids.slice(at, at + 1_000) }));
  return id;
}
export const sync = (world: World, id: number) => world.run(world.call['audiences.sync']({ id }));
export const edit = (world: World, id: number, add: string[], remove: string[] = []) =>
  world.run(world.call['audiences.editMembers']({ id, add, remove }));
/** Each user with the value that was sent, in the order of the calls. */
export const told = (bodies: readonly Body[]) =>
  bodies.map(({ userId, traits }) => `${userId} ${Object.values(traits!)[0]}`);
