import { nominalWait, waitAfterRound } from './backoff.ts';
import { asksForAnotherRound, type DeliveryRules, isLeftOut, type RetryRules } from './rules.ts';
import type { Outcome } from './vocabulary.ts';

/** The result of one webhook in a finished round. */
export interface RoundResult {
  readonly webhookId: number;
  readonly outcome: Outcome;
  /** From `parseRetryAfter`, milliseconds; null when the answer had no usable Retry-After. */
  readonly retryAfterMs?: number | null;
}

/** A finished round of one message. Times are epoch milliseconds of the retry clock. */
export interface FinishedRound {
  readonly messageRow: number;
  /** From 1. */
  readonly round: number;
  readonly results: readonly RoundResult[];
  /** Fixed when the first attempt started: a later change of the rules does not move it. */
  readonly windowEndsAt: number;
  readonly now: number;
}

/** The rules that decide what follows a round. */
export type AfterRoundRules = Pick<DeliveryRules, 'retry' | 'retryOn' | 'retryAfter'>;

/** What becomes of a message after a round. */
export type AfterRound =
  | { readonly state: 'delivered' }
  | {
      readonly state: 'retrying';
      readonly round: number;
      readonly dueAt: number;
      /** The webhooks of the next round: all webhooks of this one except those that declined. */
      readonly webhookIds: readonly number[];
      /** True when a Retry-After made the wait longer. */
      readonly lengthened: boolean;
    }
  | { readonly state: 'failed' }
  | { readonly state: 'expired' };

/**
 * If a Retry-After points past the window, one last round follows this long before its end. The margin keeps that
 * round possible when a timer fires late.
 */
export const LAST_CHANCE_MS = 60_000;

/** The last moment at which an attempt may start. */
export function windowEnd(rules: RetryRules, firstAttemptAt: number): number {
  return firstAttemptAt + rules.windowMs;
}

/**
 * Whether an attempt may still start at `now` (decisions, Delivery: none later than the window). Null: none started
 * yet.
 */
export function mayStart(windowEndsAt: number | null, now: number): boolean {
  return windowEndsAt === null || now <= windowEndsAt;
}

/**
 * The rules of decisions, Delivery, for the end of a round:
 * one 2xx is final; another round follows when an outcome asks for it; webhooks that declined are left
 * out of it, refused certificates are checked again in it but never cause it; a round that could only
 * start after the window is not planned and the message expires now. A round that Hookbench itself
 * interrupted is due at once.
 */
export function afterRound(rules: AfterRoundRules, finished: FinishedRound): AfterRound {
  const { messageRow, round, results, windowEndsAt, now } = finished;
  if (results.some((result) => result.outcome === 'accepted')) return { state: 'delivered' };
  const asking = results.filter((result) => asksForAnotherRound(rules, result.outcome));
  if (asking.length === 0) return { state: 'failed' };

  const interrupted = asking.some((result) => result.outcome === 'interrupted');
  const waitMs = interrupted ? 0 : waitAfterRound(rules.retry, messageRow, round);
  if (waitMs === null || now + waitMs > windowEndsAt) return { state: 'expired' };

  const due = now + waitMs;
  const asked = interrupted || !rules.retryAfter ? 0 : longestRetryAfter(asking);
  const dueAt = lengthenedDue(due, asked, now, windowEndsAt);
  const webhookIds = results.filter(({ outcome }) => !isLeftOut(rules, outcome)).map(({ webhookId }) => webhookId);
  return { state: 'retrying', round: round + 1, dueAt, webhookIds, lengthened: dueAt > due };
}

function longestRetryAfter(asking: readonly RoundResult[]): number {
  return Math.max(0, ...asking.map((result) => result.retryAfterMs ?? 0));
}

function lengthenedDue(due: number, retryAfterMs: number, now: number, end: number): number {
  return Math.max(due, Math.min(now + retryAfterMs, end - LAST_CHANCE_MS));
}

/** One round as the schedule draws it. Times are epoch milliseconds of the retry clock. */
export interface DrawnRound {
  /** From 1. */
  readonly round: number;
  readonly at: number;
  /** A `past` round has started, the message waits for the `due` one, and `planned` ones follow if all fail. */
  readonly kind: 'past' | 'due' | 'planned';
}

export interface SchedulePlan {
  /** Null draws the nominal times without jitter, as the settings do. */
  readonly messageRow: number | null;
  /** Start of the first attempt; for a message without one, when it would start. */
  readonly firstAttemptAt: number;
  /** The end of its window, when that was fixed under other rules. */
  readonly windowEndsAt?: number;
  /** Starts of the rounds so far, oldest first. */
  readonly startedAt?: readonly number[];
  /** When the next round is due, if one is. */
  readonly dueAt?: number | null;
  /** How long a failing round takes, added before each wait; 0 when left out. */
  readonly roundMs?: number;
  /** At most this many rounds are drawn; 100 when left out. */
  readonly limit?: number;
}

/**
 * Past, due and planned rounds in order, none after the window: what the schedule drawing and table show.
 * The planned ones assume that every round fails without a Retry-After.
 */
export function plannedRounds(rules: RetryRules, plan: SchedulePlan): DrawnRound[] {
  const { messageRow, firstAttemptAt, startedAt = [], dueAt = null, roundMs = 0, limit = 100 } = plan;
  const end = plan.windowEndsAt ?? windowEnd(rules, firstAttemptAt);
  const rounds: DrawnRound[] = startedAt.map((at, index) => ({ round: index + 1, at, kind: 'past' }));
  if (dueAt !== null) rounds.push({ round: rounds.length + 1, at: dueAt, kind: 'due' });
  if (rounds.length === 0) rounds.push({ round: 1, at: firstAttemptAt, kind: 'planned' });

  let last = rounds[rounds.length - 1];
  while (last && rounds.length < limit) {
    const waitMs = messageRow === null ? nominalWait(rules, last.round) : waitAfterRound(rules, messageRow, last.round);
    if (waitMs === null) break;
    const at = last.at + roundMs + waitMs;
    if (at > end) break;
    last = { round: last.round + 1, at, kind: 'planned' };
    rounds.push(last);
  }
  return rounds.slice(-limit);
}
