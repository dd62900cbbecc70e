import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PassingMap, PassingSet } from '../../../src/core/delivery/passing.ts';

describe('a passing set', () => {
  it('gives each value a place until it is removed, and uses the place again', () => {
    const set = new PassingSet<string>();
    const [a, b] = [set.add('a'), set.add('b')];
    expect([set.at(a), set.at(b), set.all()]).toEqual(['a', 'b', ['a', 'b']]);
    set.remove(a);
    expect([set.at(a), set.all()]).toEqual([undefined, ['b']]);
    expect(set.add('c')).toBe(a);
    expect(set.all().toSorted()).toEqual(['b', 'c']);
  });

  it('keeps a value that is replaced in its place', () => {
    const set = new PassingSet<string>();
    const place = set.add('a');
    set.replace(place, 'b');
    expect(set.all()).toEqual(['b']);
  });

  it('needs no more places than it ever held values at once', () => {
    const set = new PassingSet<number>();
    const places = new Set<number>();
    for (let n = 0; n < 100; n++) {
      const [first, second] = [set.add(n), set.add(n)];
      places.add(first).add(second);
      set.remove(first);
      set.remove(second);
    }
    expect([...places].toSorted()).toEqual([0, 1]);
  });
});

describe('a passing map', () => {
  const key = fc.nat(8);
  const step = fc.oneof(
    fc.record({ do: fc.constant('set' as const), key }),
    fc.record({ do: fc.constant('take' as const), key }),
    fc.record({ do: fc.constant('takeFirst' as const) }),
    fc.record({ do: fc.constant('clear' as const) }),
  );

  it('holds what a Map holds, in its order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const map = new PassingMap<number>();
        const known = new Map<number, number>();
        for (const [n, one] of steps.entries()) {
          if (one.do === 'set') {
            map.set(one.key, n);
            known.set(one.key, n);
          } else if (one.do === 'take') {
            expect(map.take(one.key)).toBe(known.get(one.key));
            known.delete(one.key);
          } else if (one.do === 'takeFirst') {
            const first = known.entries().next().value;
            expect(map.takeFirst()).toBe(first?.[1]);
            if (first !== undefined) known.delete(first[0]);
          } else {
            map.clear();
            known.clear();
          }
          expect([map.size, map.all()]).toEqual([known.size, [...known.values()]]);
          for (let k = 0; k <= 8; k++) expect([map.has(k), map.get(k)]).toEqual([known.has(k), known.get(k)]);
        }
      }),
    );
  });
});
