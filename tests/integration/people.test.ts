/** People on the real engine: rules and computed traits over calls that arrive, are removed, and grow old. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AudienceRuleInput, RuleView, TraitView } from '../../src/contract/people.ts';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import type { Engine } from '../../src/core/engine/engine.ts';
import type { AudienceRule } from '../../src/core/model/audience-rule.ts';
import { threadLink } from '../../src/core/people/link.ts';
import { People } from '../../src/core/people/people.ts';
import { configOf, PEOPLE_WORKER, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { startSimEngine } from '../helpers/sim-engine.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const buyers: AudienceRuleInput = {
  match: 'all',
  of: [
    { kind: 'trait', path: 'address.country', test: { op: 'is_one_of', values: ['AT', 'DE'] } },
    {
      kind: 'event',
      event: 'Order Completed',
      op: 'at_least',
      times: 2,
      withinMs: 7 * DAY,
      where: [{ path: 'properties.total', test: { op: 'above', value: 20 } }],
    },
  ],
};

const identify = (engine: RunningEngine, userId: string, traits: object): Promise<number> =>
  engine.post('/v1/identify', { userId, traits });
const order = (engine: RunningEngine, userId: string, total: unknown): Promise<string> =>
  engine.track('Order Completed', { userId, properties: { total } });

/** Asks again after every change until it is counted and true. */
const ruleWhen = (
  engine: RunningEngine,
  rule: AudienceRuleInput,
  when: (view: RuleView) => boolean,
): Promise<RuleView> =>
  engine.until(async () => {
    const view = await engine.client.call('people.rule', { rule });
    return view.done && when(view) ? view : undefined;
  });

const traitWhen = (engine: RunningEngine, trait: object, when: (view: TraitView) => boolean): Promise<TraitView> =>
  engine.until(async () => {
    const view = await engine.client.call('people.trait', { trait: trait as never });
    return view.done && when(view) ? view : undefined;
  });

