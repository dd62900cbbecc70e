/** Audiences by a rule and computed traits on the real engine: who is told what, as calls come, go and grow old. */
import { describe, expect, test } from 'vitest';
import { configSchema } from '../../src/contract/config.ts';
import { computedTrait } from '../../src/contract/people.ts';
import { takeConfig } from '../../src/core/workspace/settings-owner.ts';
import { audienceWorld, crashCopy, type World, type WorldSetup } from '../helpers/audience-world.ts';

const MINUTE = 60_000;
const PROPERTY = 'fans';

/** Members by a call (`fan`), until a later call, and by an order of the last 10 minutes. */
const rule = {
  match: 'any',
  of: [
    { kind: 'trait', path: 'fan', test: { op: 'is', value: true } },
    { kind: 'event', event: 'Order Completed', op: 'at_least', times: 1, withinMs: 10 * MINUTE },
  ],
};

type Save = Parameters<World['call']['audiences.save']>[0];
const by = (definition: object): Save['source'] => ({ by: 'computed', definition: definition as never });
const add = async (world: World, more: Partial<Save> = {}): Promise<number> => {
  const saved = world.call['audiences.save']({ kind: 'audience', name: 'Fans', source: by(rule), ...more } as Save);
  return (await world.run(saved)).id;
};
const fan = (world: World, userId: string, isFan: boolean) =>
  world.post('/v1/identify', { userId, traits: { fan: isFan } });
const order = (world: World, userId: string, properties: object = {}) =>
  world.post('/v1/track', { userId, event: 'Order Completed', properties });
const sync = (world: World, id: number) => world.run(world.call['audiences.sync']({ id }));

/** What receivers were told of the property, in order. */
const told = (world: World, property = PROPERTY): string[] =>
  world
    .bodies()
    .filter(({ traits }) => traits !== undefined && property in traits)
    .map(({ userId, traits }) => `${userId} ${JSON.stringify(traits![property])}`);

/** Long enough for a change to be counted and taken over. */
const rest = (world: World, ms = 300): Promise<void> => world.time.advance(ms);

async function synced(world: World, id: number): Promise<string[]> {
  const before = told(world).length;
  await sync(world, id);
  await world.settle(id);
  return told(world).slice(before).sort();
}

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

describe('a computed trait', () => {
  const orders = { event: 'Order Completed' };
  const kinds: ReadonlyArray<readonly [definition: object, steps: ReadonlyArray<readonly [object, unknown[]]>]> = [
    [
      { kind: 'count', ...orders },
      [
        [{}, [1]],
        [{}, [2]],
      ],
    ],
    [
      { kind: 'sum', ...orders, path: 'properties.total' },
      [
        [{ total: 1.5 }, [1.5]],
        [{ total: 0 }, []],
        [{ total: '184.50' }, []],
        [{ total: 2 }, [3.5]],
      ],
    ],
    [
      { kind: 'last', ...orders, path: 'properties.shop' },
      [
        [{ shop: 'Wien' }, ['Wien']],
        [{ shop: 'Wien' }, []],
        [{ shop: 'Graz' }, ['Graz']],
      ],
    ],
    [
      { kind: 'most_frequent', ...orders, path: 'properties.shop' },
      [
        [{ shop: 'Wien' }, ['Wien']],
        [{ shop: 'Wien' }, []],
        [{ shop: 'Graz' }, []],
        [{ shop: 'Graz' }, ['Graz']],
      ],
    ],
    [
      { kind: 'unique_list', ...orders, path: 'properties.shop' },
      [
        [{ shop: 'Wien' }, [['Wien']]],
        [{ shop: 'Wien' }, []],
        [{ shop: 'Graz' }, [['Wien', 'Graz']]],
      ],
    ],
  ];

  const addTrait = (world: World, definition: object): Promise<number> =>
    add(world, { kind: 'trait', source: by(definition) });
  const values = (world: World): unknown[] => told(world).map((text) => JSON.parse(text.slice('lee '.length)));

  test.each(kinds)('%o sends a value only when it has changed', async (definition, steps) => {
    const world = await audienceWorld();
    const id = await addTrait(world, definition);
    expect(world.row(id)).toMatchObject({ kind: 'trait', computes: (definition as { kind: string }).kind });
    const sent: unknown[] = [];
    for (const [properties, more] of steps) {
      await order(world, 'lee', properties);
      await sync(world, id);
      await world.settle(id);
      sent.push(...more);
      expect(values(world)).toEqual(sent);
    }
  });

  test('says of itself what a computed trait of Segment says when bodies are passed through', async () => {
    const world = await audienceWorld({ body: 'pass-through' });
    const id = await addTrait(world, { kind: 'count', ...orders });
    await order(world, 'lee');
    await sync(world, id);
    await world.settle(id);
    const body = world.bodies().find(({ traits }) => traits !== undefined);
    expect(body!.context).toEqual({
      personas: { computation_class: 'trait', computation_id: `tra_${id}`, computation_key: PROPERTY },
    });
  });

  test('first seen sends the time once', async () => {
    const world = await audienceWorld();
    const id = await addTrait(world, { kind: 'first_seen', ...orders });
    await order(world, 'lee');
    await sync(world, id);
    await world.settle(id);
    const [first] = values(world);
    expect(values(world)).toHaveLength(1);
    expect(Date.parse(first as string)).toBeLessThanOrEqual(world.time.wall());
    await order(world, 'lee');
    expect(await sync(world, id)).toBeNull();
  });

  test('that is lost is sent nothing, and is sent again only with another value', async () => {
    const world = await audienceWorld();
    const id = await addTrait(world, { kind: 'count', ...orders, withinMs: 10 * MINUTE });
    await order(world, 'lee');
    await sync(world, id);
    await world.settle(id);
    await world.time.advance(11 * MINUTE);
    expect(world.row(id).counts).toEqual({ members: 0, toAdd: 0, toRemove: 0, toChange: 0 });
    expect(await sync(world, id)).toBeNull();
    // The receivers know 1 already.
    await order(world, 'lee');
    expect(await sync(world, id)).toBeNull();
    await order(world, 'lee');
    await sync(world, id);
    await world.settle(id);
    expect(values(world)).toEqual([1, 2]);
  });

  test('counts what a sum left out', async () => {
    const world = await audienceWorld();
    const trait = { kind: 'sum', ...orders, path: 'properties.total' } as const;
    await addTrait(world, trait);
    // A null is no value, so nothing is left out.
    for (const total of [1, '184.50', true, null]) await order(world, 'lee', { total });
    await rest(world);
    expect(await world.call['people.trait']({ trait: computedTrait.parse(trait) })).toMatchObject({
      done: true,
      withValue: 1,
      calls: 1,
      leftOut: 2,
      leftOutExample: '184.50',
    });
  });

  test('cannot be saved without a definition or with that of a rule, and says which field is wrong', async () => {
    const world = await audienceWorld();
    await expect(addTrait(world, rule)).rejects.toMatchObject({
      code: 'invalid_argument',
      field: 'source.definition',
    });
    await expect(add(world, { kind: 'trait', source: { by: 'hand' } })).rejects.toMatchObject({
      code: 'invalid_argument',
      field: 'source',
    });
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
