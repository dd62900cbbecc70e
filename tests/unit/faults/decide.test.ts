import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FaultRule, faultPaths, faultRule, faultRules } from '../../../src/contract/faults.ts';
import { type Draw, decide, type FaultFacts, isFor } from '../../../src/core/faults/decide.ts';
import { Draws, seededRandom } from '../../../src/core/faults/draws.ts';

const when = fc.oneof(
  fc.record({ mode: fc.constant('rate' as const), percent: fc.integer({ min: 0, max: 100 }) }),
  fc.record({ mode: fc.constant('first' as const), requests: fc.integer({ min: 1, max: 5 }) }),
  fc.record({
    mode: fc.constant('burst' as const),
    fail: fc.integer({ min: 1, max: 5 }),
    pass: fc.integer({ min: 1, max: 5 }),
  }),
);
const action = fc.oneof(
  fc.constant({ kind: 'empty' as const }),
  fc.constant({ kind: 'reset' as const, when: 'before' as const }),
  fc.constant({ kind: 'reset' as const, when: 'after' as const }),
  fc.constant({ kind: 'delay' as const, ms: 10 }),
);
const key = fc.option(fc.constantFrom('wk_a', 'wk_b'), { nil: null });
const rule: fc.Arbitrary<FaultRule> = fc.record({
  on: fc.boolean(),
  when,
  action,
  writeKey: key,
  paths: fc.uniqueArray(fc.constantFrom(...faultPaths), { maxLength: 3 }),
  store: fc.constant(false),
});
const facts: fc.Arbitrary<FaultFacts> = fc.record({
  path: fc.constantFrom(...faultPaths),
  writeKey: key,
  stage: fc.constantFrom('head' as const, 'whole' as const),
  keyInHead: fc.boolean(),
});
const draw: fc.Arbitrary<Draw> = fc.record({
  chance: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  before: fc.nat(50),
  beforeOfClient: fc.nat(50),
});

const ruleOf = (part: Partial<FaultRule>): FaultRule => ({
  ...faultRule.parse({ action: { kind: 'empty' } }),
  ...part,
});
const TRACK: FaultFacts = { path: 'track', writeKey: 'wk_a', stage: 'whole', keyInHead: true };
const DRAW: Draw = { chance: 0.5, before: 0, beforeOfClient: 0 };

describe('a decision', () => {
  test('is the first rule that is on, in scope and drawn, and asks chance of no rule after it', () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 6 }),
        facts,
        fc.array(draw, { minLength: 6, maxLength: 6 }),
        (rules, given, draws) => {
          const asked: FaultRule[] = [];
          const chosen = decide(given, rules, (one) => {
            asked.push(one);
            return draws[rules.indexOf(one)]!;
          });
          const inScope = rules.filter((one) => isFor(one, given));
          expect(asked).toEqual(chosen === null ? inScope : inScope.slice(0, inScope.indexOf(chosen) + 1));
          if (chosen === null) return;
          expect(chosen.on).toBe(true);
          expect(chosen.writeKey === null || chosen.writeKey === given.writeKey).toBe(true);
          expect(chosen.paths.length === 0 || chosen.paths.includes(given.path)).toBe(true);
          for (const earlier of inScope.slice(0, inScope.indexOf(chosen)))
            expect(decide(given, [earlier], () => draws[rules.indexOf(earlier)]!)).toBeNull();
        },
      ),
    );
  });

  test('of a request falls at exactly one of its two stages for every rule in scope', () => {
    fc.assert(
      fc.property(rule, facts, (one, given) => {
        const stages = (['head', 'whole'] as const).filter((stage) => isFor(one, { ...given, stage }));
        expect(stages.length).toBeLessThanOrEqual(1);
        const early = one.action.kind === 'reset' && one.action.when === 'before';
        if (stages[0] === 'head') expect(early).toBe(true);
        if (stages[0] === 'whole' && early) expect(one.writeKey !== null && !given.keyInHead).toBe(true);
      }),
    );
  });

  test('without paths is for all that bring calls, and not for settings', () => {
    for (const path of faultPaths) expect(isFor(ruleOf({}), { ...TRACK, path })).toBe(path !== 'settings');
    expect(isFor(ruleOf({ paths: ['settings'] }), { ...TRACK, path: 'settings' })).toBe(true);
  });

  test('at 0 % takes nothing and at 100 % everything', () => {
    fc.assert(
      fc.property(draw, (drawn) => {
        expect(decide(TRACK, [ruleOf({ when: { mode: 'rate', percent: 0 } })], () => drawn)).toBeNull();
        expect(decide(TRACK, [ruleOf({ when: { mode: 'rate', percent: 100 } })], () => drawn)).not.toBeNull();
      }),
    );
  });

  test.each([
    [{ mode: 'first', requests: 2 } as const, [true, true, false, false, false, false]],
    [{ mode: 'burst', fail: 2, pass: 1 } as const, [true, true, false, true, true, false]],
  ])('%o goes by how many came before', (mode, expected) => {
    const one = ruleOf({ when: mode });
    const taken = expected.map(
      (_, n) => decide(TRACK, [one], () => ({ ...DRAW, before: n, beforeOfClient: n })) !== null,
    );
    expect(taken).toEqual(expected);
  });
});

