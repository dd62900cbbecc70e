import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nominalWait, waitAfterRound } from '../../../src/core/model/backoff.ts';
import { asksForAnotherRound, PROFILES, type RetryRules } from '../../../src/core/model/rules.ts';
import {
  type AfterRoundRules,
  afterRound,
  LAST_CHANCE_MS,
  mayStart,
  plannedRounds,
  type RoundResult,
  windowEnd,
} from '../../../src/core/model/schedule.ts';
import { OUTCOMES, type Outcome } from '../../../src/core/model/vocabulary.ts';

const rules: RetryRules = { baseMs: 10_000, factor: 2, maxMs: 1_200_000, windowMs: 14_400_000, jitter: 0.2, seed: 7 };
const documented = { ...PROFILES.documented, retry: rules };
const START = Date.UTC(2025, 0, 15, 12, 0, 0);
function move(
  outcomes: readonly Outcome[],
  { round = 1, now = START + 5000, retryAfterMs = null as number | null } = {},
) {
  const results = outcomes.map((outcome, index) => ({ webhookId: index + 1, outcome, retryAfterMs }));
  return afterRound(documented, { messageRow: 42, round, results, windowEndsAt: windowEnd(rules, START), now });
}

describe('after a round', () => {
  it('one 2xx makes the message delivered, whatever the others said', () => {
    for (const other of OUTCOMES) expect(move([other, 'accepted'])).toEqual({ state: 'delivered' });
  });

  it.each(['failed', 'timed_out', 'no_connection', 'throttled', 'interrupted'] as const)(
    '%s asks for another round',
    (outcome) => {
      expect(move([outcome])).toMatchObject({ state: 'retrying', round: 2, webhookIds: [1] });
    },
  );

  it.each(['declined', 'refused_certificate'] as const)('%s alone makes the message failed', (outcome) => {
    expect(move([outcome, outcome])).toEqual({ state: 'failed' });
  });

  it('a round without webhooks makes the message failed', () => {
    expect(move([])).toEqual({ state: 'failed' });
  });

  it('leaves out who declined and checks refused certificates again', () => {
    expect(move(['declined', 'failed', 'refused_certificate', 'timed_out'])).toMatchObject({ webhookIds: [2, 3, 4] });
  });

  it('waits as the backoff says', () => {
    const now = START + 70_000;
    expect(move(['failed'], { round: 3, now })).toEqual({
      state: 'retrying',
      round: 4,
      dueAt: now + waitAfterRound(rules, 42, 3)!,
      webhookIds: [1],
      lengthened: false,
    });
  });

  it('is due at once when Hookbench interrupted it', () => {
    const now = START + 70_000;
    expect(move(['interrupted', 'failed'], { now, retryAfterMs: 60_000 })).toMatchObject({
      dueAt: now,
      lengthened: false,
    });
  });
});

describe('Retry-After', () => {
  const now = START + 5000;

  it('lengthens the wait', () => {
    expect(move(['throttled'], { now, retryAfterMs: 300_000 })).toMatchObject({
      dueAt: now + 300_000,
      lengthened: true,
    });
  });

  it('never shortens it', () => {
    const due = now + waitAfterRound(rules, 42, 1)!;
    for (const retryAfterMs of [0, 1000]) {
      expect(move(['throttled'], { now, retryAfterMs })).toMatchObject({ dueAt: due, lengthened: false });
    }
  });

  it('beyond the window leaves one last round inside it', () => {
    for (const retryAfterMs of [rules.windowMs, 1e12, Number.MAX_SAFE_INTEGER]) {
      expect(move(['failed'], { now, retryAfterMs })).toMatchObject({
        dueAt: windowEnd(rules, START) - LAST_CHANCE_MS,
        lengthened: true,
      });
    }
  });

  it('of a webhook that asks for no round does not count', () => {
    const results = [
      { webhookId: 1, outcome: 'declined', retryAfterMs: 900_000 },
      { webhookId: 2, outcome: 'failed' },
    ] as const;
    const next = afterRound(documented, {
      messageRow: 42,
      round: 1,
      results,
      windowEndsAt: windowEnd(rules, START),
      now,
    });
    expect(next).toMatchObject({ lengthened: false, webhookIds: [2] });
  });
});

