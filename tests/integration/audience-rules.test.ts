/** Audiences by a rule on the real engine: who is told what, as calls come, go and grow old. */
import { describe, expect, test } from 'vitest';
import { configSchema } from '../../src/contract/config.ts';
import { takeConfig } from '../../src/core/workspace/settings-owner.ts';
import { audienceWorld, crashCopy, type World, type WorldSetup } from '../helpers/audience-world.ts';
import { add, by, fan, MINUTE, order, rest, rule, synced, told } from './audience-rules-stage.ts';
import { sync } from './audience-syncs-stage.ts';

describe('an audience by a rule', () => {
  test('is told by a sync who is in, and then only who came or went, by a call or by time', async () => {
    const world = await audienceWorld();
    await fan(world, 'mira', true);
    await order(world, 'lee');
    await fan(world, 'ann', false);
    const id = await add(world);
    expect(await synced(world, id)).toEqual(['lee true', 'mira true']);
    // Lee's order grows old, Mira is no fan any more, Ann orders.
    await fan(world, 'mira', false);
    await world.time.advance(9 * MINUTE);
    await order(world, 'ann');
    await world.time.advance(MINUTE);
    await rest(world);
    expect(world.row(id).counts).toEqual({ members: 1, toAdd: 1, toRemove: 2, toChange: 0 });
    expect(await synced(world, id)).toEqual(['ann true', 'lee false', 'mira false']);
    expect(await sync(world, id)).toBeNull();
  });

  test('has live counts and pending users without a sync or a question', async () => {
    const world = await audienceWorld();
    const id = await add(world);
    await rest(world);
    expect(world.row(id).counts.members).toBe(0);
    await order(world, 'lee');
    await rest(world);
    expect(world.row(id).counts).toMatchObject({ members: 1, toAdd: 1 });
    expect((await world.call['audiences.pending']({ id, limit: 5 })).rows).toMatchObject([
      { userId: 'lee', change: 'add' },
    ]);
    await world.time.advance(10 * MINUTE);
    expect(world.row(id).counts).toMatchObject({ members: 0, toAdd: 0 });
  });

  test('is told nothing of who came and went, or went and came, between two syncs', async () => {
    const world = await audienceWorld();
    await fan(world, 'mira', true);
    const id = await add(world);
    expect(await synced(world, id)).toEqual(['mira true']);
    await fan(world, 'mira', false);
    await order(world, 'lee');
    await rest(world);
    expect(world.row(id).counts).toMatchObject({ toAdd: 1, toRemove: 1 });
    await fan(world, 'mira', true);
    await world.time.advance(10 * MINUTE);
    expect(world.row(id).counts).toMatchObject({ toAdd: 0, toRemove: 0 });
    expect(await sync(world, id)).toBeNull();
  });

  test('syncs on change by itself, also when only time passes', async () => {
    const world = await audienceWorld();
    const id = await add(world, { sync: { when: 'change' } });
    await order(world, 'lee');
    await rest(world, 2_000);
    expect(told(world)).toEqual(['lee true']);
    await world.time.advance(10 * MINUTE);
    await rest(world, 2_000);
    expect(told(world)).toEqual(['lee true', 'lee false']);
    expect(world.row(id).syncs).toBe(2);
  });

  test('follows the retry clock when it jumps', async () => {
    const world = await audienceWorld({ config: { clock: { speed: 1 } } });
    const id = await add(world);
    await order(world, 'lee');
    await rest(world);
    expect(world.row(id).counts.members).toBe(1);
    const { clockKeeper, retryClock } = world.engine.parts;
    await world.run(clockKeeper.change((clock) => clock.step(retryClock.now() + 11 * MINUTE)));
    await rest(world);
    expect(world.row(id).counts.members).toBe(0);
  });

  test('takes another rule at once', async () => {
    const world = await audienceWorld();
    await order(world, 'lee');
    await fan(world, 'mira', true);
    const id = await add(world);
    expect(await synced(world, id)).toEqual(['lee true', 'mira true']);
    const definition = { match: 'all', of: [rule.of[0]!] };
    await add(world, { id, source: by(definition) });
    await rest(world);
    expect(world.row(id).counts).toEqual({ members: 1, toAdd: 0, toRemove: 1, toChange: 0 });
    expect(await synced(world, id)).toEqual(['lee false']);
  });

  test('shows in a dry run what a sync sends at this moment', async () => {
    const world = await audienceWorld();
    const id = await add(world);
    await order(world, 'lee');
    const { total, rows } = await world.run(world.call['audiences.dryRun']({ id, limit: 10 }));
    expect([total, rows.map(({ userId }) => userId)]).toEqual([1, ['lee']]);
    expect(told(world)).toEqual([]);
  });

  test('is not synced from half a count: it says that people do not run, and members stay', async () => {
    const world = await audienceWorld();
    await fan(world, 'mira', true);
    const id = await add(world);
    await rest(world);
    await world.run(world.engine.parts.people.stop());
    await expect(sync(world, id)).rejects.toMatchObject({ code: 'people_off' });
    expect(world.row(id).counts.members).toBe(1);
    expect(told(world)).toEqual([]);
  });
});

