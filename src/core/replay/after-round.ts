/** What follows a round of a replay. Pure. */
import type { RetryRules } from '../model/rules.ts';
import { type AfterRoundRules, afterRound, type RoundResult, windowEnd } from '../model/schedule.ts';
import type { ReplayEnd } from '../model/vocabulary.ts';

/** How often a replay tries its targets. */
export interface ReplayCourse {
  /** One target after another until one accepts it, in place of all at once. */
  readonly untilAccepted: boolean;
  /** Tries again, by the delivery rules, what did not accept it. */
  readonly retries: boolean;
}

export const ONCE: ReplayCourse = { untilAccepted: false, retries: false };

export type AfterReplayRound =
  | { readonly end: ReplayEnd }
  | { readonly end: null; readonly dueAt: number; readonly webhookIds: readonly number[] };

export interface EndedReplayRound {
  readonly messageRow: number;
  /** Of the replay, from 1. */
  readonly round: number;
  readonly results: readonly RoundResult[];
  readonly untilAccepted: boolean;
  /** Null when nothing is tried again. */
  readonly retryUntil: number | null;
  /** Reading of the retry clock. */
  readonly now: number;
}

/**
 * A target that accepted it is never tried again. For the others the rules of messages apply, except that an attempt
 * that Hookbench itself did not make ends the replay: what kept it from sending is there still.
 */
export function afterReplayRound(rules: AfterRoundRules, ended: EndedReplayRound): AfterReplayRound {
  const { messageRow, round, results, untilAccepted, retryUntil, now } = ended;
  if (results.some(({ outcome }) => outcome === 'interrupted')) return { end: 'interrupted' };
  const left = results.filter(({ outcome }) => outcome !== 'accepted');
  const isDone = left.length === 0 || (untilAccepted && left.length < results.length);
  if (isDone || retryUntil === null) return { end: 'done' };
  const after = afterRound(rules, { messageRow, round, results: left, windowEndsAt: retryUntil, now });
  if (after.state === 'expired') return { end: 'expired' };
  return after.state === 'retrying' ? { end: null, dueAt: after.dueAt, webhookIds: after.webhookIds } : { end: 'done' };
}

export const retryUntil = ({ retries }: ReplayCourse, rules: RetryRules, now: number): number | null =>
  retries ? windowEnd(rules, now) : null;
