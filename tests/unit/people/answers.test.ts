/** What the keeper answers once everyone is counted, and that it answers nothing that is not counted yet. */
import { describe, expect, test } from 'vitest';
import type { AudienceRule } from '../../../src/core/model/audience-rule.ts';
import type { TraitDefinition } from '../../../src/core/model/computed-trait.ts';
import { SlowHost } from './slow-host.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const pro: AudienceRule = { match: 'all', of: [{ kind: 'trait', path: 'plan', test: { op: 'is', value: 'pro' } }] };
const total: TraitDefinition = { kind: 'sum', event: 'Paid', path: 'properties.total', where: [], withinMs: null };

/** Five people, of whom `b`, `c` and `e` are pro and `a` and `c` have paid. */
function started(): SlowHost {
  const host = new SlowHost(0);
  host.call('a', { traits: { name: 'Anna', plan: 'free', address: { city: 'Graz', zip: 1 } } });
  host.call('b', { traits: { firstName: 'Ben', lastName: 'Berg', plan: 'pro' } });
  host.call('c', { traits: { name: '', firstName: 'Cleo', lastName: 7, plan: 'pro' } });
  host.call('d', { traits: { plan: 'free', name: 4, address: { city: 'Linz' } } });
  host.call('e', { traits: { firstName: '', plan: 'pro' } });
  host.call('a', { event: 'Paid', properties: { total: 5, items: [1], deep: { one: { two: 2 } } } });
  host.call('c', { event: 'Paid', properties: { total: '9', code: null } });
  host.call('c', { event: 'Paid', properties: { total: 4, code: 'X' } });
  host.call('c', { event: 'Seen', properties: { page: '/' } });
  host.start();
  return host;
}

function counted(): SlowHost {
  const host = started();
  host.ask('hold', { rule: pro });
  host.ask('hold', { trait: total });
  host.finish();
  return host;
}

const idsOf = (rows: ReadonlyArray<{ readonly userId: string }> | null | undefined) =>
  rows?.map(({ userId }) => userId);

test('before the stored calls are read there is no answer, and the progress says so', () => {
  const host = started();
  const rule = { rule: pro };
  const trait = { trait: total };
  const window = { after: null, limit: 9 };
  expect([
    host.ask('members', { ...rule, ...window }),
    host.ask('values', { ...trait, ...window }),
    host.ask('moved', { definition: rule, limit: 9 }),
    host.ask('sample', { ...rule, count: 9, skip: 0 }),
    host.ask('explain', { ...rule, userId: 'a' }),
    host.ask('changes', { ...trait, userIds: ['a'] }),
    host.ask('fields', null),
    host.ask('senders', { traits: ['plan'] }),
    host.ask('properties', { event: null }),
  ]).toEqual(Array(9).fill(null));
  expect(host.ask('rule', rule)).toMatchObject({ done: false, progress: 0, members: 0, nextLeave: null });
  expect(host.ask('trait', trait)).toMatchObject({ done: false, progress: 0, ranges: [] });
});

describe('a rule', () => {
  test('has its counts', () => {
    expect(counted().ask('rule', { rule: pro })).toEqual({
      done: true,
      progress: 1,
      people: 5,
      members: 3,
      nodes: [{ id: '1', people: 3 }],
      nextLeave: null,
    });
  });

  test('says who leaves next', () => {
    const recent: AudienceRule = {
      match: 'all',
      of: [{ kind: 'event', event: 'Paid', op: 'at_least', times: 2, withinMs: 1_000, where: [] }],
    };
    const host = started();
    host.ask('hold', { rule: recent });
    host.finish();
    expect(host.ask('rule', { rule: recent }).nextLeave).toEqual({ userId: 'c', at: NOON + 1_000, id: '1' });
  });

  test('lists its members in windows, by their ids', () => {
    const host = counted();
    const members = (after: string | null, limit: number) => host.ask('members', { rule: pro, after, limit });
    expect(members(null, 2)).toEqual({ rows: ['b', 'c'], next: 'c' });
    expect(members('c', 2)).toEqual({ rows: ['e'], next: null });
    expect(members('b', 1)).toEqual({ rows: ['c'], next: 'c' });
    expect(members(null, 9)).toEqual({ rows: ['b', 'c', 'e'], next: null });
  });

  test('gives a sample from any member on, each once, with the name that a person has', () => {
    const host = counted();
    const sample = (count: number, skip: number) => idsOf(host.ask('sample', { rule: pro, count, skip }));
    expect([sample(2, 0), sample(2, 1), sample(2, 2), sample(9, 4), sample(0, 1)]).toEqual([
      ['b', 'c'],
      ['c', 'e'],
      ['e', 'b'],
      ['c', 'e', 'b'],
      [],
    ]);
    const nobody: AudienceRule = { match: 'all', of: [{ ...pro.of[0], path: 'none' } as never] };
    host.ask('hold', { rule: nobody });
    host.finish();
    expect(host.ask('sample', { rule: nobody, count: 2, skip: 1 })).toEqual([]);
    expect(host.ask('sample', { rule: pro, count: 9, skip: 0 })!.map(({ name }) => name)).toEqual([
      'Ben Berg',
      'Cleo',
      null,
    ]);
  });

  test('explains a person, and one whom it does not know', () => {
    const host = counted();
    expect(host.ask('explain', { rule: pro, userId: 'a' })).toEqual({
      userId: 'a',
      name: 'Anna',
      known: true,
      isIn: false,
      nodes: [{ id: '1', holds: false, value: 'free' }],
      firstFailing: '1',
    });
    expect(host.ask('explain', { rule: pro, userId: 'nobody' })).toEqual({
      userId: 'nobody',
      name: null,
      known: false,
      isIn: false,
      nodes: [],
      firstFailing: null,
    });
  });

  test('tells who moved since it was asked last', () => {
    const host = counted();
    const moved = (limit: number) => host.ask('moved', { definition: { rule: pro }, limit });
    expect(moved(9)).toEqual({ everyone: true, users: [], more: false });
    host.call('a', { traits: { plan: 'pro' } });
    host.call('b', { traits: { plan: 'free' } });
    host.call('c', { traits: { plan: 'free' } });
    host.tellStored();
    host.finish();
    expect(moved(1)).toEqual({ everyone: false, users: [{ userId: 'a', value: true }], more: true });
    host.say({ type: 'removed', ids: [2, 11] });
    const out = ['b', 'c'].map((userId) => ({ userId, value: null }));
    expect(moved(9)).toEqual({ everyone: false, users: out, more: false });
  });
});

