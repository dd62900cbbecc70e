import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AudienceRule } from '../../../src/core/model/audience-rule.ts';
import type { JsonObject } from '../../../src/core/model/call.ts';
import { type ClockStretch, withStretch } from '../../../src/core/model/clock-history.ts';
import { byCodePoints } from '../../../src/core/model/code-points.ts';
import type { TraitDefinition } from '../../../src/core/model/computed-trait.ts';
import type { Slice } from '../../../src/core/model/slice.ts';
import { PeopleIndex } from '../../../src/core/people/people-index.ts';
import { columnsOfRule, RuleWatch } from '../../../src/core/people/rule-watch.ts';
import { columnOfTrait, TraitWatch } from '../../../src/core/people/trait-watch.ts';
import { calls, HOUR, rules, traits } from './arbitraries.ts';
import { countsOf, membersOf, type StoredCall, sendersOf, usersOf, valuesOf } from './naive.ts';

const START = Date.UTC(2026, 10, 20);
/** Slices without an end, and of one unit. */
const LONG: Slice = { isOver: () => false };
const SHORT: Slice = { isOver: () => true };

/** A store of calls and a retry clock, and an index that is told of them. */
class World {
  readonly stored = new Map<number, StoredCall>();
  readonly index: PeopleIndex;
  readonly rules: Array<{ rule: AudienceRule; watch: RuleWatch }> = [];
  readonly traits: Array<{ definition: TraitDefinition; watch: TraitWatch }> = [];
  /** What somebody knows who takes changes, and nothing else. */
  readonly #taken = new Map<RuleWatch | TraitWatch, Map<string, unknown>>();
  /** Every trait that a call has had so far. */
  readonly #traits = new Set<string>();
  wall = START;
  clock = START;
  speed = 1;
  #history: ClockStretch[] = [{ wallAt: START, clockAt: START, speed: 1, paused: false }];
  #ids = 0;

  constructor() {
    // Gaps are closed early, so that this happens in short runs too.
    this.index = new PeopleIndex((ids) => new Map(ids.flatMap((id) => this.#body(id))), 2);
    this.index.setHistory(this.#history);
  }

  #body(id: number): Array<[number, JsonObject]> {
    const call = this.stored.get(id);
    return call === undefined ? [] : [[id, call.body]];
  }

  get calls(): StoredCall[] {
    return [...this.stored.values()];
  }

  call({ user, age, what }: typeof calls extends fc.Arbitrary<infer C> ? C : never): void {
    this.#ids += 1;
    const { type, ...fields } = what;
    const timestamp = new Date(this.wall - age).toISOString();
    const call: StoredCall = {
      id: this.#ids,
      type,
      event: 'event' in what ? what.event : '',
      userId: user,
      sourceId: [null, 1, 2][this.#ids % 3]!,
      receivedAt: this.wall,
      age,
      clockAt: this.clock,
      body: JSON.parse(JSON.stringify({ type, userId: user, timestamp, ...fields })),
    };
    this.stored.set(call.id, call);
    this.index.add(call);
  }

  /** Removes every call whose id leaves this rest. */
  remove(divisor: number, rest: number): void {
    const ids = [...this.stored.keys()].filter((id) => id % divisor === rest);
    for (const id of ids) this.stored.delete(id);
    this.index.remove(ids);
  }

  keepEvery(nth: number): void {
    const ids = [...this.stored.keys()].filter((_, i) => i % nth !== 0);
    for (const id of ids) this.stored.delete(id);
    this.index.remove(ids);
  }

  erase(user: string): void {
    const ids = this.calls.filter(({ userId }) => userId === user).map(({ id }) => id);
    for (const id of ids) this.stored.delete(id);
    this.index.remove(ids);
  }

  pass(ms: number): void {
    this.wall += ms;
    this.clock += ms * this.speed;
  }

  setClock(speed: number, stepMs: number): void {
    this.speed = speed;
    this.clock += stepMs;
    this.#history = withStretch(this.#history, {
      wallAt: this.wall,
      clockAt: this.clock,
      speed: speed === 0 ? 60 : speed,
      paused: speed === 0,
    });
    this.index.setHistory(this.#history);
  }

  watchRule(rule: AudienceRule): void {
    const watch = new RuleWatch(this.index.data, rule, this.index.columnsFor(columnsOfRule(rule)));
    this.index.watch(watch);
    this.rules.push({ rule, watch });
  }

  watchTrait(definition: TraitDefinition): void {
    const watch = new TraitWatch(this.index.data, definition, this.index.columnsFor([columnOfTrait(definition)])[0]!);
    this.index.watch(watch);
    this.traits.push({ definition, watch });
  }

  unwatch(): void {
    for (const { watch } of [...this.rules.splice(0, 1), ...this.traits.splice(0, 1)]) this.index.unwatch(watch);
    this.index.dropColumns();
  }

  /** Compares everything that is counted with a fresh look. */
  check(): void {
    this.index.settle(this.clock);
    const { people } = this.index.data;
    const ordered = people.inOrder().map((person) => people.userId(person)!);
    expect(ordered).toEqual(usersOf(this.calls).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    this.#checkSenders();
    const named = <T>(read: (person: number) => T): Array<[string, T]> =>
      people.inOrder().map((person): [string, T] => [people.userId(person)!, read(person)]);
    for (const { rule, watch } of this.rules) {
      if (!watch.isCounted) continue;
      const members = named((person) => watch.isMember(person)).flatMap(([user, is]) => (is ? [user] : []));
      expect(members.sort()).toEqual(membersOf(rule, this.calls, this.clock));
      expect(watch.members).toBe(members.length);
      expect(this.#take(watch, (person) => watch.isMember(person) || null)).toEqual(
        members.map((user) => [user, true]),
      );
      expect(watch.counts.map((one) => one.people)).toEqual(countsOf(rule, this.calls, this.clock));
      this.#checkLeave(rule, watch, members);
    }
    for (const { definition, watch } of this.traits) {
      if (!watch.isCounted) continue;
      const values = named((person) => watch.value(person)).filter(([, value]) => value !== null);
      const byUser = values.sort(([a], [b]) => (a < b ? -1 : 1));
      expect(byUser).toEqual(valuesOf(definition, this.calls, this.clock));
      expect(watch.withValue).toBe(values.length);
      expect(this.#take(watch, (person) => watch.value(person))).toEqual(byUser);
    }
  }

  #checkSenders(): void {
    for (const call of this.calls) for (const trait of Object.keys(call.body.traits ?? {})) this.#traits.add(trait);
    const found = [...this.#traits].map((trait): [string, object] => {
      const senders = this.index.senders.of(trait);
      return [trait, Object.fromEntries(senders.map(({ sourceId, calls: count }) => [sourceId, count]))];
    });
    const expected = sendersOf(this.calls);
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries([...this.#traits].map((trait) => [trait, expected[trait] ?? {}])),
    );
  }

  /** Takes what changed since the last time, two users at a time, and gives everyone with a value. */
  #take(watch: RuleWatch | TraitWatch, read: (person: number) => unknown): Array<[string, unknown]> {
    const { people } = this.index.data;
    const known = this.#taken.get(watch) ?? new Map<string, unknown>();
    for (let isMore = true; isMore; ) {
      const { everyone, userIds, more } = watch.takeMoves(2);
      if (everyone) known.clear();
      for (const user of everyone ? usersOf(this.calls) : userIds) {
        const person = people.find(user);
        const value = person < 0 ? null : read(person);
        if (value === null) known.delete(user);
        else known.set(user, value);
      }
      isMore = more;
    }
    this.#taken.set(watch, known);
    return [...known].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Until the next leave nobody leaves, and then that user does. */
  #checkLeave(rule: AudienceRule, watch: RuleWatch, members: readonly string[]): void {
    const leave = watch.nextLeave(this.clock);
    const still = (at: number): Set<string> => new Set(membersOf(rule, this.calls, at));
    const until = leave === null ? this.clock + 30 * HOUR : leave.at - 1;
    const before = still(until);
    expect(members.filter((user) => !before.has(user))).toEqual([]);
    if (leave !== null) expect(still(leave.at).has(leave.userId)).toBe(false);
  }

  finish(): void {
    while (this.index.work(LONG));
  }
}

const moves = fc.oneof(
  { weight: 12, arbitrary: calls.map((call) => (world: World) => world.call(call)) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 * HOUR }).map((ms) => (world: World) => world.pass(ms)) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(0, 1, 60), fc.nat(2 * HOUR)).map(
      ([speed, step]) =>
        (world: World) =>
          world.setClock(speed, step),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.integer({ min: 2, max: 4 }), fc.nat(3)).map(
      ([d, r]) =>
        (world: World) =>
          world.remove(d, r),
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 9 }).map((nth) => (world: World) => world.keepEvery(nth)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('usr_a', 'usr_b', '\u{1F600}').map((user) => (world: World) => world.erase(user)),
  },
  { weight: 2, arbitrary: rules.map((rule) => (world: World) => world.watchRule(rule)) },
  { weight: 2, arbitrary: traits.map((trait) => (world: World) => world.watchTrait(trait)) },
  { weight: 1, arbitrary: fc.constant((world: World) => world.unwatch()) },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 3 }).map((steps) => (world: World) => {
      for (let i = 0; i < steps; i += 1) world.index.work(SHORT);
    }),
  },
);

