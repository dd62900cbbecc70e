import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  asksForAnotherRound,
  type DeliveryRules,
  isLeftOut,
  PROFILES,
  profileOf,
  rulesOf,
} from '../../../src/core/model/rules.ts';
import { OUTCOMES, PROFILE_NAMES, type Retryable } from '../../../src/core/model/vocabulary.ts';

const PAGE = new URL('../../../docs/config.md', import.meta.url);

describe('profiles', () => {
  test('the documented one has the rules that docs/config.md gives as the defaults', () => {
    const [, file = ''] = /```json\n(.*?)\n```/s.exec(readFileSync(PAGE, 'utf8')) ?? [];
    const { webhooks } = JSON.parse(file) as { webhooks: DeliveryRules };
    expect(PROFILES.documented).toEqual(rulesOf(webhooks));
  });

  const { documented } = PROFILES;
  const all = ['failed', 'timed_out', 'no_connection', 'throttled', 'declined', 'refused_certificate'];

  test('classic does what the code of that destination was seen to do', () => {
    expect(PROFILES.classic).toEqual({
      ...documented,
      body: 'pass-through',
      userAgent: 'Segment.io/1.0',
      timeoutMs: 3_000,
      retryOn: all,
      retryAfter: false,
      breaker: { errors: 25, forgetMs: 180_000 },
    });
  });

  test('actions too', () => {
    expect(PROFILES.actions).toEqual({
      ...documented,
      body: 'pass-through',
      userAgent: 'Segment (Actions)',
      timeoutMs: 10_000,
      retryAfter: false,
      redirects: 'follow',
    });
  });

  test('standard webhooks has the example schedule of that specification: 10 tries in about 76 h', () => {
    const waitsMs = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1_000);
    expect(PROFILES['standard-webhooks']).toEqual({
      ...documented,
      signature: 'standard-webhooks',
      timeoutMs: 20_000,
      retry: { ...documented.retry, windowMs: 360_000_000, waitsMs },
      retryOn: all,
    });
  });

  test('are four, and rules differ from the settings beside them', () => {
    expect(PROFILE_NAMES).toEqual(['documented', 'classic', 'actions', 'standard-webhooks']);
    expect(rulesOf({ ...documented, destinationEnabled: true } as DeliveryRules)).toEqual(documented);
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
    { body: 'pass-through' as const },
    { signature: 'standard-webhooks' as const },
    { redirects: 'follow' as const },
    { retry: { ...PROFILES.documented.retry, baseMs: 1 } },
    { retry: { ...PROFILES.documented.retry, factor: 3 } },
    { retry: { ...PROFILES.documented.retry, maxMs: 1 } },
    { retry: { ...PROFILES.documented.retry, jitter: 0 } },
    { retryOn: ['failed', 'timed_out', 'no_connection', 'throttled', 'declined'] as Retryable[] },
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

test('outcomes named in the rules and interruptions lead to another round, successes never do', () => {
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
