/** Random rules, computed traits and calls over a few users, events and values, so that they meet often. */
import fc from 'fast-check';
import type { AudienceRule, RuleNode } from '../../../src/core/model/audience-rule.ts';
import type { Comparison, FieldTest } from '../../../src/core/model/comparison.ts';
import type { TraitDefinition } from '../../../src/core/model/computed-trait.ts';
import { COMPUTED_KINDS, COUNT_OPS, GROUP_MATCHES } from '../../../src/core/model/vocabulary.ts';

export const HOUR = 3_600_000;
export const EVENTS = ['Order Completed', 'Refund Issued', 'Not Seen'] as const;

const scalar = fc.constantFrom<string | number | boolean>('pro', 'free', 'AT', 1, 2, 20, '20', true, false);
const date = fc.constantFrom('2026-01-01', '2026-06-01T12:00:00Z', '2026-02-31');
export const withinMs = fc.constantFrom(null, HOUR, 3 * HOUR, 24 * HOUR);

const comparison = fc.oneof<fc.Arbitrary<Comparison>[]>(
  fc.record({ op: fc.constant('exists' as const) }),
  fc.record({ op: fc.constantFrom('is' as const, 'is_not' as const, 'contains' as const), value: scalar }),
  fc.record({ op: fc.constant('is_one_of' as const), values: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    op: fc.constantFrom('starts_with' as const, 'ends_with' as const),
    value: fc.constantFrom('p', 'o', ''),
  }),
  fc.record({ op: fc.constantFrom('above' as const, 'below' as const), value: fc.integer({ min: 0, max: 21 }) }),
  fc.record({ op: fc.constantFrom('before' as const, 'after' as const), value: date }),
);

const where: fc.Arbitrary<FieldTest[]> = fc.array(
  fc.record({ path: fc.constantFrom('properties.total', 'properties.currency'), test: comparison }),
  { maxLength: 2 },
);

const trait: fc.Arbitrary<RuleNode> = fc.record({
  kind: fc.constant('trait' as const),
  path: fc.constantFrom('plan', 'address.country', 'since'),
  test: comparison,
});
const event: fc.Arbitrary<RuleNode> = fc.record({
  kind: fc.constant('event' as const),
  event: fc.constantFrom(...EVENTS),
  op: fc.constantFrom(...COUNT_OPS),
  times: fc.integer({ min: 0, max: 3 }),
  withinMs,
  where,
});
const match = fc.constantFrom(...GROUP_MATCHES);
const groupOf = (node: fc.Arbitrary<RuleNode>): fc.Arbitrary<RuleNode> =>
  fc.record({ kind: fc.constant('group' as const), match, of: fc.array(node, { minLength: 1, maxLength: 3 }) });
const leaf = fc.oneof(trait, event, event);
const level3 = groupOf(leaf);
const level2 = groupOf(fc.oneof({ arbitrary: leaf, weight: 3 }, { arbitrary: level3, weight: 1 }));

export const rules: fc.Arbitrary<AudienceRule> = fc.record({
  match,
  of: fc.array(fc.oneof({ arbitrary: leaf, weight: 3 }, { arbitrary: level2, weight: 1 }), { maxLength: 3 }),
});

export const traits: fc.Arbitrary<TraitDefinition> = fc.record({
  kind: fc.constantFrom(...COMPUTED_KINDS),
  event: fc.constantFrom(null, ...EVENTS),
  path: fc.constantFrom('properties.total', 'properties.currency'),
  where,
  withinMs,
});

const value = fc.oneof(scalar, fc.constant(null), fc.constant({ deep: 1 }), fc.constant(['pro', 1]));

export const calls = fc.record({
  user: fc.constantFrom('usr_a', 'usr_b', 'usr_c', 'usr_d', 'Usr_a', '\u{1F600}', '\uFF5E'),
  age: fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 0, max: 5 * HOUR })),
  what: fc.oneof(
    fc.record({
      type: fc.constant('identify' as const),
      traits: fc.record(
        {
          plan: value,
          address: fc.oneof(fc.constant(null), fc.record({ country: value })),
          since: fc.constantFrom('2026-03-01', '2025-12-31T23:59:59.999Z', 7),
        },
        { requiredKeys: [] },
      ),
    }),
    fc.record({
      type: fc.constant('track' as const),
      event: fc.constantFrom(...EVENTS.slice(0, 2)),
      properties: fc.record({ total: value, currency: value }, { requiredKeys: [] }),
    }),
    fc.record({ type: fc.constant('page' as const), properties: fc.record({ total: value }, { requiredKeys: [] }) }),
  ),
});
