/** Computed traits on the real engine: which values are sent, as calls come and grow old. */
import { describe, expect, test } from 'vitest';
import { computedTrait } from '../../src/contract/people.ts';
import { audienceWorld, type World } from '../helpers/audience-world.ts';
import { add, by, MINUTE, order, PROPERTY, rest, rule, told } from './audience-rules-stage.ts';
import { sync } from './audience-syncs-stage.ts';

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
