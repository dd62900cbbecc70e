import { describe, expect, test } from 'vitest';
import { audienceRule } from '../../../src/contract/people.ts';
import {
  type AudienceRule,
  comingChanges,
  compileRule,
  countAt,
  evaluateRule,
  explainRule,
  isIn,
  leaveOf,
  type RuleFacts,
  type RuleNode,
  ruleSentence,
  whereSentence,
  withinSentence,
} from '../../../src/core/model/audience-rule.ts';
import { allOf, compare, testSentence } from '../../../src/core/model/comparison.ts';
import { pathReader } from '../../../src/core/model/field-path.ts';

const DAY = 86_400_000;

const trait = (path: string, value: string): RuleNode => ({ kind: 'trait', path, test: { op: 'is', value } });
const event = (
  name: string,
  op: 'at_least' | 'at_most' | 'exactly',
  times: number,
  withinMs: number | null = 7 * DAY,
) => ({ kind: 'event', event: name, op, times, withinMs, where: [] }) as const;

/** The rule of the drawing: all of country, orders, any of plan and newsletter, none of refund and staff. */
const drawn: AudienceRule = {
  match: 'all',
  of: [
    { kind: 'trait', path: 'address.country', test: { op: 'is_one_of', values: ['AT', 'DE'] } },
    {
      ...event('Order Completed', 'at_least', 3),
      where: [{ path: 'properties.total', test: { op: 'above', value: 20 } }],
    },
    {
      kind: 'group',
      match: 'any',
      of: [trait('plan', 'pro'), { kind: 'trait', path: 'newsletter', test: { op: 'is', value: true } }],
    },
    {
      kind: 'group',
      match: 'none',
      of: [
        event('Refund Issued', 'at_least', 1, 30 * DAY),
        { kind: 'trait', path: 'email', test: { op: 'ends_with', value: '@acme.example' } },
        { kind: 'group', match: 'all', of: [trait('a', 'b')] },
      ],
    },
  ],
};

/** Facts with the times of each event condition, in the order of the rule. */
function factsOf(rule: AudienceRule, traits: RuleFacts['traits'], ...times: number[][]): RuleFacts {
  const { events } = compileRule(rule);
  return { traits, times: (node) => times[events.indexOf(node)] ?? [] };
}

describe('the parts of a rule', () => {
  test('are numbered with numbers and letters in turn', () => {
    expect(compileRule(drawn).nodes.map(({ id }) => id)).toEqual([
      '',
      '1',
      '2',
      '3',
      '3a',
      '3b',
      '4',
      '4a',
      '4b',
      '4c',
      '4c1',
    ]);
    const wide = {
      match: 'all',
      of: [{ kind: 'group', match: 'any', of: Array.from({ length: 28 }, () => trait('a', 'b')) }],
    } as const;
    expect(
      compileRule(wide)
        .nodes.slice(-3)
        .map(({ id }) => id),
    ).toEqual(['1z', '1aa', '1ab']);
  });

  test('make one sentence', () => {
    expect(ruleSentence(drawn)).toBe(
      'All of: address.country is one of AT, DE; ' +
        'Order Completed at least 3 times in the last 7 days where properties.total is above 20; ' +
        'any of (plan is pro; newsletter is true); ' +
        'none of (Refund Issued at least 1 time in the last 30 days; email ends with @acme.example; all of (a is b))',
    );
    expect(
      ruleSentence({ match: 'all', of: [event('E', 'at_most', 2, null), event('E', 'exactly', 0, 3_600_000)] }),
    ).toBe('All of: E at most 2 times; E exactly 0 times in the last hour');
    expect(ruleSentence({ match: 'none', of: [] })).toBe('Nobody.');
  });

  test.each([
    [null, ''],
    [86_400_000, ' in the last day'],
    [172_800_000, ' in the last 2 days'],
    [90_000_000, ' in the last 25 hours'],
    [3_660_000, ' in the last 61 minutes'],
    [60_000, ' in the last minute'],
    [61_000, ' in the last 61 seconds'],
    [1_001, ' in the last 1001 milliseconds'],
  ])('say %j milliseconds in the longest unit that divides them', (withinMs, words) => {
    expect(withinSentence(withinMs)).toBe(words);
  });

  test('join the tests of a call with and', () => {
    const where = [
      { path: 'a', test: { op: 'exists' } },
      { path: 'b', test: { op: 'below', value: 2 } },
    ] as const;
    expect([whereSentence(where), whereSentence([])]).toEqual([' where a exists and b is below 2', '']);
  });
});

