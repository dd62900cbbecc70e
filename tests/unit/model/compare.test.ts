import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/core/model/attempt.ts';
import { compared, type RecordedAttempt, requestDifferences } from '../../../src/core/model/compare.ts';
import type { MessageState } from '../../../src/core/model/message.ts';
import { PROFILES } from '../../../src/core/model/rules.ts';

const { documented, classic, actions } = PROFILES;
let id = 0;

const attempt = (round: number, outcome: Outcome, over: Partial<RecordedAttempt> = {}): RecordedAttempt => ({
  id: ++id,
  round,
  webhookId: 1,
  outcome,
  status: null,
  durationMs: 100,
  clockAt: 1_000_000 + round * 20_000,
  retryAfterMs: null,
  ...over,
});

const history = (state: MessageState, ...attempts: RecordedAttempt[]) => ({ messageRow: 5, state, attempts });

describe('one history under other rules', () => {
  test('under the rules that it was made with it is the same', () => {
    const same = compared(
      history('delivered', attempt(1, 'failed', { status: 500 }), attempt(2, 'accepted')),
      documented,
    );
    expect(same).toMatchObject({
      partsAfterRound: null,
      verdict: expect.stringMatching(/^The same: delivered after 2 rounds/),
    });
    expect(compared(history('failed', attempt(1, 'declined', { status: 410 })), documented).partsAfterRound).toBeNull();
    expect(
      compared(history('retrying', attempt(1, 'timed_out', { durationMs: 5_000 })), documented).partsAfterRound,
    ).toBeNull();
  });

  test('a 410 that failed the message would be tried again by classic as coded', () => {
    const other = compared(history('failed', attempt(1, 'declined', { status: 410 })), classic);
    expect(other.partsAfterRound).toBe(1);
    expect(other.verdict).toMatch(/^Round 2 would follow .* since a declined request is tried again\.$/);
  });

  test('an answer after 4.2 s is too late for a limit of 3 s, and the message would not be delivered', () => {
    const slow = attempt(1, 'accepted', { status: 200, durationMs: 4_200 });
    const other = compared(history('delivered', slow), classic);
    expect(other.judgements).toEqual([
      { attemptId: slow.id, under: 'timed_out', why: 'It took 4.2 s; the limit would be 3 s.' },
    ]);
    expect(other).toMatchObject({ partsAfterRound: 1, verdict: expect.stringMatching(/^Round 2 would follow/) });
  });

  test('what would have had more time, or would have been followed, is not known', () => {
    const late = compared(history('retrying', attempt(1, 'timed_out', { durationMs: 5_000 })), actions);
    expect(late).toMatchObject({ partsAfterRound: 1, verdict: 'Not known after round 1. It would have had 10 s.' });
    const moved = compared(history('failed', attempt(1, 'declined', { status: 302 })), actions);
    expect(moved.verdict).toBe('Not known after round 1. The redirect would have been followed.');
  });

  test('a doubt does not matter where another webhook accepted', () => {
    const other = compared(
      history('delivered', attempt(1, 'timed_out', { durationMs: 5_000 }), attempt(1, 'accepted', { webhookId: 2 })),
      actions,
    );
    expect(other.partsAfterRound).toBeNull();
  });

  test('a webhook that declined would stay in the later rounds, or would be left out of them', () => {
    const both = [attempt(1, 'declined', { status: 400 }), attempt(1, 'failed', { webhookId: 2 })];
    const without = compared(history('delivered', ...both, attempt(2, 'accepted', { webhookId: 2 })), classic);
    expect(without).toMatchObject({ partsAfterRound: 1, verdict: 'Round 2 would try again what declined.' });
    const again = [attempt(2, 'declined', { status: 400 }), attempt(2, 'accepted', { webhookId: 2 })];
    const left = compared(history('delivered', ...both, ...again), documented);
    expect(left).toMatchObject({ partsAfterRound: 1, verdict: 'Round 2 would leave out what declined.' });
  });

  test('rounds after the end of another window would not be', () => {
    const rounds = [1, 2, 3].map((round) => attempt(round, 'failed', { clockAt: round * 3_600_000 }));
    const short = { ...documented, retry: { ...documented.retry, windowMs: 3_600_000 } };
    expect(compared(history('retrying', ...rounds), short)).toMatchObject({
      partsAfterRound: 2,
      verdict: 'Expired after round 2.',
    });
  });
});

test('the requests of two profiles differ in what is named, and in nothing else', () => {
  expect(requestDifferences(documented, documented)).toEqual([]);
  expect(requestDifferences(documented, classic)).toEqual([
    { what: 'User-Agent', recorded: 'Hookbench/1.0', under: 'Segment.io/1.0' },
    { what: 'Body', recorded: 'the documented fields', under: 'the whole message' },
    { what: 'Response time limit', recorded: '5 s', under: '3 s' },
  ]);
});
