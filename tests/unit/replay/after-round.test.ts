/** What follows a round of a replay, as a table. */
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../../src/core/model/rules.ts';
import type { Outcome } from '../../../src/core/model/vocabulary.ts';
import { type AfterReplayRound, afterReplayRound, retryUntil } from '../../../src/core/replay/after-round.ts';

const rules = { ...PROFILES.documented, retry: { ...PROFILES.documented.retry, jitter: 0 } };
const HOUR = 3_600_000;

function outcomeOf(outcomes: readonly Outcome[], over: { until?: number | null; inTurn?: boolean; now?: number } = {}) {
  const results = outcomes.map((outcome, i) => ({ webhookId: i + 1, outcome }));
  const { until = 4 * HOUR, inTurn = false, now = 0 } = over;
  return afterReplayRound(rules, {
    messageRow: 1,
    round: 1,
    results,
    untilAccepted: inTurn,
    retryUntil: until,
    now,
  });
}
const again = (...webhookIds: number[]): AfterReplayRound => ({ end: null, dueAt: 10_000, webhookIds });

describe('after a round of a replay', () => {
  test.each<[string, AfterReplayRound, AfterReplayRound]>([
    ['all accepted', outcomeOf(['accepted', 'accepted']), { end: 'done' }],
    ['nothing is tried again without retries', outcomeOf(['failed'], { until: null }), { end: 'done' }],
    ['only what failed is tried again', outcomeOf(['accepted', 'failed', 'timed_out']), again(2, 3)],
    ['one success is enough in turn', outcomeOf(['failed', 'accepted'], { inTurn: true }), { end: 'done' }],
    ['none is not', outcomeOf(['failed', 'failed'], { inTurn: true }), again(1, 2)],
    ['what declined is left out', outcomeOf(['declined', 'failed']), again(2)],
    ['when all declined, nothing is left', outcomeOf(['accepted', 'declined']), { end: 'done' }],
    ['the next round would be too late', outcomeOf(['failed'], { now: 4 * HOUR - 9_999 }), { end: 'expired' }],
    [
      'the next round is just in time',
      outcomeOf(['failed'], { now: 4 * HOUR - 10_000 }),
      { end: null, dueAt: 4 * HOUR, webhookIds: [1] },
    ],
    ['what Hookbench did not send ends it', outcomeOf(['failed', 'interrupted']), { end: 'interrupted' }],
  ])('%s', (_, got, wanted) => {
    expect(got).toEqual(wanted);
  });

  test('the window is that of the rules, from the first attempt', () => {
    expect(retryUntil({ untilAccepted: false, retries: true }, rules.retry, 5)).toBe(4 * HOUR + 5);
    expect(retryUntil({ untilAccepted: true, retries: false }, rules.retry, 5)).toBeNull();
  });
});
