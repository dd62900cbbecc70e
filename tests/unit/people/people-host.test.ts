/** The keeper while it reads: calls come and go at any moment, and the store may be read again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/model/call.ts';
import type { TraitDefinition } from '../../../src/core/model/computed-trait.ts';
import { ComputedUsers } from '../../../src/core/people/computed-users.ts';
import { ownThreadLink } from '../../../src/core/people/link.ts';
import { People } from '../../../src/core/people/people.ts';
import type { UserCallStore } from '../../../src/core/store/ports/user-calls.ts';
import { simPorts } from '../../helpers/sim-ports.ts';
import { calls, rules } from './arbitraries.ts';
import { membersOf, type StoredCall, valuesOf } from './naive.ts';
import { namedOf } from './named.ts';

type Call = typeof calls extends fc.Arbitrary<infer C> ? C : never;

/** How many calls each user has: no call may be missed or counted twice. */
const COUNT: TraitDefinition = { kind: 'count', event: null, path: null, where: [], withinMs: null };

/** Pages of at most three calls, so that reading takes many steps. */
const PAGE = 3;

class Store implements UserCallStore {
  readonly stored = new Map<number, StoredCall>();
  #ids = 0;

  add({ user, age, what }: Call, now: number): number {
    this.#ids += 1;
    const { type, ...fields } = what;
    const id = this.#ids;
    const timestamp = new Date(now - age).toISOString();
    const body = JSON.parse(JSON.stringify({ type, timestamp, ...fields })) as JsonObject;
    const event = 'event' in what ? what.event : '';
    this.stored.set(id, { id, type, event, userId: user, sourceId: null, receivedAt: now, age, clockAt: now, body });
    return id;
  }

  page(after: number, upTo: number) {
    const all = [...this.stored.values()].filter(({ id }) => id > after && id <= upTo).slice(0, PAGE);
    return { calls: all, named: namedOf(all), readTo: all.length < PAGE ? upTo : all.at(-1)!.id };
  }

  personCalls(): [] {
    return [];
  }

  bodies(ids: readonly number[]): ReadonlyMap<number, JsonObject> {
    return new Map(ids.flatMap((id) => (this.stored.has(id) ? [[id, this.stored.get(id)!.body] as const] : [])));
  }

  newestId(): number {
    return Math.max(0, ...this.stored.keys());
  }

  close(): void {}
}

class World {
  readonly store = new Store();
  readonly ports = simPorts(1, Date.UTC(2026, 10, 20));
  readonly people: People;
  readonly users: ComputedUsers;
  /** A look at it takes 3 ms, so that a slice has two units. */
  readonly slices = { mono: () => (this.#looks += 3) };
  #looks = 0;

  constructor() {
    const { clock, timers } = this.ports;
    this.people = new People({
      open: ownThreadLink(() => this.store, this.slices, timers),
      clock,
      timers,
      logger: { log: () => {} },
      clockNow: () => clock.wall(),
      realDelay: (at) => Math.max(0, at - clock.wall()),
      clockHistory: () => [],
      changed: () => {},
    });
    this.users = new ComputedUsers(this.people);
  }

  call(call: Call): void {
    const id = this.store.add(call, this.ports.clock.wall());
    this.people.committed({ inserted: [id], removed: [], emptied: [] });
  }

  remove(divisor: number): void {
    const removed = [...this.store.stored.keys()].filter((id) => id % divisor === 0);
    for (const id of removed) this.store.stored.delete(id);
    this.people.committed({ inserted: [], removed, emptied: [] });
  }

  pass(ms: number): Promise<void> {
    return this.ports.time.advance(ms);
  }
}

const moves = fc.oneof(
  { weight: 8, arbitrary: calls.map((call) => async (world: World) => world.call(call)) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }).map((ms) => (world: World) => world.pass(ms)) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 5 }).map((by) => async (world: World) => world.remove(by)) },
  {
    weight: 1,
    arbitrary: fc.constant(async (world: World) => void world.people.ask('recount', null)),
  },
  {
    weight: 1,
    arbitrary: fc.constant(async (world: World) => void world.people.ask('cancelRecount', null)),
  },
);

test('whatever happens while the store is read, in the end the members are those of the stored calls', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(calls, { maxLength: 30 }),
      fc.array(moves, { maxLength: 40 }),
      rules,
      async (before, run, rule) => {
        const world = new World();
        for (const call of before) world.call(call);
        const definition = JSON.stringify(rule);
        const count = JSON.stringify(COUNT);
        world.users.keep([
          { kind: 'audience', definition },
          { kind: 'trait', definition: count },
        ]);
        for (const move of run) await move(world);
        await world.pass(200);
        const found = await world.users.window('audience', definition, null, 100);
        const stored = [...world.store.stored.values()];
        const now = world.ports.clock.wall();
        expect(found.map(({ userId }) => userId).sort()).toEqual(membersOf(rule, stored, now));
        const counted = await world.users.window('trait', count, null, 100);
        const byUser = counted.map(({ userId, value }) => [userId, Number(value)]);
        expect(Object.fromEntries(byUser)).toEqual(Object.fromEntries(valuesOf(COUNT, stored, now)));
        await world.people.stop();
      },
    ),
    { numRuns: Number(process.env.PEOPLE_RUNS ?? 200) },
  );
});