describe('a rule', () => {
  const now = 100 * DAY;
  const orders = [now - 6 * DAY, now - 2 * DAY, now - DAY];

  test('without conditions has nobody, whatever its kind', () => {
    for (const match of ['all', 'any', 'none'] as const)
      expect(isIn(evaluateRule(compileRule({ match, of: [] }), factsOf({ match, of: [] }, {}), now))).toBe(false);
  });

  test('says who is in, and the first condition that keeps a person out', () => {
    const rule = compileRule(drawn);
    const why = (traits: RuleFacts['traits'], ...times: number[][]) => {
      const { isIn: member, firstFailing } = explainRule(rule, factsOf(drawn, traits, ...times), now);
      return member || firstFailing;
    };
    const good = { address: { country: 'AT' }, plan: 'pro' };
    expect(why(good, orders)).toBe(true);
    expect(why(null, orders)).toBe('1');
    expect(why({ ...good, address: null }, orders)).toBe('1');
    expect(why(good, orders.slice(1))).toBe('2');
    expect(why({ ...good, plan: 'free' }, orders)).toBe('3');
    expect(why(good, orders, [now - DAY])).toBe('4a');
    expect(why({ ...good, email: 'x@acme.example' }, orders)).toBe('4b');
    expect(why({ ...good, a: 'b' }, orders)).toBe('4c');
  });

  test.each([
    ['at_least', 2, [false, true, true]],
    ['at_most', 2, [true, true, false]],
    ['exactly', 2, [false, true, false]],
  ] as const)('counts %s %i', (op, times, expected) => {
    const rule: AudienceRule = { match: 'all', of: [event('E', op, times, null)] };
    const holds = [1, 2, 3].map((n) => evaluateRule(compileRule(rule), factsOf(rule, null, orders.slice(0, n)), now));
    expect(holds.map(isIn)).toEqual(expected);
  });

  test.each([
    ['all', [false, false, true]],
    ['any', [false, true, true]],
    ['none', [true, false, false]],
  ] as const)('of which %s must hold', (match, expected) => {
    const rule: AudienceRule = { match, of: [trait('a', 'x'), trait('b', 'x')] };
    const holds = [{}, { b: 'x' }, { a: 'x', b: 'x' }].map((traits) =>
      isIn(evaluateRule(compileRule(rule), factsOf(rule, traits), now)),
    );
    expect(holds).toEqual(expected);
  });

  test('names what keeps a person out as deep as one part can be named', () => {
    const why = (rule: AudienceRule, traits: RuleFacts['traits']) =>
      explainRule(compileRule(rule), factsOf(rule, traits), now).firstFailing;
    const inner: RuleNode = { kind: 'group', match: 'all', of: [trait('a', 'x'), trait('b', 'x')] };
    expect(why({ match: 'all', of: [inner] }, { a: 'x' })).toBe('1b');
    expect(why({ match: 'none', of: [trait('a', 'x'), inner] }, { a: 'x' })).toBe('1');
    expect(why({ match: 'none', of: [trait('c', 'x'), inner] }, { a: 'x', b: 'x' })).toBe('2');
    expect(why({ match: 'any', of: [trait('a', 'x')] }, {})).toBeNull();
    expect(why({ match: 'all', of: [] }, {})).toBeNull();
    expect(why({ match: 'all', of: [trait('a', 'x')] }, { a: 'x' })).toBeNull();
  });

  test('explains each part with what it found', () => {
    const { nodes } = explainRule(compileRule(drawn), factsOf(drawn, { plan: 'pro' }, orders), now);
    expect(nodes.slice(0, 4)).toEqual([
      { id: '1', holds: false, value: undefined },
      { id: '2', holds: true, count: 3, oldestAt: now - 6 * DAY },
      { id: '3', holds: true },
      { id: '3a', holds: true, value: 'pro' },
    ]);
    const nobody = explainRule(compileRule(drawn), factsOf(drawn, null, [now - 8 * DAY]), now);
    expect([nobody.isIn, nobody.nodes[0], nobody.nodes[1]]).toEqual([
      false,
      { id: '1', holds: false, value: undefined },
      { id: '2', holds: false, count: 0, oldestAt: null },
    ]);
    expect(nobody.nodes).toHaveLength(10);
  });

  test('counts a call until it is as old as the window, to the millisecond', () => {
    expect(countAt([0, 10], 5, 4)).toBe(2);
    expect(countAt([0, 10], 5, 5)).toBe(1);
    expect(countAt([0, 10], 5, 15)).toBe(0);
    expect(countAt([0, 10], null, 1e12)).toBe(2);
  });

  test('knows when it changes by time alone', () => {
    const changes = (op: 'at_least' | 'at_most' | 'exactly', times: number, at = 50): number[] => {
      const rule: AudienceRule = { match: 'all', of: [event('E', op, times, 100)] };
      return comingChanges(compileRule(rule), factsOf(rule, null, [10, 20, 30]), at);
    };
    expect(changes('at_least', 1)).toEqual([130]);
    expect(changes('at_least', 3)).toEqual([110]);
    expect(changes('at_least', 4)).toEqual([]);
    expect(changes('at_least', 0)).toEqual([]);
    expect(changes('at_most', 0)).toEqual([130]);
    expect(changes('at_most', 2)).toEqual([110]);
    expect(changes('exactly', 1)).toEqual([120, 130]);
    expect(changes('at_least', 3, 109)).toEqual([110]);
    expect(changes('at_least', 3, 110)).toEqual([]);
    const forever: AudienceRule = { match: 'all', of: [event('E', 'at_least', 1, null)] };
    expect(comingChanges(compileRule(forever), factsOf(forever, null, [60]), 50)).toEqual([]);
  });

  test('knows who leaves when, past changes that keep the person in, and by which condition', () => {
    const rule: AudienceRule = { match: 'any', of: [event('A', 'at_least', 1, 100), event('B', 'at_least', 1, 100)] };
    const leave = (a: number[], b: number[], at = 50) => leaveOf(compileRule(rule), factsOf(rule, null, a, b), at);
    expect(leave([10], [30])).toEqual({ at: 130, id: '2' });
    expect(leave([40], [30])).toEqual({ at: 140, id: '1' });
    expect(leave([], [])).toBeNull();
    const both: AudienceRule = { match: 'all', of: [event('A', 'at_least', 1, 100), trait('plan', 'pro')] };
    expect(leaveOf(compileRule(both), factsOf(both, { plan: 'pro' }, [10]), 50)).toEqual({ at: 110, id: '1' });
    expect(leaveOf(compileRule(both), factsOf(both, { plan: 'free' }, [10]), 50)).toBeNull();
    const forever: AudienceRule = { match: 'all', of: [trait('plan', 'pro')] };
    expect(leaveOf(compileRule(forever), factsOf(forever, { plan: 'pro' }), 0)).toBeNull();
    const either: AudienceRule = { match: 'any', of: [trait('plan', 'pro'), event('A', 'at_least', 1, 100)] };
    expect(leaveOf(compileRule(either), factsOf(either, { plan: 'pro' }, [10]), 50)).toBeNull();
    const nested: AudienceRule = { match: 'all', of: [{ kind: 'group', ...rule }] };
    expect(leaveOf(compileRule(nested), factsOf(nested, null, [10], [30]), 50)).toEqual({ at: 130, id: '1b' });
  });
});

