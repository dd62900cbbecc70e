/** Computes what a recorded history would have been under other delivery rules, as far as the record tells. */

import { asksForAnotherRound, type DeliveryRules, isLeftOut } from './rules.ts';
import { type AfterRound, afterRound, type RoundResult } from './schedule.ts';
import { FINAL_STATES, type MessageState, type Outcome } from './vocabulary.ts';

/** A finished attempt as it was recorded. Times are epoch milliseconds of the retry clock, durations are real. */
export interface RecordedAttempt {
  readonly id: number;
  /** From 1. */
  readonly round: number;
  readonly webhookId: number;
  readonly outcome: Outcome;
  readonly status: number | null;
  readonly durationMs: number;
  readonly clockAt: number;
  readonly retryAfterMs: number | null;
}

export interface RecordedHistory {
  readonly messageRow: number;
  readonly state: MessageState;
  readonly attempts: readonly RecordedAttempt[];
}

export interface Judgement {
  readonly attemptId: number;
  /** Null when the record cannot tell. */
  readonly under: Outcome | null;
  readonly why: string | null;
}

export interface Comparison {
  readonly judgements: readonly Judgement[];
  /** The first round after which the histories part, or null. */
  readonly partsAfterRound: number | null;
  readonly verdict: string;
}

const seconds = (ms: number): string => `${Math.round(ms / 10) / 100} s`;

/** One attempt under other rules: the same answer at the same time, judged by them. */
export function judged(attempt: RecordedAttempt, rules: DeliveryRules): Judgement {
  const { id: attemptId, outcome, status, durationMs } = attempt;
  const limit = seconds(rules.timeoutMs);
  if (outcome === 'timed_out')
    return durationMs < rules.timeoutMs
      ? { attemptId, under: null, why: `It would have had ${limit}.` }
      : { attemptId, under: outcome, why: null };
  if (durationMs > rules.timeoutMs && outcome !== 'interrupted')
    return { attemptId, under: 'timed_out', why: `It took ${seconds(durationMs)}; the limit would be ${limit}.` };
  if (rules.redirects === 'follow' && status !== null && [301, 302, 303, 307, 308].includes(status))
    return { attemptId, under: null, why: 'The redirect would have been followed.' };
  return { attemptId, under: outcome, why: null };
}

/** Goes through the recorded rounds until the other rules would have decided differently. */
export function compared(history: RecordedHistory, rules: DeliveryRules): Comparison {
  const judgements = history.attempts.map((attempt) => judged(attempt, rules));
  const rounds = roundsOf(history.attempts);
  if (rounds.length === 0) return { judgements, partsAfterRound: null, verdict: 'No attempt was recorded.' };
  const windowEndsAt = rounds[0]!.at(0)!.clockAt + rules.retry.windowMs;
  for (const [i, attempts] of rounds.entries()) {
    const round = attempts[0]!.round;
    const next = rounds[i + 1];
    const doubt = judgements.find(
      ({ attemptId, under }) => under === null && attempts.some(({ id }) => id === attemptId),
    );
    const results = resultsOf(attempts, judgements);
    const certain = results.some(({ outcome }) => outcome === 'accepted');
    if (doubt !== undefined && !certain)
      return { judgements, partsAfterRound: round, verdict: `Not known after round ${round}. ${doubt.why}` };
    const now = Math.max(...attempts.map(({ clockAt, durationMs }) => clockAt + durationMs));
    const after = afterRound(rules, { messageRow: history.messageRow, round, results, windowEndsAt, now });
    const verdict = parting(after, round, next, history.state, results, rules, now);
    if (verdict !== null) return { judgements, partsAfterRound: round, verdict };
  }
  return { judgements, partsAfterRound: null, verdict: sameVerdict(history.state, rounds.length) };
}

function roundsOf(attempts: readonly RecordedAttempt[]): RecordedAttempt[][] {
  const byRound = new Map<number, RecordedAttempt[]>();
  for (const attempt of attempts) {
    const round = byRound.get(attempt.round);
    if (round === undefined) byRound.set(attempt.round, [attempt]);
    else round.push(attempt);
  }
  return [...byRound.values()].sort((a, b) => a[0]!.round - b[0]!.round);
}

function resultsOf(attempts: readonly RecordedAttempt[], judgements: readonly Judgement[]): RoundResult[] {
  return attempts.flatMap(({ id, webhookId, retryAfterMs }) => {
    const under = judgements.find(({ attemptId }) => attemptId === id)?.under ?? null;
    return under === null ? [] : [{ webhookId, outcome: under, retryAfterMs }];
  });
}

/** How the decision after a round differs from what happened, in words; null when it is the same. */
function parting(
  after: AfterRound,
  round: number,
  next: readonly RecordedAttempt[] | undefined,
  state: MessageState,
  results: readonly RoundResult[],
  rules: DeliveryRules,
  now: number,
): string | null {
  const wentOn = next !== undefined || !FINAL_STATES.has(state);
  if (after.state !== 'retrying') {
    const ended = next === undefined && (state === after.state || state === 'stopped');
    return ended ? null : `${endWords(after.state)} after round ${round}.`;
  }
  if (!wentOn && state !== 'stopped')
    return `Round ${round + 1} would follow ${seconds(after.dueAt - now)} later${because(results, rules)}.`;
  if (next === undefined) return null;
  const missing = after.webhookIds.filter((id) => !next.some(({ webhookId }) => webhookId === id));
  const extra = next.filter(({ webhookId }) =>
    results.some((one) => one.webhookId === webhookId && isLeftOut(rules, one.outcome)),
  );
  if (extra.length > 0) return `Round ${round + 1} would leave out what declined.`;
  const kept = missing.filter((id) =>
    results.some(({ webhookId, outcome }) => webhookId === id && outcome === 'declined'),
  );
  return kept.length > 0 ? `Round ${round + 1} would try again what declined.` : null;
}

const because = (results: readonly RoundResult[], rules: DeliveryRules): string =>
  results.some(({ outcome }) => outcome === 'declined' && asksForAnotherRound(rules, outcome))
    ? ', since a declined request is tried again'
    : '';

const END_WORDS = { delivered: 'Delivered', failed: 'Failed', expired: 'Expired' } as const;
const endWords = (state: keyof typeof END_WORDS): string => END_WORDS[state];

const sameVerdict = (state: MessageState, rounds: number): string =>
  `The same: ${state} after ${rounds} ${rounds === 1 ? 'round' : 'rounds'}. Only the times between rounds may differ.`;

/** The differences between the requests. */
export function requestDifferences(
  before: DeliveryRules,
  under: DeliveryRules,
): Array<{ what: string; recorded: string; under: string }> {
  const signatures = { 'x-signature': 'X-Signature, HMAC-SHA1', 'standard-webhooks': 'webhook-signature, HMAC-SHA256' };
  const bodies = { documented: 'the documented fields', 'pass-through': 'the whole message' };
  const lines: Array<[string, string, string]> = [
    ['User-Agent', before.userAgent, under.userAgent],
    ['Body', bodies[before.body], bodies[under.body]],
    ['Signature', signatures[before.signature], signatures[under.signature]],
    ['Response time limit', seconds(before.timeoutMs), seconds(under.timeoutMs)],
    [
      'Redirects',
      before.redirects === 'follow' ? 'followed' : 'declined',
      under.redirects === 'follow' ? 'followed' : 'declined',
    ],
  ];
  return lines.filter(([, a, b]) => a !== b).map(([what, recorded, other]) => ({ what, recorded, under: other }));
}
