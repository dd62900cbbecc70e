import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PersonKey } from '../../../../src/contract/persons.ts';
import type { Slice } from '../../../../src/core/model/slice.ts';
import { FindingCounts } from '../../../../src/core/people/identity/finding-counts.ts';
import { IdentityIndex } from '../../../../src/core/people/identity/identity-index.ts';
import { findingCount } from '../../../../src/core/people/identity/person.ts';
import type { NamedCall, PersonCall } from '../../../../src/core/store/ports/user-calls.ts';

/** People as the words say it, from all calls at once. It shares no code with the index. */
class Naive {
  calls: NamedCall[] = [];

  personCalls(ids: readonly number[]): PersonCall[] {
    return this.calls
      .filter(({ id }) => ids.includes(id))
      .map((call) => ({ ...call, type: 'track', event: 'Seen', sourceId: 1, receivedAt: call.id * 1_000, body: {} }));
  }

  #alias(id: string): string | undefined {
    const alias = this.calls.findLast(
      ({ previousId, userId }) => previousId === id && userId !== null && userId !== id,
    );
    return alias?.userId ?? undefined;
  }

  root(id: string): string {
    const path = [id];
    for (let next = this.#alias(id); next !== undefined; next = this.#alias(next)) {
      if (path.includes(next)) return path.slice(path.indexOf(next)).sort()[0]!;
      path.push(next);
    }
    return path.at(-1)!;
  }

  owner(call: NamedCall): PersonKey {
    if (call.userId !== null) return { kind: 'user', id: this.root(call.userId) };
    const tied = this.calls.filter((one) => one.anonymousId === call.anonymousId && one.userId !== null);
    const tie = tied.find(({ id }) => id > call.id) ?? tied.at(-1);
    if (tie !== undefined) return { kind: 'user', id: this.root(tie.userId!) };
    const renamed = this.#alias(call.anonymousId!);
    if (renamed !== undefined) return { kind: 'user', id: this.root(renamed) };
    return { kind: 'anonymous', id: call.anonymousId! };
  }

  people(): Array<{ key: PersonKey; newest: number }> {
    const found = new Map<string, { key: PersonKey; newest: number }>();
    for (const call of this.calls.toReversed()) {
      const key = this.owner(call);
      const text = JSON.stringify(key);
      if (!found.has(text)) found.set(text, { key, newest: call.id });
    }
    return [...found.values()];
  }

  callsOf(key: PersonKey): number[] {
    return this.calls.filter((call) => JSON.stringify(this.owner(call)) === JSON.stringify(key)).map(({ id }) => id);
  }

  anonymousIds(key: PersonKey): Array<{ id: string; calls: number; sharedWith: string[] }> {
    const own = this.callsOf(key);
    const ids = new Set(
      this.calls.filter(({ id }) => own.includes(id)).flatMap(({ anonymousId }) => anonymousId ?? []),
    );
    return [...ids].map((id) => {
      const all = this.calls.filter(({ anonymousId }) => anonymousId === id);
      const others = all.filter((call) => !own.includes(call.id)).map((call) => this.owner(call).id);
      return { id, calls: all.length - others.length, sharedWith: [...new Set(others)] };
    });
  }
}

const users = fc.constantFrom(null, 'a', 'b', 'c', 'd');
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      userId: users,
      anonymousId: fc.constantFrom(null, 'x', 'y'),
      previousId: fc.constant(null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      userId: users,
      anonymousId: fc.constant(null),
      previousId: fc.constantFrom('a', 'b', 'c', 'x'),
    }),
  },
  { weight: 5, arbitrary: fc.record({ remove: fc.nat() }) },
);

const endless: Slice = { isOver: () => false };

const byId = <T extends { id: string }>(list: readonly T[]): T[] => list.toSorted((p, q) => (p.id < q.id ? -1 : 1));

