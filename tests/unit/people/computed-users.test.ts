import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/model/call.ts';
import { ComputedUsers } from '../../../src/core/people/computed-users.ts';
import { ownThreadLink } from '../../../src/core/people/link.ts';
import { People } from '../../../src/core/people/people.ts';
import type { UserCall, UserCallStore } from '../../../src/core/store/ports/user-calls.ts';
import { simPorts } from '../../helpers/sim-ports.ts';
import { namedOf } from './named.ts';

/** Calls in memory; `broken` makes every read fail. */
class Calls implements UserCallStore {
  readonly calls: UserCall[] = [];
  broken = false;

  add(userId: string, type: 'identify' | 'track', body: JsonObject): number {
    const id = this.calls.length + 1;
    this.calls.push({
      id,
      type,
      event: type === 'track' ? 'Order Completed' : '',
      userId,
      sourceId: 1,
      receivedAt: 0,
      body,
    });
    return id;
  }

  page(after: number, upTo: number, limit: number) {
    if (this.broken) throw new Error('The disk is gone.');
    const calls = this.calls.filter(({ id }) => id > after && id <= upTo).slice(0, limit);
    return { calls, named: namedOf(calls), readTo: calls.length < limit ? upTo : calls.at(-1)!.id };
  }

  personCalls(): [] {
    return [];
  }

  bodies(ids: readonly number[]): ReadonlyMap<number, JsonObject> {
    return new Map(ids.map((id): [number, JsonObject] => [id, this.calls[id - 1]!.body!]));
  }

  newestId(): number {
    return this.calls.length;
  }

  close(): void {}
}

function world() {
  const calls = new Calls();
  const { time, clock, timers } = simPorts(1, 0);
  const people = new People({
    open: ownThreadLink(() => calls, clock, timers),
    clock,
    timers,
    logger: { log: () => {} },
    clockNow: () => clock.wall(),
    realDelay: (at) => Math.max(0, at - clock.wall()),
    clockHistory: () => [],
    changed: () => {},
  });
  const users = new ComputedUsers(people);
  const commit = (id: number): void => people.committed({ inserted: [id], removed: [], emptied: [] });
  return { calls, people, users, commit, pass: (ms = 100) => time.advance(ms) };
}

const pro = JSON.stringify({ match: 'all', of: [{ kind: 'trait', path: 'plan', test: { op: 'is', value: 'pro' } }] });
const spent = JSON.stringify({ kind: 'sum', event: 'Order Completed', path: 'properties.total' });

