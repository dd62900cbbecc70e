import { describe, expect, test } from 'vitest';
import { compared, judged, type RecordedAttempt, requestDifferences } from '../../../src/core/model/compare.ts';
import { PROFILES } from '../../../src/core/model/rules.ts';
import type { MessageState, Outcome } from '../../../src/core/model/vocabulary.ts';

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

describe('one attempt under other rules', () => {
  const under = (one: RecordedAttempt, rules = documented) => {
    const { under: outcome, why } = judged(one, rules);
    return [outcome, why];
  };
  const limit = (timeoutMs: number) => ({ ...documented, timeoutMs });

  test('that timed out is known only where the other limit is no longer', () => {
    const late = attempt(1, 'timed_out', { durationMs: 5_000 });
    expect(under(late, limit(5_000))).toEqual(['timed_out', null]);
    expect(under(late, limit(4_999))).toEqual(['timed_out', null]);
    expect(under(late, limit(5_001))).toEqual([null, 'It would have had 5 s.']);
    expect(under(late, limit(7_250))).toEqual([null, 'It would have had 7.25 s.']);
  });

  test('times out where it took longer than the other limit, but for one that Hookbench interrupted', () => {
    const slow = attempt(1, 'failed', { durationMs: 3_000 });
    expect(under(slow, limit(3_000))).toEqual(['failed', null]);
    expect(under(slow, limit(2_999))).toEqual(['timed_out', 'It took 3 s; the limit would be 3 s.']);
    const cut = attempt(1, 'interrupted', { durationMs: 3_000 });
    expect(under(cut, limit(1))).toEqual(['interrupted', null]);
  });

  test.each([301, 302, 303, 307, 308])('with a %i would have been followed where redirects are', (status) => {
    const moved = attempt(1, 'declined', { status });
    expect(under(moved, actions)).toEqual([null, 'The redirect would have been followed.']);
    expect(under(moved, documented)).toEqual(['declined', null]);
  });

  test.each([300, 304, 305, 200, null])('with a %s is no redirect', (status) => {
    expect(under(attempt(1, 'declined', { status }), actions)).toEqual(['declined', null]);
  });
});