describe('other rules', () => {
  const outcome = (over: Partial<AfterRoundRules>, results: readonly RoundResult[], round = 1) =>
    afterRound(
      { ...documented, ...over },
      { messageRow: 42, round, results, windowEndsAt: windowEnd(rules, START), now: START },
    );

  it('that heed no Retry-After do not lengthen the wait', () => {
    const due = START + waitAfterRound(rules, 42, 1)!;
    expect(outcome({ retryAfter: false }, [{ webhookId: 1, outcome: 'failed', retryAfterMs: 300_000 }])).toMatchObject({
      dueAt: due,
      lengthened: false,
    });
  });

  it('with a list of waits end after the last one', () => {
    const retry = { ...rules, waitsMs: [1_000, 2_000], jitter: 0 };
    const failed = [{ webhookId: 1, outcome: 'failed' }] as const;
    expect(outcome({ retry }, failed, 2)).toMatchObject({ round: 3, dueAt: START + 2_000 });
    expect(outcome({ retry }, failed, 3)).toEqual({ state: 'expired' });
  });

  it('that try again what declined keep its webhook', () => {
    const results = [
      { webhookId: 1, outcome: 'declined' },
      { webhookId: 2, outcome: 'failed' },
    ] as const;
    expect(outcome({ retryOn: ['declined', 'failed'] }, results)).toMatchObject({ webhookIds: [1, 2] });
  });

  it('the longest Retry-After of a round counts', () => {
    const results = [60_000, 300_000, 120_000].map((retryAfterMs, at) => ({
      webhookId: at,
      outcome: 'throttled' as const,
      retryAfterMs,
    }));
    expect(outcome({}, results)).toMatchObject({ dueAt: START + 300_000, lengthened: true });
  });

  it('a Retry-After near the end leaves a minute before it', () => {
    expect(LAST_CHANCE_MS).toBe(60_000);
    const end = windowEnd(rules, START) - START;
    for (const [asked, due] of [
      [end - LAST_CHANCE_MS - 1, end - LAST_CHANCE_MS - 1],
      [end - LAST_CHANCE_MS + 1, end - LAST_CHANCE_MS],
    ] as const) {
      expect(outcome({}, [{ webhookId: 1, outcome: 'failed', retryAfterMs: asked }])).toMatchObject({
        dueAt: START + due,
      });
    }
  });
});