describe.each([{ peopleThread: false }, { peopleThread: true }])(
  'people, in a thread of their own: $peopleThread',
  (setup) => {
    const start = (more = {}): Promise<RunningEngine> => startEngine({ config: configOf([]), ...setup, ...more });

    test('cost nothing until somebody asks, and then know the calls from before', async () => {
      const engine = await start();
      await identify(engine, 'usr_a', { address: { country: 'AT' }, name: 'Mira' });
      await order(engine, 'usr_a', 30);
      await order(engine, 'usr_a', 21);
      await order(engine, 'usr_a', 20);
      await order(engine, 'usr_b', 100);
      expect(await engine.client.call('people.get')).toMatchObject({ state: 'off', people: 0 });
      const view = await ruleWhen(engine, buyers, () => true);
      expect(view).toMatchObject({
        people: 2,
        members: 1,
        nodes: [
          { id: '1', people: 1 },
          { id: '2', people: 1 },
        ],
        sentence:
          'All of: address.country is one of AT, DE; Order Completed at least 2 times in the last 7 days where properties.total is above 20',
      });
      expect(await engine.client.call('people.get')).toMatchObject({ state: 'ready', people: 2, calls: 5 });
    });

    test('follow new calls, and say who is in and why', async () => {
      const engine = await start();
      await ruleWhen(engine, buyers, ({ members }) => members === 0);
      await identify(engine, 'usr_a', { address: { country: 'DE' }, firstName: 'Lee', lastName: 'Park' });
      await order(engine, 'usr_a', 30);
      await order(engine, 'usr_a', '184.50');
      await ruleWhen(engine, buyers, ({ people }) => people === 1);
      const { client } = engine;
      expect(await client.call('people.explain', { rule: buyers, userId: 'usr_a' })).toMatchObject({
        name: 'Lee Park',
        isIn: false,
        firstFailing: '2',
        nodes: [
          { id: '1', holds: true, value: 'DE' },
          { id: '2', holds: false, count: 1 },
        ],
      });
      await order(engine, 'usr_a', 40);
      const view = await ruleWhen(engine, buyers, ({ members }) => members === 1);
      expect(view).toMatchObject({ joinedLastMinute: 1, leftLastMinute: 0, nextLeave: { userId: 'usr_a', id: '2' } });
      const [sample] = await client.call('people.sample', { rule: buyers, count: 5 });
      expect(sample).toMatchObject({ userId: 'usr_a', isIn: true, firstFailing: null });
      expect(await client.call('people.explain', { rule: buyers, userId: 'usr_A' })).toMatchObject({
        known: false,
        isIn: false,
      });
    });

    test('compute a trait, and say what a sum left out', async () => {
      const engine = await start();
      const trait = { kind: 'sum', event: 'Order Completed', path: 'properties.total' } as const;
      await order(engine, 'usr_a', 0.1);
      await order(engine, 'usr_a', 0.2);
      await order(engine, 'usr_b', '184.50');
      await order(engine, 'usr_c', 5);
      const view = await traitWhen(engine, trait, ({ people }) => people === 3);
      expect(view).toMatchObject({ withValue: 2, calls: 3, leftOut: 1, leftOutExample: '184.50', highest: 5 });
      expect(view.ranges.reduce((sum, { people }) => sum + people, 0)).toBe(2);
      const first = await engine.client.call('people.values', { trait, limit: 1 });
      expect(first).toEqual({ rows: [{ userId: 'usr_a', name: null, value: 0.3 }], next: 'usr_a' });
      const second = await engine.client.call('people.values', { trait, after: 'usr_a', limit: 1 });
      expect(second.rows).toEqual([{ userId: 'usr_c', name: null, value: 5 }]);
    });

    test('say which call changed a value, and what the calls of an event have', async () => {
      const engine = await start();
      const trait = { kind: 'sum', event: 'Order Completed', path: 'properties.total' } as const;
      await identify(engine, 'usr_a', { name: 'Mira', plan: 'pro' });
      await order(engine, 'usr_a', 5);
      await engine.track('Order Completed', {
        userId: 'usr_a',
        properties: { total: 7, address: { city: 'Wien', street: { name: 'x' } }, items: [1] },
      });
      await order(engine, 'usr_a', 'not a number');
      await traitWhen(engine, trait, ({ leftOut }) => leftOut === 1);
      expect(await engine.client.call('people.changes', { trait, userIds: ['usr_a', 'usr_none'] })).toEqual([
        { userId: 'usr_a', name: 'Mira', value: 12, change: { atClock: expect.any(Number), messageId: 3 } },
        { userId: 'usr_none', name: null, value: null, change: null },
      ]);
      expect(await engine.client.call('people.properties', { event: 'Order Completed' })).toEqual({
        calls: 3,
        properties: [
          { path: 'properties.total', calls: 3, example: 'not a number' },
          { path: 'properties.address.city', calls: 1, example: 'Wien' },
          { path: 'properties.address.street', calls: 1, example: null },
          { path: 'properties.items', calls: 1, example: null },
        ],
      });
      const { calls, properties } = await engine.client.call('people.properties', {});
      expect([calls, properties.map(({ path }) => path)]).toEqual([4, expect.arrayContaining(['traits.plan'])]);
      expect(await engine.client.call('people.properties', { event: 'Never Sent' })).toEqual({
        calls: 0,
        properties: [],
      });
    });

    test('forget calls that are removed', async () => {
      const engine = await start();
      const trait = { kind: 'count', event: 'Order Completed' } as const;
      await identify(engine, 'usr_a', { plan: 'pro' });
      for (const user of ['usr_a', 'usr_a', 'usr_b']) await order(engine, user, 1);
      await traitWhen(engine, trait, ({ calls }) => calls === 3);
      await engine.client.call('storage.clear', { upTo: 2 });
      const view = await traitWhen(engine, trait, ({ calls }) => calls === 2);
      expect(view).toMatchObject({ people: 2, withValue: 2 });
      const { events, traits } = await engine.client.call('people.fields');
      expect(events).toEqual([{ event: 'Order Completed', calls: 2 }]);
      expect(traits).toEqual([]);
    });

    test('leave out rejected calls, calls without a user, and calls that Hookbench made', async () => {
      const engine = await start();
      await engine.post('/v1/track', { userId: 'usr_bad' });
      await engine.post('/v1/track', { anonymousId: 'anon', event: 'Order Completed' });
      await order(engine, 'usr_a', 1);
      const view = await traitWhen(engine, { kind: 'count' }, ({ people }) => people > 0);
      expect(view).toMatchObject({ people: 1, calls: 1 });
    });

    test('are read again on demand and after a restart', async () => {
      const workspace = tempWorkspace();
      const engine = await start({ workspace });
      await identify(engine, 'usr_a', { address: { country: 'AT' } });
      for (const total of [30, 40]) await order(engine, 'usr_a', total);
      await ruleWhen(engine, buyers, ({ members }) => members === 1);
      await engine.client.call('people.recount');
      await ruleWhen(engine, buyers, ({ members }) => members === 1);
      await engine.stop();
      const again = await start({ workspace, key: engine.key });
      await ruleWhen(again, buyers, ({ members }) => members === 1);
    });
  },
);

