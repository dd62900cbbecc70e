import { expect, test } from 'vitest';
import { prospectOf, triedNext } from '../../../src/core/delivery/prospects.ts';
import type { DeliveryWebhook } from '../../../src/core/delivery/webhooks.ts';
import { PROFILES } from '../../../src/core/model/rules.ts';
import type { Outcome } from '../../../src/core/model/vocabulary.ts';

const RULES = PROFILES.documented;

/** `on declined`: a webhook that is on, and its newest outcome; `-` for none. */
function given(states: readonly string[]): [DeliveryWebhook[], Map<number, Outcome>] {
  const webhooks = states.map((state, i) => ({
    id: i + 1,
    slot: i + 1,
    name: '',
    url: '',
    headers: [],
    enabled: state.startsWith('on'),
  }));
  const entries = states.map((state, i) => [i + 1, state.split(' ')[1] as Outcome | '-'] as const);
  return [webhooks, new Map(entries.filter((entry): entry is [number, Outcome] => entry[1] !== '-'))];
}

test.each([
  [[], 'paused', []],
  [['off -'], 'paused', []],
  [['off declined'], 'paused', []],
  [['on -'], 'open', [1]],
  [['on failed'], 'open', [1]],
  [['on refused_certificate'], 'open', [1]],
  [['on interrupted'], 'open', [1]],
  [['on declined'], 'failed', []],
  [['on declined', 'on failed'], 'open', [2]],
  [['on declined', 'off failed'], 'paused', []],
  [['on declined', 'off interrupted'], 'paused', []],
  [['on declined', 'off declined'], 'failed', []],
  [['on declined', 'off refused_certificate'], 'failed', []],
  [['on declined', 'off -'], 'failed', []],
  [['on declined', 'off declined', 'off throttled'], 'paused', []],
  [['on declined', 'off failed', 'on -'], 'open', [3]],
])('webhooks %j: %s, and another round tries %j', (states, prospect, tried) => {
  const [webhooks, outcomes] = given(states);
  expect(prospectOf(RULES, webhooks, outcomes)).toBe(prospect);
  expect(triedNext(RULES, webhooks, outcomes).map(({ id }) => id)).toEqual(tried);
});

test('rules that retry after a decline leave no webhook out', () => {
  const [webhooks, outcomes] = given(['on declined', 'off declined']);
  expect(triedNext(PROFILES.classic, webhooks, outcomes).map(({ id }) => id)).toEqual([1]);
  expect(prospectOf(PROFILES.classic, webhooks, outcomes)).toBe('open');
});