describe('a trait', () => {
  test('has its counts and what it left out', () => {
    expect(counted().ask('trait', { trait: total })).toMatchObject({
      done: true,
      people: 5,
      withValue: 2,
      calls: 2,
      leftOut: 1,
      leftOutExample: '9',
      median: 4.5,
      highest: 5,
    });
  });

  test('lists its values in windows, and who changed', () => {
    const host = counted();
    const values = (after: string | null, limit: number) => host.ask('values', { trait: total, after, limit });
    expect(values(null, 1)).toEqual({ rows: [{ userId: 'a', name: 'Anna', value: 5 }], next: 'a' });
    expect(values('a', 9)).toEqual({ rows: [{ userId: 'c', name: 'Cleo', value: 4 }], next: null });
    const moved = () => host.ask('moved', { definition: { trait: total }, limit: 9 });
    expect(moved()!.everyone).toBe(true);
    host.call('d', { event: 'Paid', properties: { total: 1 } });
    host.tellStored();
    host.finish();
    expect(moved()!.users).toEqual([{ userId: 'd', value: 1 }]);
  });

  test('says what changed a value last', () => {
    const asked = counted().ask('changes', { trait: total, userIds: ['c', 'b', 'nobody'] });
    expect(asked).toEqual([
      { userId: 'c', name: 'Cleo', value: 4, change: { at: NOON, cause: { messageId: 8 } } },
      { userId: 'b', name: 'Ben Berg', value: null, change: null },
      { userId: 'nobody', name: null, value: null, change: null },
    ]);
  });
});

describe('what calls have', () => {
  test('are events and traits, most frequent first, then by name', () => {
    expect(counted().ask('fields', null)).toEqual({
      events: [
        { event: 'Paid', calls: 3 },
        { event: 'Seen', calls: 1 },
      ],
      traits: [
        { path: 'plan', people: 5 },
        { path: 'firstName', people: 3 },
        { path: 'name', people: 3 },
        { path: 'address.city', people: 2 },
        { path: 'lastName', people: 2 },
        { path: 'address.zip', people: 1 },
      ],
    });
  });

  test('are the properties of an event, with an example where one is a plain value', () => {
    expect(counted().ask('properties', { event: 'Paid' })).toEqual({
      calls: 3,
      properties: [
        { path: 'properties.total', calls: 3, example: 4 },
        { path: 'properties.code', calls: 2, example: 'X' },
        { path: 'properties.deep.one', calls: 1, example: null },
        { path: 'properties.items', calls: 1, example: null },
      ],
    });
    expect(counted().ask('properties', { event: 'Nothing' })).toEqual({ calls: 0, properties: [] });
  });

  test('are for calls of every kind also their traits', () => {
    const { calls, properties } = counted().ask('properties', { event: null })!;
    expect(calls).toBe(9);
    expect(properties.find(({ path }) => path === 'traits.plan')).toEqual({
      path: 'traits.plan',
      calls: 5,
      example: 'pro',
    });
    expect(properties.map(({ path }) => path)).toContain('traits.address.city');
    expect(properties.map(({ path }) => path)).toContain('properties.page');
  });

  test('are traits with the sources that send them', () => {
    const [plan, none] = counted().ask('senders', { traits: ['plan', 'nothing'] })!;
    expect(plan).toMatchObject([{ sourceId: 1 }]);
    expect(none).toEqual([]);
  });

  test('can be counted by user, up to a message', () => {
    const host = counted();
    const calls = (upTo: number, ...userIds: string[]) => host.ask('callsOf', { userIds, upTo });
    expect([calls(9, 'c'), calls(8, 'c'), calls(9, 'a', 'c'), calls(9, 'nobody'), calls(2, 'c')]).toEqual([
      4, 3, 6, 0, 0,
    ]);
  });
});

test('what is released and asked for no more is forgotten, and counted again when it is asked for', () => {
  const host = counted();
  for (const name of ['release', 'cancel'] as const) host.ask(name, { rule: pro });
  expect(host.ask('rule', { rule: pro })).toMatchObject({ done: false });
  host.finish();
  expect(host.ask('rule', { rule: pro })).toMatchObject({ done: true, members: 3 });
});