test('people refuse a rule that is not one, and name the field', async () => {
  const engine = await startEngine({ config: configOf([]) });
  const wrong = { match: 'all', of: [{ kind: 'event', event: 'E', op: 'at_least', times: 1.5 }] } as AudienceRuleInput;
  await expect(engine.client.call('people.rule', { rule: wrong })).rejects.toMatchObject({
    code: 'invalid_argument',
    field: 'rule.of.0.times',
  });
});

test('a store that cannot be read is a state, and the next question tries again', async () => {
  const people = new People({
    open: threadLink(PEOPLE_WORKER, '/nowhere'),
    clock: systemClock,
    timers: systemTimers,
    logger: { log: () => {} },
    clockNow: () => 0,
    realDelay: () => 0,
    clockHistory: () => [],
    changed: () => {},
  });
  onTestFinished(() => people.stop());
  await expect(people.ask('fields', null)).rejects.toMatchObject({ code: 'people_off' });
  expect(people.view()).toMatchObject({ state: 'failed' });
  await expect(people.ask('fields', null)).rejects.toMatchObject({ code: 'people_off' });
});

describe('on the retry clock', () => {
  const rule: AudienceRule = {
    match: 'all',
    of: [{ kind: 'event', event: 'Order Completed', op: 'at_least', times: 1, withinMs: 10 * MINUTE, where: [] }],
  };

  /** Moves the retry clock by more than the window. */
  async function step({ parts }: Engine, pass: () => Promise<void>): Promise<void> {
    const { clockKeeper, retryClock } = parts;
    const stepped = clockKeeper.change((clock) => clock.step(retryClock.now() + 11 * MINUTE));
    await pass();
    await stepped;
  }

  test('a member leaves when the clock has passed the window, also when it jumps', async () => {
    const { engine, post, pass } = await startSimEngine({ config: configOf([], { speed: 60 }) });
    const { people, retryClock } = engine.parts;
    const members = async (): Promise<number | null> => {
      const { done, members: count } = await people.ask('rule', { rule });
      return done ? count : null;
    };
    expect(await members()).toBeNull();
    await post('/v1/track', { userId: 'usr_a', event: 'Order Completed' }, 'wk_test');
    await pass();
    expect(await members()).toBe(1);
    const leave = (await people.ask('rule', { rule })).nextLeave!;
    expect(leave).toMatchObject({ userId: 'usr_a', id: '1' });

    await pass((leave.at - retryClock.now()) / 60 - 500);
    expect(await members()).toBe(1);
    const { version } = people.view();
    await pass(1_000);
    expect(people.view().version).toBeGreaterThan(version);
    expect(await members()).toBe(0);

    await post('/v1/track', { userId: 'usr_b', event: 'Order Completed' }, 'wk_test');
    await pass();
    expect(await members()).toBe(1);
    await step(engine, pass);
    await pass();
    expect(await members()).toBe(0);
  });

  test('a call has the age that the clock gives it, also after a jump and a restart of the count', async () => {
    const { engine, post, pass } = await startSimEngine({ config: configOf([], { speed: 1 }) });
    const { people } = engine.parts;
    await post('/v1/track', { userId: 'usr_old', event: 'Order Completed' }, 'wk_test');
    await pass();
    await step(engine, pass);
    await post('/v1/track', { userId: 'usr_new', event: 'Order Completed' }, 'wk_test');
    await people.ask('rule', { rule });
    await pass();
    expect(await people.ask('members', { rule, after: null, limit: 10 })).toEqual({ rows: ['usr_new'], next: null });
    await people.ask('recount', null);
    await pass();
    expect(await people.ask('members', { rule, after: null, limit: 10 })).toEqual({ rows: ['usr_new'], next: null });
  });
});
