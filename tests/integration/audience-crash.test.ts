/** A crash at every commit and between commits: the files are copied as a kill would leave them, and another engine goes on. */
import { describe, expect, test } from 'vitest';
import { audienceWorld, type Body, crashCopy, HOOK, names, type World } from '../helpers/audience-world.ts';
import { always, answer } from '../helpers/sim-transport.ts';

const MEMBERS = 230;

interface Crash {
  readonly folder: string;
  /** What the webhook had got by then. */
  readonly received: readonly Body[];
  readonly wall: number;
}

async function prepared(when: 'hand' | 'change'): Promise<{ world: World; id: number }> {
  const world = await audienceWorld({ body: 'pass-through' });
  world.transport.on(HOOK, always(answer(200, 30)));
  const { id } = await world.run(world.call['audiences.save']({ kind: 'audience', name: 'A' }));
  await world.run(world.call['audiences.editMembers']({ id, add: names(MEMBERS) }));
  if (when === 'change')
    await world.run(world.call['audiences.save']({ id, kind: 'audience', name: 'A', sync: { when } }));
  return { world, id };
}

/** Syncs once to its end, and copies the files at each commit, and at every 23rd request as it is sent. */
async function crashes(when: 'hand' | 'change'): Promise<{ id: number; all: Crash[] }> {
  const { world, id } = await prepared(when);
  const all: Crash[] = [];
  const copy = (): void => {
    all.push({ folder: crashCopy(world.folder), received: world.bodies(), wall: world.time.wall() });
  };
  world.engine.parts.store.onCommitted(copy);
  world.transport.onSend = () => {
    if (world.bodies().length % 23 === 0) copy();
  };
  if (when === 'hand') await world.run(world.call['audiences.sync']({ id }));
  await world.settle(id);
  await world.stop();
  return { id, all };
}

/** Messages by user, as the store of a world has them. */
function messagesOf(world: World): Map<string, string[]> {
  const byUser = new Map<string, string[]>();
  for (const message of world.engine.parts.stores.lists.window(1, 10_000))
    if (message.origin === 'audience')
      byUser.set(message.userId!, [...(byUser.get(message.userId!) ?? []), message.messageId]);
  return byUser;
}

describe.each(['hand', 'change'] as const)('a crash while an audience syncs by %s', (when) => {
  test('leaves nobody out and makes nobody a second message', async () => {
    const { id, all } = await crashes(when);
    const states = new Set<string>();
    // The first ones lie in the plan and the first chunks, and the last ones at the end.
    const step = Math.ceil(all.length / 8);
    for (const crash of all.filter((_, i) => i < 5 || i % step === 0 || i >= all.length - 2)) {
      const world = await audienceWorld({ folder: crash.folder, start: crash.wall + 5, seed: 2 });
      world.transport.on(HOOK, always(answer(200, 30)));
      const { lastSync } = world.row(id);
      if (lastSync === null && when === 'hand') await world.run(world.call['audiences.sync']({ id }));
      else if (lastSync !== null)
        states.add(`${lastSync.state}${lastSync.ledger.expected === null ? ', unplanned' : ''}`);
      if (lastSync?.state === 'stopped') {
        expect(when).toBe('hand');
        await world.run(world.call['audiences.resumeSync']({ sync: lastSync.id }));
      }
      const done = await world.settle(id);
      expect([done.state, done.ledger.delivered, done.ledger.expected]).toEqual(['done', MEMBERS, MEMBERS]);
      const byUser = messagesOf(world);
      expect([...byUser.keys()].sort()).toEqual(names(MEMBERS));
      expect([...byUser.values()].filter((ids) => ids.length !== 1)).toEqual([]);
      // What was received before the crash are these messages and no others.
      const received = [...crash.received, ...world.bodies()];
      expect(new Set(received.map(({ userId }) => userId)).size).toBe(MEMBERS);
      for (const { userId, messageId } of received) expect(byUser.get(userId)).toEqual([messageId]);
      expect(world.row(id).counts).toEqual({ members: MEMBERS, toAdd: 0, toRemove: 0, toChange: 0 });
      await world.stop();
    }
    const expected = when === 'hand' ? ['done', 'stopped', 'stopped, unplanned'] : ['done', 'running'];
    for (const state of expected) expect([...states]).toContain(state);
  });
});