describe('users of a definition', () => {
  test('are given only when everyone is counted, in windows by the bytes of their ids', async () => {
    const { calls, users, pass } = world();
    const ids = ['b', '\u{1F600}', '\uFF5E', 'a', ...Array.from({ length: 2_000 }, (_, i) => `u${i}`)];
    for (const id of ids) calls.add(id, 'identify', { traits: { plan: 'pro' } });
    const first = users.window('audience', pro, null, 3);
    let isGiven = false;
    void first.then(() => {
      isGiven = true;
    });
    await Promise.resolve();
    expect(isGiven).toBe(false);
    await pass();
    expect(await first).toEqual([
      { userId: 'a', value: 'true' },
      { userId: 'b', value: 'true' },
      { userId: 'u0', value: 'true' },
    ]);
    const last = await users.window('audience', pro, 'u999', 10);
    expect(last.map(({ userId }) => userId)).toEqual(['\uFF5E', '\u{1F600}']);
  });

  test('are those of every call that was stored before the question', async () => {
    const { calls, users, commit, pass } = world();
    users.keep([{ kind: 'audience', definition: pro }]);
    await pass();
    commit(calls.add('a', 'identify', { traits: { plan: 'pro' } }));
    const found = users.window('audience', pro, null, 10);
    commit(calls.add('b', 'identify', { traits: { plan: 'pro' } }));
    await pass();
    expect((await found).map(({ userId }) => userId)).toContain('a');
  });

  test('have the value of a trait as JSON', async () => {
    const { calls, users, pass } = world();
    calls.add('a', 'track', { properties: { total: 1.5 } });
    calls.add('b', 'track', { properties: {} });
    const found = users.window('trait', spent, null, 10);
    await pass();
    expect(await found).toEqual([{ userId: 'a', value: '1.5' }]);
  });

  test('that changed are given once, with what they have now', async () => {
    const { calls, users, commit, pass } = world();
    const say = (userId: string, plan: string) => commit(calls.add(userId, 'identify', { traits: { plan } }));
    users.keep([{ kind: 'audience', definition: pro }]);
    say('a', 'pro');
    const first = users.moved('audience', pro, 10);
    await pass();
    expect(await first).toEqual({ everyone: true, users: [], more: false });
    say('b', 'pro');
    say('a', 'free');
    say('c', 'pro');
    await pass();
    say('c', 'free');
    say('d', 'free');
    await pass();
    expect(await users.moved('audience', pro, 2)).toEqual({
      everyone: false,
      users: [
        { userId: 'b', value: 'true' },
        { userId: 'a', value: null },
      ],
      more: true,
    });
    expect(await users.moved('audience', pro, 2)).toEqual({
      everyone: false,
      users: [{ userId: 'c', value: null }],
      more: false,
    });
    expect(await users.moved('audience', pro, 2)).toMatchObject({ everyone: false, users: [] });
    // Who let go of it may have missed something.
    users.keep([]);
    users.keep([{ kind: 'audience', definition: pro }]);
    expect(await users.moved('audience', pro, 2)).toMatchObject({ everyone: true });
  });

  test('that changed are everyone when they are more than anybody remembers', async () => {
    const { calls, users, commit, pass } = world();
    users.keep([{ kind: 'trait', definition: spent }]);
    const first = users.moved('trait', spent, 500);
    await pass();
    await first;
    const buy = (from: number, to: number): void => {
      for (let i = from; i < to; i += 1) commit(calls.add(`u${i}`, 'track', { properties: { total: i } }));
    };
    buy(0, 10_000);
    await pass(1_000);
    const some = await users.moved('trait', spent, 1);
    expect(some).toEqual({ everyone: false, users: [{ userId: 'u0', value: '0' }], more: true });
    buy(10_000, 10_002);
    await pass(1_000);
    expect(await users.moved('trait', spent, 1)).toEqual({ everyone: true, users: [], more: false });
  });

  test('that are kept report changes, others do not', async () => {
    const { calls, users, commit, pass } = world();
    let changes = 0;
    users.onChanged(() => {
      changes += 1;
    });
    users.keep([{ kind: 'audience', definition: pro }]);
    await pass();
    const counted = changes;
    commit(calls.add('a', 'track', { properties: {} }));
    await pass();
    expect(changes).toBe(counted);
    commit(calls.add('a', 'identify', { traits: { plan: 'pro' } }));
    await pass();
    expect(changes).toBe(counted + 1);
    users.keep([]);
    commit(calls.add('b', 'identify', { traits: { plan: 'pro' } }));
    await pass();
    expect(changes).toBe(counted + 1);
  });

  test('are refused, not empty, while people cannot be counted, and come back with a new count', async () => {
    const { calls, people, users, pass } = world();
    calls.add('a', 'identify', { traits: { plan: 'pro' } });
    calls.broken = true;
    const refused = expect(users.window('audience', pro, null, 10)).rejects.toMatchObject({ code: 'people_off' });
    await pass();
    await refused;
    expect(people.view()).toMatchObject({ state: 'failed', message: 'The disk is gone.' });
    calls.broken = false;
    await people.ask('recount', null);
    const found = users.window('audience', pro, null, 10);
    await pass();
    expect(await found).toEqual([{ userId: 'a', value: 'true' }]);
  });

  test('that are kept are counted again after a failure, without a question', async () => {
    const { calls, people, users, pass } = world();
    calls.add('a', 'identify', { traits: { plan: 'pro' } });
    calls.broken = true;
    users.keep([{ kind: 'audience', definition: pro }]);
    await pass();
    expect(people.view().state).toBe('failed');
    calls.broken = false;
    let changes = 0;
    users.onChanged(() => {
      changes += 1;
    });
    await pass(10_000);
    expect(people.view()).toMatchObject({ state: 'ready', people: 1 });
    expect(changes).toBe(1);
  });

  test('wait for a new count that has begun', async () => {
    const { calls, people, users, pass } = world();
    for (let i = 0; i < 1_000; i += 1) calls.add(`u${i}`, 'identify', { traits: { plan: 'pro' } });
    const first = users.window('audience', pro, null, 1);
    await pass();
    await first;
    await people.ask('recount', null);
    const second = users.window('audience', pro, null, 1_001);
    await pass();
    expect(await second).toHaveLength(1_000);
  });

  test('of a definition that is none have a problem with a path', () => {
    const { users } = world();
    expect(users.problemOf('audience', pro)).toBeNull();
    expect(users.problemOf('trait', spent)).toBeNull();
    expect(users.problemOf('audience', '{')).toBe('The definition is not JSON.');
    expect(
      users.problemOf('audience', '{"match":"all","of":[{"kind":"trait","path":"","test":{"op":"exists"}}]}'),
    ).toMatch(/^of\.0\.path: /);
    expect(users.problemOf('trait', '{"kind":"sum"}')).toMatch(/^path: /);
  });
});