test('the first of each client are counted for each client, whatever others send', () => {
  const one = ruleOf({ when: { mode: 'first', requests: 2 } });
  expect(decide(TRACK, [one], () => ({ chance: 0, before: 900, beforeOfClient: 1 }))).toBe(one);
  expect(decide(TRACK, [one], () => ({ chance: 0, before: 2, beforeOfClient: 2 }))).toBeNull();
});

describe('the sequence', () => {
  test('is the same for the same seed and spreads evenly', () => {
    const first = seededRandom(42);
    const second = seededRandom(42);
    const drawn = Array.from({ length: 10_000 }, () => first.next());
    expect(drawn).toEqual(Array.from({ length: 10_000 }, () => second.next()));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThan(1);
    const tenths = Array.from({ length: 10 }, (_, n) => drawn.filter((u) => Math.floor(u * 10) === n).length);
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(120);
    expect(seededRandom(43).next()).not.toBe(seededRandom(42).next());
  });

  test('counts for each rule and client apart, and forgets the oldest client past its bound', () => {
    const draws = new Draws(seededRandom(1));
    expect(draws.next(1, 'a')).toMatchObject({ before: 0, beforeOfClient: 0 });
    expect(draws.next(1, 'b')).toMatchObject({ before: 1, beforeOfClient: 0 });
    expect(draws.next(1, 'a')).toMatchObject({ before: 2, beforeOfClient: 1 });
    expect(draws.next(2, 'a')).toMatchObject({ before: 0, beforeOfClient: 0 });
    for (let n = 0; n < 1_000; n += 1) draws.next(1, `other ${n}`);
    expect(draws.next(1, 'a')).toMatchObject({ beforeOfClient: 0 });
  });
});

describe('rules as a person writes them', () => {
  test('have defaults for all but what is done', () => {
    expect(faultRules.parse([{ action: { kind: 'status', status: 429 } }])).toEqual([
      {
        on: true,
        when: { mode: 'rate', percent: 100 },
        action: { kind: 'status', status: 429, retryAfter: null, retryAfterForm: 'seconds' },
        writeKey: null,
        paths: [],
        store: false,
      },
    ]);
  });

  test.each([
    [{ action: { kind: 'status', status: 199 } }],
    [{ action: { kind: 'status', status: 600 } }],
    [{ action: { kind: 'stall', ms: 120_001 } }],
    [{ action: { kind: 'delay', ms: 60_001 } }],
    [{ action: { kind: 'content_type', contentType: 'text/html\r\nX: y' } }],
    [{ action: { kind: 'reset', when: 'before' }, store: true }],
    [{ action: { kind: 'empty' }, paths: ['health'] }],
    [{ action: { kind: 'empty' }, when: { mode: 'rate', percent: 101 } }],
  ])('are refused when they are not bounded: %j', (bad) => {
    expect(faultRules.safeParse([bad]).success).toBe(false);
  });

  test('are at most 20, each with an id of its own', () => {
    const one = { action: { kind: 'empty' } } as const;
    expect(faultRules.safeParse(Array.from({ length: 21 }, () => one)).success).toBe(false);
    expect(
      faultRules.safeParse([
        { ...one, id: 1 },
        { ...one, id: 1 },
      ]).success,
    ).toBe(false);
  });
});