describe('a crash between the syncs of a rule', () => {
  /** Goes on in the files as a kill would leave them now. */
  async function crashed(world: World, more: WorldSetup = {}): Promise<World> {
    const folder = crashCopy(world.folder);
    const start = world.time.wall() + 5;
    await world.stop();
    return audienceWorld({ folder, start, seed: 2, ...more });
  }

  test('loses no change and repeats none', async () => {
    const first = await audienceWorld();
    await fan(first, 'mira', true);
    await order(first, 'lee');
    const id = await add(first);
    expect(await synced(first, id)).toEqual(['lee true', 'mira true']);
    await fan(first, 'mira', false);
    await fan(first, 'ann', true);
    // Before the change is taken over.
    const second = await crashed(first);
    expect(await synced(second, id)).toEqual(['ann true', 'mira false']);
    await second.time.advance(MINUTE);
    const third = await crashed(second);
    await third.time.advance(8 * MINUTE);
    expect(await sync(third, id)).toBeNull();
    await third.time.advance(2 * MINUTE);
    expect(await synced(third, id)).toEqual(['lee false']);
  });

  test('an audience on change tells by itself what changed while Hookbench was stopped', async () => {
    const first = await audienceWorld();
    await order(first, 'lee');
    await add(first, { sync: { when: 'change' } });
    await rest(first, 2_000);
    expect(told(first)).toEqual(['lee true']);
    const second = await crashed(first, { start: first.time.wall() + 11 * MINUTE });
    await rest(second, 2_000);
    expect(told(second)).toEqual(['lee false']);
  });
});

describe('the config file', () => {
  const trait = { name: 'Orders', definition: { kind: 'count', event: 'Order Completed' } };

  test('adds audiences by a rule and computed traits, which follow stored calls', async () => {
    const world = await audienceWorld({
      config: { audiences: [{ name: 'Fans', rule, sync: { when: 'change' } }], traits: [trait] },
    });
    await order(world, 'lee');
    await rest(world, 2_000);
    expect(told(world)).toEqual(['lee true']);
    const { audiences, traits } = await world.call['audiences.list'](null);
    expect(audiences).toMatchObject([{ name: 'Fans', by: 'computed', counts: { members: 1 } }]);
    expect(traits).toMatchObject([{ name: 'Orders', property: 'orders', computes: 'count', counts: { members: 1 } }]);
  });

  test.each([
    [{ audiences: [{ name: 'A', rule, userIds: ['a'] }] }, /audiences.*rule/s],
    [{ audiences: [{ name: 'A', rule: { match: 'all', of: [{ kind: 'trait', path: '' }] } }] }, /path/],
    [{ traits: [{ name: 'A', definition: { kind: 'sum' } }] }, /path/],
    [{ traits: [trait, { ...trait, property: 'other' }] }, /^traits\[1\]\.name: Another trait/],
    [{ audiences: [{ name: 'Orders' }], traits: [trait] }, /^traits\[0\]\.property: The audience Orders sends orders/],
  ])('is refused with the path of the field: %j', async (config, words) => {
    await expect(audienceWorld({ config })).rejects.toThrow(words);
  });

  test('changes a rule, and never makes a list of it or a rule of a list', async () => {
    const world = await audienceWorld({ config: { audiences: [{ name: 'Fans', rule }, { name: 'List' }] } });
    const { owners } = world.engine.parts;
    const take = (config: object) => world.run(takeConfig(owners, configSchema.parse(config)));
    const other = { match: 'all', of: [] };
    await take({ audiences: [{ name: 'Fans', rule: other }] });
    const [fans] = (await world.call['audiences.list'](null)).audiences;
    expect((await world.call['audiences.get']({ id: fans!.id })).source).toEqual(by(other));
    await expect(take({ audiences: [{ name: 'List', rule }] })).rejects.toThrow(/^audiences\[0\]\.rule: /);
    await expect(take({ audiences: [{ name: 'Fans', userIds: ['a'] }] })).rejects.toThrow(/^audiences\[0\]\.userIds: /);
  });
});

describe('a property', () => {
  const ask = (world: World, property: string) => world.run(world.call['audiences.property']({ property }));

  test('names the sources that send it themselves, and a free one that neither uses', async () => {
    const world = await audienceWorld();
    for (const [userId, traits] of [
      ['a', { fans: true, fans_2: 1 }],
      ['b', { fans: 'x' }],
      ['c', { plan: 'pro' }],
    ] as const)
      await world.post('/v1/identify', { userId, traits });
    // While nothing is counted, nobody can say who sends it.
    expect(await ask(world, 'fans')).toEqual({ property: 'fans', usedBy: null, sentBy: null, free: null });
    await rest(world);
    const { id: sourceId } = world.engine.parts.workspace.sources.all[0]!;
    const sentBy = [{ sourceId, name: 'test', calls: 2 }];
    expect(await ask(world, 'fans')).toEqual({ property: 'fans', usedBy: null, sentBy, free: 'fans_3' });
    expect(await ask(world, 'others')).toEqual({ property: 'others', usedBy: null, sentBy: [], free: null });
    const id = await add(world);
    // It is a warning: the audience is saved, and its own calls are not counted.
    await synced(world, id);
    expect(await ask(world, 'fans')).toMatchObject({ usedBy: { name: 'Fans' }, sentBy, free: 'fans_3' });
    expect(await world.run(world.call['audiences.property']({ property: 'fans', id }))).toMatchObject({
      usedBy: null,
      sentBy,
    });
  });

  test('has no senders named while people do not run', async () => {
    const world = await audienceWorld();
    await world.run(world.engine.parts.people.stop());
    expect(await ask(world, 'fans')).toEqual({ property: 'fans', usedBy: null, sentBy: null, free: null });
  });
});