describe('where two histories part', () => {
  const { retry } = documented;
  const failed = (round: number, over: Partial<RecordedAttempt> = {}) =>
    attempt(round, 'failed', { status: 500, ...over });

  test('nothing is compared where no attempt was recorded', () => {
    expect(compared(history('queued'), documented)).toEqual({
      judgements: [],
      partsAfterRound: null,
      verdict: 'No attempt was recorded.',
    });
  });

  test('rounds count in their order, however the attempts were listed', () => {
    const shuffled = history('delivered', attempt(3, 'accepted'), failed(1), failed(2), failed(2, { webhookId: 2 }));
    expect(compared(shuffled, documented)).toMatchObject({
      partsAfterRound: null,
      verdict: 'The same: delivered after 3 rounds. Only the times between rounds may differ.',
    });
  });

  test.each(['retrying', 'delivering', 'paused'] as const)('a message that is %s goes on in both', (state) => {
    expect(compared(history(state, failed(1)), documented).partsAfterRound).toBeNull();
  });

  test('the history of a message that the user stopped never differs', () => {
    expect(compared(history('stopped', failed(1)), documented)).toMatchObject({
      partsAfterRound: null,
      verdict: 'The same: stopped after 1 round. Only the times between rounds may differ.',
    });
    expect(compared(history('stopped', attempt(1, 'declined')), documented).partsAfterRound).toBeNull();
  });

  test('a doubt about one webhook is a doubt about its round, whatever the other one answered but 2xx', () => {
    const doubtful = attempt(1, 'timed_out', { durationMs: 5_000 });
    expect(compared(history('retrying', failed(1, { webhookId: 2 }), doubtful), actions)).toMatchObject({
      partsAfterRound: 1,
      verdict: 'Not known after round 1. It would have had 10 s.',
    });
  });

  test('what declined and was tried again parts nothing where that is the rule', () => {
    const first = [attempt(1, 'declined', { status: 400 }), failed(1, { webhookId: 2 })];
    const second = [failed(2), failed(2, { webhookId: 2 })];
    expect(compared(history('retrying', ...first, ...second), classic).partsAfterRound).toBeNull();
  });

  test('a webhook that is missing from a round for another reason is no parting, beside one that declined', () => {
    const first = [failed(1), attempt(1, 'declined', { status: 400, webhookId: 2 })];
    expect(compared(history('retrying', ...first, failed(2, { webhookId: 2 })), classic).partsAfterRound).toBeNull();
  });

  test('a next round says when, and why only where a declined request is tried again', () => {
    const plain = { ...documented, retry: { ...retry, jitter: 0 } };
    expect(compared(history('failed', failed(1)), plain).verdict).toBe('Round 2 would follow 10 s later.');
    expect(compared(history('expired', failed(1), failed(2)), plain)).toMatchObject({
      partsAfterRound: 2,
      verdict: 'Round 3 would follow 20 s later.',
    });
    const again = { ...plain, retryOn: [...classic.retryOn] };
    expect(compared(history('failed', attempt(1, 'declined'), failed(1, { webhookId: 2 })), again).verdict).toBe(
      'Round 2 would follow 10 s later, since a declined request is tried again.',
    );
  });

  test('a Retry-After counts from the end of the slowest attempt of its round', () => {
    const slow = failed(1, { clockAt: 1_000, durationMs: 900, retryAfterMs: 60_000 });
    const fast = failed(1, { clockAt: 1_000, durationMs: 10, webhookId: 2 });
    expect(compared(history('failed', slow, fast), documented).verdict).toBe('Round 2 would follow 60 s later.');
    const window = (windowMs: number) => ({ ...documented, retry: { ...retry, jitter: 0, windowMs } });
    expect(compared(history('retrying', slow, fast), window(10_900)).partsAfterRound).toBeNull();
    expect(compared(history('retrying', slow, fast), window(10_899)).verdict).toBe('Expired after round 1.');
  });

  test('an end that was reached earlier is an end, and one that was not is named', () => {
    const short = { ...documented, retry: { ...retry, waitsMs: [] } };
    expect(compared(history('expired', failed(1)), short).partsAfterRound).toBeNull();
    expect(compared(history('failed', failed(1)), short).verdict).toBe('Expired after round 1.');
    expect(compared(history('expired', failed(1), failed(2)), short)).toMatchObject({
      partsAfterRound: 1,
      verdict: 'Expired after round 1.',
    });
    const none = { ...documented, retryOn: [] };
    expect(compared(history('retrying', failed(1)), none).verdict).toBe('Failed after round 1.');
    const accepted = attempt(1, 'accepted', { status: 200 });
    expect(compared(history('retrying', accepted), documented).verdict).toBe('Delivered after round 1.');
  });

  test('a doubt of one round does not matter before it', () => {
    const doubtful = attempt(2, 'timed_out', { durationMs: 5_000 });
    expect(compared(history('retrying', failed(1), doubtful), actions)).toMatchObject({
      partsAfterRound: 2,
      verdict: 'Not known after round 2. It would have had 10 s.',
    });
  });

  test('a webhook that was switched off between rounds parts nothing', () => {
    const two = [failed(1), failed(1, { webhookId: 2 }), attempt(2, 'accepted', { webhookId: 2 })];
    expect(compared(history('delivered', ...two), documented).partsAfterRound).toBeNull();
    const declined = [attempt(1, 'declined'), failed(1, { webhookId: 2 }), attempt(2, 'accepted', { webhookId: 2 })];
    expect(compared(history('delivered', ...declined), documented).partsAfterRound).toBeNull();
    const added = [failed(1), attempt(2, 'accepted', { webhookId: 9 })];
    expect(compared(history('delivered', ...added), documented).partsAfterRound).toBeNull();
  });
});

test('every difference of requests has its words, in either direction', () => {
  const other = { ...documented, redirects: 'follow', signature: 'standard-webhooks', body: 'pass-through' } as const;
  const differences = [
    { what: 'Body', recorded: 'the documented fields', under: 'the whole message' },
    { what: 'Signature', recorded: 'X-Signature, HMAC-SHA1', under: 'webhook-signature, HMAC-SHA256' },
    { what: 'Redirects', recorded: 'declined', under: 'followed' },
  ];
  expect(requestDifferences(documented, other)).toEqual(differences);
  expect(requestDifferences(other, documented)).toEqual(
    differences.map(({ what, recorded, under }) => ({ what, recorded: under, under: recorded })),
  );
});

test('the requests of two profiles differ in what is named, and in nothing else', () => {
  expect(requestDifferences(documented, documented)).toEqual([]);
  expect(requestDifferences(documented, classic)).toEqual([
    { what: 'User-Agent', recorded: 'Hookbench/1.0', under: 'Segment.io/1.0' },
    { what: 'Body', recorded: 'the documented fields', under: 'the whole message' },
    { what: 'Response time limit', recorded: '5 s', under: '3 s' },
  ]);
});