describe('the index of identities', () => {
  test('says what all calls at once say, after any calls and removals', () => {
    let compacted = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 61 }), (steps, every) => {
        const [index, naive] = [new IdentityIndex({ waste: 2, lookedRows: 1 }), new Naive()];
        const counts = new FindingCounts(index, naive);
        let gaps = 0;
        steps.forEach((one, i) => {
          if (i % every === 0) {
            index.settle();
            counts.wantEveryone();
            counts.work(endless);
          }
          if ('remove' in one) {
            const id = 1 + (one.remove % (i + 1));
            index.remove([id]);
            const before = naive.calls.length;
            naive.calls = naive.calls.filter((call) => call.id !== id);
            gaps += before - naive.calls.length;
            if (gaps > 2 && gaps > naive.calls.length) {
              compacted += 1;
              gaps = 0;
            }
          } else {
            index.add({ id: i + 1, ...one });
            if (one.userId !== null || one.anonymousId !== null) naive.calls.push({ id: i + 1, ...one });
          }
        });
        const people = naive.people();
        const { people: roster } = index;
        expect(roster.size).toBe(people.length);
        expect(
          [...roster.newestFirst()].map(({ key, newest, oldest, calls }) => ({ key, newest, oldest, calls })),
        ).toEqual(
          people.map(({ key, newest }) => {
            const calls = naive.callsOf(key);
            return { key, newest, oldest: calls[0], calls: calls.length };
          }),
        );
        counts.wantEveryone();
        expect(counts.work(endless)).toBe(false);
        const found = [...roster.newestFirst()].map(({ findings }) => findings);
        expect(found).toEqual(people.map(({ key }) => findingCount(index, naive, key)));
        expect([roster.uncounted, roster.withFindings]).toEqual([0, found.filter((n) => n !== 0).length]);
        for (const { key } of people) {
          const person = index.person(key)!;
          expect(person.calls).toEqual(naive.callsOf(key));
          expect(byId(person.anonymousIds)).toEqual(
            byId(naive.anonymousIds(key)).map((one) => ({
              ...one,
              sharedWith: expect.toSatisfy(sameSet(one.sharedWith)),
            })),
          );
          expect(index.find(key.id)).toEqual(key);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(compacted).toBeGreaterThan(0);
  });

  test('a call that comes again, or names nobody, changes nothing', () => {
    const index = new IdentityIndex();
    const call = { userId: 'a', anonymousId: null, previousId: null };
    index.add({ id: 5, ...call });
    index.add({ id: 5, ...call });
    index.add({ id: 4, ...call });
    index.add({ id: 6, userId: null, anonymousId: null, previousId: 'b' });
    expect(index.person({ kind: 'user', id: 'a' })?.calls).toEqual([5]);
    expect(index.people.size).toBe(1);
  });

  test('an id without a call is found when an alias names it, and no other is', () => {
    const index = new IdentityIndex();
    index.add({ id: 1, userId: 'usr_8f21', anonymousId: null, previousId: 'guest_2217' });
    expect(index.find('guest_2217')).toEqual({ kind: 'user', id: 'usr_8f21' });
    expect(index.find('usr_8f21')).toEqual({ kind: 'user', id: 'usr_8f21' });
    expect(index.find('usr')).toBeNull();
    expect(index.person({ kind: 'user', id: 'usr_8f21' })?.userIds).toEqual(['usr_8f21', 'guest_2217']);
    expect(index.person({ kind: 'user', id: 'usr' })).toBeNull();
  });

  test('a renamed anonymous id takes its calls from the person when they are removed', () => {
    const index = new IdentityIndex();
    index.add({ id: 1, userId: null, anonymousId: 'x', previousId: null });
    index.add({ id: 2, userId: 'a', anonymousId: null, previousId: 'x' });
    const seen = () => [...index.people.newestFirst()].map(({ key, oldest, calls }) => [key.id, oldest, calls]);
    expect(seen()).toEqual([['a', 1, 2]]);
    index.remove([1]);
    expect(seen()).toEqual([['a', 2, 1]]);
  });

  test('a user id that is also an anonymous id is found as the user', () => {
    const index = new IdentityIndex();
    index.add({ id: 1, userId: null, anonymousId: 'x', previousId: null });
    expect(index.find('x')).toEqual({ kind: 'anonymous', id: 'x' });
    index.add({ id: 2, userId: 'x', anonymousId: null, previousId: null });
    expect(index.find('x')).toEqual({ kind: 'user', id: 'x' });
  });

  test('an anonymous id goes over where its calls belong to another person', () => {
    const index = new IdentityIndex();
    const on = (id: number, userId: string | null) =>
      index.add({ id, userId, anonymousId: '5e0c91', previousId: null });
    on(1, 'usr_41c0');
    on(2, 'usr_41c0');
    on(3, null);
    on(4, 'usr_8f21');
    expect(index.handOvers('5e0c91')).toEqual([
      { before: { kind: 'user', id: 'usr_41c0' }, after: { kind: 'user', id: 'usr_8f21' }, last: 2, first: 3 },
    ]);
    // They were one person all along.
    index.add({ id: 5, userId: 'usr_8f21', anonymousId: null, previousId: 'usr_41c0' });
    expect(index.handOvers('5e0c91')).toEqual([]);
  });
});

const sameSet =
  (wanted: readonly string[]) =>
  (found: readonly string[]): boolean =>
    JSON.stringify([...found].sort()) === JSON.stringify([...wanted].sort());