describe('the window', () => {
  const end = windowEnd(rules, START);
  const lastStart = end - waitAfterRound(rules, 42, 20)!;

  it('lets a round start at its very end, and expires one millisecond later', () => {
    expect(move(['failed'], { round: 20, now: lastStart })).toMatchObject({ state: 'retrying', dueAt: end });
    expect(move(['failed'], { round: 20, now: lastStart + 1 })).toEqual({ state: 'expired' });
    expect(mayStart(end, end)).toBe(true);
    expect(mayStart(end, end + 1)).toBe(false);
    expect(mayStart(null, end + 1)).toBe(true);
  });

  it('is over after a long sleep: what would be due at once expires', () => {
    expect(move(['interrupted'], { now: end })).toMatchObject({ state: 'retrying', dueAt: end });
    expect(move(['interrupted'], { now: end + 1 })).toEqual({ state: 'expired' });
  });

  it('does not keep a delivered or declined message from its own end', () => {
    expect(move(['accepted'], { now: end + 1 })).toEqual({ state: 'delivered' });
    expect(move(['declined'], { now: end + 1 })).toEqual({ state: 'failed' });
  });

  it('holds for all outcomes, times and Retry-After values', () => {
    const result = fc.record({
      webhookId: fc.integer({ min: 1, max: 5 }),
      outcome: fc.constantFrom(...OUTCOMES),
      retryAfterMs: fc.option(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
    });
    fc.assert(
      fc.property(
        fc.array(result, { maxLength: 5 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 20_000_000 }),
        (results, round, afterMs) => {
          const now = START + afterMs;
          const next = afterRound(documented, {
            messageRow: 9,
            round,
            results,
            windowEndsAt: windowEnd(rules, START),
            now,
          });
          if (next.state !== 'retrying') return;
          expect(next.dueAt).toBeGreaterThanOrEqual(now);
          expect(next.dueAt).toBeLessThanOrEqual(end);
          expect(results.some(({ outcome }) => asksForAnotherRound(documented, outcome))).toBe(true);
          expect(next.webhookIds.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe('a message whose receiver always fails', () => {
  it('gets at least 8 rounds, none after the window, and then expires', () => {
    for (let messageRow = 1; messageRow <= 200; messageRow += 1) {
      let now = START;
      let round = 1;
      for (;;) {
        const results = [{ webhookId: 1, outcome: 'failed' as const }];
        const next = afterRound(documented, {
          messageRow,
          round,
          results,
          windowEndsAt: windowEnd(rules, START),
          now: now + 40,
        });
        if (next.state !== 'retrying') {
          expect(next.state).toBe('expired');
          break;
        }
        now = next.dueAt;
        round = next.round;
      }
      expect(round).toBeGreaterThanOrEqual(8);
      expect(now).toBeLessThanOrEqual(windowEnd(rules, START));
    }
  });
});

describe('the drawing of the schedule', () => {
  it('shows the nominal rounds of the settings: 18 with the defaults', () => {
    const rounds = plannedRounds(rules, { messageRow: null, firstAttemptAt: 0 });
    expect(rounds.slice(0, 5).map(({ at }) => at / 1000)).toEqual([0, 10, 30, 70, 150]);
    expect(rounds).toHaveLength(18);
    expect(rounds.map(({ round }) => round)).toEqual(rounds.map((_, index) => index + 1));
    expect(rounds.every(({ at, kind }) => at <= rules.windowMs && kind === 'planned')).toBe(true);
    const last = rounds[17];
    expect((last?.at ?? 0) + nominalWait(rules, 18)!).toBeGreaterThan(rules.windowMs);
  });

  it('plans exactly what happens when every round fails', () => {
    const [first, second, third] = plannedRounds(rules, { messageRow: 42, firstAttemptAt: START, roundMs: 40 });
    expect(first).toEqual({ round: 1, at: START, kind: 'planned' });
    const next = move(['failed'], { now: START + 40 });
    expect(next).toMatchObject({ dueAt: second?.at });
    expect(move(['failed'], { round: 2, now: (second?.at ?? 0) + 40 })).toMatchObject({ dueAt: third?.at });
  });

  it('puts what happened first, then the due round, then the rest', () => {
    const rounds = plannedRounds(rules, {
      messageRow: 42,
      firstAttemptAt: START,
      startedAt: [START, START + 9_000],
      dueAt: START + 500_000,
    });
    expect(rounds.slice(0, 4).map(({ round, kind }) => [round, kind])).toEqual([
      [1, 'past'],
      [2, 'past'],
      [3, 'due'],
      [4, 'planned'],
    ]);
    expect(rounds[3]?.at).toBe(START + 500_000 + waitAfterRound(rules, 42, 3)!);
  });

  it('stays bounded for rules with next to no wait', () => {
    const hasty = { ...rules, baseMs: 0, jitter: 0 };
    expect(plannedRounds(hasty, { messageRow: 1, firstAttemptAt: 0 })).toHaveLength(100);
  });

  const even: RetryRules = { ...rules, baseMs: 1_000, factor: 1, jitter: 0, windowMs: 3_000 };
  const times = (plan: Partial<Parameters<typeof plannedRounds>[1]>, of = even) =>
    plannedRounds(of, { messageRow: null, firstAttemptAt: 0, ...plan }).map(({ at, kind }) => `${at} ${kind}`);

  it('has a round at the very end of the window and none after it', () => {
    expect(times({})).toEqual(['0 planned', '1000 planned', '2000 planned', '3000 planned']);
    expect(times({ windowEndsAt: 2_999 })).toEqual(['0 planned', '1000 planned', '2000 planned']);
    expect(times({ windowEndsAt: 4_000 })).toHaveLength(5);
  });

  it('lets each failing round take its time', () => {
    expect(times({ roundMs: 500 })).toEqual(['0 planned', '1500 planned', '3000 planned']);
  });

  it('begins with the due round where none has started, and then waits from that one', () => {
    expect(times({ dueAt: 500 })).toEqual(['500 due', '1500 planned', '2500 planned']);
  });

  it('ends with the last wait of a list', () => {
    const waitsMs = [100, 200];
    expect(times({}, { ...even, waitsMs })).toEqual(['0 planned', '100 planned', '300 planned']);
    expect(times({ messageRow: 7 }, { ...even, waitsMs })).toEqual(['0 planned', '100 planned', '300 planned']);
  });

  it('draws the last rounds of a long history, and no planned one beyond its limit', () => {
    const startedAt = [0, 100, 200];
    expect(times({ startedAt, dueAt: 300, limit: 2 })).toEqual(['200 past', '300 due']);
    expect(times({ startedAt, limit: 3 })).toEqual(['0 past', '100 past', '200 past']);
    expect(times({ startedAt, limit: 4 })).toEqual(['0 past', '100 past', '200 past', '1200 planned']);
  });
});
