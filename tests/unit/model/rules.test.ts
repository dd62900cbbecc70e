import { describe, expect, test } from 'vitest';
import {
  asksForAnotherRound,
  isLeftOut,
  PROFILE_NAMES,
  PROFILES,
  profileOf,
  type Retryable,
} from '../../../src/core/model/rules.ts';
import { OUTCOMES } from '../../helpers/outcomes.ts';

describe('profiles', () => {
  test('the documented one has the rules of decisions, Delivery', () => {
    expect(PROFILES.documented).toEqual({
      body: 'documented',
      userAgent: 'Hookbench/1.0',
      signature: 'x-signature',
      timeoutMs: 5_000,
      retry: { baseMs: 10_000, factor: 2, maxMs: 1_200_000, windowMs: 14_400_000, jitter: 0.2, seed: 1 },
      retryOn: ['failed', 'timed_out', 'no_connection', 'throttled'],
      retryAfter: true,
      redirects: 'decline',
      breaker: null,
    });
  });

  test.each(PROFILE_NAMES)('%s is known again, whatever its seed and the order of its outcomes', (name) => {
    const rules = PROFILES[name];
    expect(profileOf(rules)).toBe(name);
    expect(profileOf({ ...rules, retry: { ...rules.retry, seed: 99 }, retryOn: rules.retryOn.toReversed() })).toBe(
      name,
    );
  });

  test.each([
    { timeoutMs: 4_000 },
    { userAgent: 'me' },
    { retryAfter: false },
    { retryOn: [] },
    { breaker: { errors: 1, forgetMs: 1 } },
    { retry: { ...PROFILES.documented.retry, windowMs: 1 } },
    { retry: { ...PROFILES.documented.retry, waitsMs: [1] } },
  ])("%j makes the rules nobody else's", (over) => {
    expect(profileOf({ ...PROFILES.documented, ...over })).toBe('own');
  });
});

test('another round is asked for by what the rules name and by an interruption, never by a success', () => {
  const asked = (retryOn: readonly Retryable[]) =>
    OUTCOMES.filter((outcome) => asksForAnotherRound({ retryOn }, outcome));
  expect(asked([])).toEqual(['interrupted']);
  expect(asked([...PROFILES.documented.retryOn])).toEqual([
    'failed',
    'timed_out',
    'no_connection',
    'throttled',
    'interrupted',
  ]);
  expect(asked(PROFILES.classic.retryOn)).not.toContain('accepted');
});

test('only what declined is left out of later rounds, and only where it is not tried again', () => {
  expect(OUTCOMES.filter((outcome) => isLeftOut(PROFILES.documented, outcome))).toEqual(['declined']);
  expect(OUTCOMES.filter((outcome) => isLeftOut(PROFILES.classic, outcome))).toEqual([]);
});