/** Holds for about half of the calls. */
const paid: AudienceRule = {
  match: 'all',
  of: [
    {
      kind: 'event',
      event: 'Order Completed',
      op: 'at_least',
      times: 1,
      withinMs: null,
      where: [{ path: 'properties.total', test: { op: 'exists' } }],
    },
  ],
};

describe('people in memory', () => {
  test('equal a fresh look at all stored calls after any calls, clock moves, removals and changes of rules', () => {
    fc.assert(
      fc.property(fc.array(moves, { minLength: 5, maxLength: 40 }), rules, traits, (run, rule, trait) => {
        const world = new World();
        world.watchRule(rule);
        world.watchTrait(trait);
        for (const move of run) {
          move(world);
          world.check();
        }
        world.finish();
        world.check();
      }),
      { numRuns: Number(process.env.PEOPLE_RUNS ?? 300) },
    );
  });

  test('equal it also after most calls were removed, the gaps closed, and others came', () => {
    const many = (least: number, most: number) => fc.array(calls, { minLength: least, maxLength: most });
    fc.assert(
      fc.property(
        many(15, 40),
        many(5, 20),
        rules,
        traits,
        fc.integer({ min: 3, max: 7 }),
        (one, two, rule, trait, nth) => {
          const world = new World();
          world.watchRule(rule);
          world.watchRule(paid);
          world.watchTrait(trait);
          for (const call of one) world.call(call);
          world.finish();
          world.check();
          const { log } = world.index.data;
          const before = log.length;
          world.keepEvery(nth);
          expect(log.length).toBeLessThan(before);
          expect(log.length).toBe(world.calls.length);
          world.check();
          for (const call of two) world.call(call);
          world.check();
          world.watchRule({ match: 'any', of: [...rule.of, { kind: 'trait', path: 'plan', test: { op: 'exists' } }] });
          world.finish();
          world.check();
          world.keepEvery(2);
          world.check();
        },
      ),
    );
  });

  test('are in the order of UTF-8 bytes', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\uD7FF', '\uE000', '\uFF5E', '\u{1F600}'),
      maxLength: 4,
    });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(byCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});
