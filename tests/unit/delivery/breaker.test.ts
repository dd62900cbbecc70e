import { describe, expect, test } from 'vitest';
import { Breaker } from '../../../src/core/delivery/breaker.ts';
import type { Outcome } from '../../../src/core/model/vocabulary.ts';
import { OUTCOMES } from '../../../src/core/model/vocabulary.ts';

const RULES = { errors: 3, forgetMs: 1_000 };

function failing(times: readonly number[], outcome: Outcome = 'failed'): Breaker {
  const breaker = new Breaker();
  for (const at of times) breaker.record(RULES, 1, outcome, at);
  return breaker;
}

describe('a webhook that keeps failing', () => {
  test.each([
    [[], 0, true],
    [[0, 1], 1, true],
    [[0, 1, 2], 2, false],
    [[0, 1, 2, 3], 3, false],
    [[0, 1, 2], 1_001, false],
    [[0, 1, 2], 1_002, true],
    [[0, 999, 1_998], 1_999, false],
    [[0, 1_000, 1_001], 1_002, true],
  ])('errors at %j: at %d it may be tried: %s', (times, now, allowed) => {
    expect(failing(times).allows(RULES, 1, now)).toBe(allowed);
  });

  test('is counted from 1 again once it was forgotten', () => {
    const breaker = failing([0, 1, 2]);
    expect(breaker.allows(RULES, 1, 1_002)).toBe(true);
    breaker.record(RULES, 1, 'failed', 1_003);
    expect(breaker.allows(RULES, 1, 1_003)).toBe(true);
  });

  test('is forgotten for good once it was seen to be over, though the clock goes back', () => {
    const breaker = failing([0, 1, 2]);
    expect(breaker.allows(RULES, 1, 1_002)).toBe(true);
    expect(breaker.allows(RULES, 1, 1_001)).toBe(true);
  });

  test('does not keep another one from being tried', () => {
    expect(failing([0, 1, 2]).allows(RULES, 2, 3)).toBe(true);
  });

  test('is tried under rules without a breaker', () => {
    expect(failing([0, 1, 2]).allows(null, 1, 3)).toBe(true);
  });

  test('a success in between takes no error back', () => {
    const breaker = failing([0, 1]);
    breaker.record(RULES, 1, 'accepted', 2);
    breaker.record(RULES, 1, 'failed', 3);
    expect(breaker.allows(RULES, 1, 3)).toBe(false);
  });
});

test.each(OUTCOMES)('%s counts as an error unless it is a success or says nothing of the webhook', (outcome) => {
  const isError = outcome !== 'accepted' && outcome !== 'interrupted';
  expect(failing([0, 1, 2], outcome).allows(RULES, 1, 3)).toBe(!isError);
});