describe('a comparison', () => {
  test.each([
    [{ op: 'is', value: 5 }, 5, true],
    [{ op: 'is', value: 5 }, '5', false],
    [{ op: 'is_not', value: 5 }, undefined, true],
    [{ op: 'is_not', value: 5 }, 5, false],
    [{ op: 'exists' }, null, false],
    [{ op: 'exists' }, false, true],
    [{ op: 'exists' }, undefined, false],
    [{ op: 'is_one_of', values: ['a', 1] }, 1, true],
    [{ op: 'is_one_of', values: ['a', 1] }, '1', false],
    [{ op: 'contains', value: 'b' }, 'abc', true],
    [{ op: 'contains', value: 'B' }, 'abc', false],
    [{ op: 'contains', value: 2 }, [1, 2], true],
    [{ op: 'contains', value: 2 }, '12', false],
    [{ op: 'contains', value: 2 }, 12, false],
    [{ op: 'contains', value: '2' }, 12, false],
    [{ op: 'contains', value: '2' }, [1, 2], false],
    [{ op: 'starts_with', value: 'a' }, 'abc', true],
    [{ op: 'starts_with', value: 'c' }, 'abc', false],
    [{ op: 'starts_with', value: '1' }, 12, false],
    [{ op: 'ends_with', value: 'a' }, 'abc', false],
    [{ op: 'ends_with', value: 'c' }, 'abc', true],
    [{ op: 'ends_with', value: '2' }, 12, false],
    [{ op: 'above', value: 20 }, 20, false],
    [{ op: 'above', value: 20 }, 20.1, true],
    [{ op: 'above', value: 20 }, '21', false],
    [{ op: 'below', value: 20 }, 19.9, true],
    [{ op: 'below', value: 20 }, 20, false],
    [{ op: 'below', value: 20 }, '19', false],
    [{ op: 'is', value: 5 }, 6, false],
    [{ op: 'is_not', value: 5 }, 6, true],
    [{ op: 'before', value: '2026-01-01' }, '2025-12-31T23:59:59Z', true],
    [{ op: 'before', value: '2026-01-01' }, '2026-01-01', false],
    [{ op: 'after', value: '2026-01-01' }, '2026-01-01T00:00:00.001Z', true],
    [{ op: 'after', value: '2026-01-01' }, '2026-01-01', false],
    [{ op: 'after', value: '2026-01-01' }, '2025-12-31', false],
    [{ op: 'before', value: '2026-01-01' }, '2026-01-02', false],
    [{ op: 'after', value: '1960-01-01' }, 'soon', false],
    [{ op: 'before', value: '2026-01-01' }, 'soon', false],
    [{ op: 'after', value: 'soon' }, '2026-01-01', false],
    [{ op: 'before', value: 'soon' }, '1960-01-01', false],
    [{ op: 'after', value: '2026-01-01' }, 1_800_000_000, false],
  ] as const)('%j of %j is %j', (wanted, actual, holds) => {
    expect(compare(wanted, actual)).toBe(holds);
  });

  test('all of several must hold', () => {
    const both = allOf([
      { path: 'a.b', test: { op: 'exists' } },
      { path: 'c', test: { op: 'is', value: 1 } },
    ]);
    expect([both({ a: { b: 0 }, c: 1 }), both({ a: { b: 0 } }), both({ c: 1 }), allOf([])({})]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test.each([
    [{ op: 'is', value: 5 }, 'p is 5'],
    [{ op: 'is_not', value: true }, 'p is not true'],
    [{ op: 'is_one_of', values: ['a', 2] }, 'p is one of a, 2'],
    [{ op: 'contains', value: 'b' }, 'p contains b'],
    [{ op: 'starts_with', value: 'a' }, 'p starts with a'],
    [{ op: 'ends_with', value: 'a' }, 'p ends with a'],
    [{ op: 'above', value: 20 }, 'p is above 20'],
    [{ op: 'below', value: 20 }, 'p is below 20'],
    [{ op: 'exists' }, 'p exists'],
    [{ op: 'before', value: '2026' }, 'p is before 2026'],
    [{ op: 'after', value: '2026' }, 'p is after 2026'],
  ] as const)('%j reads %s', (wanted, sentence) => {
    expect(testSentence({ path: 'p', test: wanted })).toBe(sentence);
  });

  test('finds a value by its path, also where a key has dots, and only own keys', () => {
    const object = JSON.parse(
      '{"a":{"b":{"c":1}},"a.b":{"d":2},"x.y.z":3,"__proto__":{"p":4},"n":null,"l":[1],"k.l":{"m.n":5}}',
    );
    const at = (path: string): unknown => pathReader(path)(object);
    expect([at('a.b.c'), at('a.b.d'), at('x.y.z'), at('__proto__.p'), at('n'), at('n.m')]).toEqual([
      1,
      2,
      3,
      4,
      null,
      undefined,
    ]);
    expect([at('missing'), at('a.b.x'), at('l.0'), at('x.y'), at('a.')]).toEqual(Array(5).fill(undefined));
    expect([at('a'), at('k.l.m.n')]).toEqual([{ b: { c: 1 } }, 5]);
    expect(pathReader('a.b')({ '': { '.b': 7, b: 8 }, 'a.': { '': 9, b: 9 } })).toBeUndefined();
    expect([at('constructor'), at('a.constructor'), at('toString.name')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the contract', () => {
  test('takes the rule as it is', () => {
    expect(audienceRule.parse(drawn)).toEqual(drawn);
  });

  test('takes groups on three levels and 31 parts, and no more', () => {
    const deep = (levels: number): unknown =>
      levels === 0 ? trait('a', 'b') : { kind: 'group', match: 'all', of: [deep(levels - 1)] };
    expect(audienceRule.safeParse({ match: 'all', of: [deep(2)] }).success).toBe(true);
    expect(audienceRule.safeParse({ match: 'all', of: [deep(3)] }).success).toBe(false);
    const wide = (count: number): unknown => ({
      match: 'all',
      of: Array.from({ length: count }, () => trait('a', 'b')),
    });
    expect(audienceRule.safeParse(wide(31)).success).toBe(true);
    expect(audienceRule.safeParse(wide(32)).success).toBe(false);
  });

  test('fills all 31 parts of a rule with bits of their own', () => {
    const of = Array.from({ length: 31 }, (_, i) => trait(`t${i}`, 'b'));
    const rule = compileRule({ match: 'all', of });
    const traits = Object.fromEntries(of.map((_, i) => [`t${i}`, 'b']));
    expect(isIn(evaluateRule(rule, factsOf({ match: 'all', of }, traits), 0))).toBe(true);
    expect(isIn(evaluateRule(rule, factsOf({ match: 'all', of }, { ...traits, t30: 'c' }), 0))).toBe(false);
  });
});
