/**
 * Data of the Overview: aggregates by minute, never rows. Times are epoch milliseconds unless a name says otherwise.
 */
import type { NotSendingReasonName } from './not-sending.ts';
import type { ListenerView, OutcomeName } from './values.ts';

export const OVERVIEW_RANGES = ['15m', '1h', '4h', 'session'] as const;
/** `session` is since this start of the engine, at most the last 24 h of it. */
export type OverviewRange = (typeof OVERVIEW_RANGES)[number];

/** Messages by time of receipt, in their current state. */
export interface MessageTotals {
  received: number;
  notSelected: number;
  rejected: number;
  /** Delivered in the first round. */
  firstRound: number;
  /** The first round did not deliver it. It is retrying, was delivered later or was stopped. */
  retried: number;
  delivered: number;
  failed: number;
  expired: number;
  stopped: number;
}

/** One bar of the chart: `stepMs` from `at` on. */
export interface OverviewBar extends MessageTotals {
  at: number;
}

export interface ReasonCount {
  /** Stable code. */
  reason: string;
  n: number;
}

/** How close a webhook's answers come to the time limits that a destination may have. */
export interface HeadroomView {
  /** Complete answers, whatever their status. */
  answers: number;
  /** Over the answers; null when there are none. */
  p50Ms: number | null;
  p95Ms: number | null;
  over: Array<{
    /** 4,000, 5,000 or 10,000. */
    ms: number;
    /** Requests without a complete answer within `ms`. Null (unknown) when no request had a limit that long. */
    n: number | null;
    /** Requests that had a limit of at least `ms`. */
    of: number;
  }>;
}

/** A webhook's attempts by start time, replays included, under the name that it had then. */
export interface WebhookAttempts {
  webhookId: number;
  /** 0 when it is not known any more. */
  slot: number;
  name: string;
  url: string;
  /** False for the state of a webhook before an edit, and for a removed webhook. */
  isNow: boolean;
  attempts: number;
  outcomes: Record<OutcomeName, number>;
  headroom: HeadroomView;
  /** Messages, by time of receipt, that another webhook accepted and this one never did. */
  missed: number;
}

export interface ResponseTimes {
  /** Answers by duration: above the previous class and at most `upToMs`; null for the last, open class. */
  classes: Array<{ upToMs: number | null; n: number }>;
  /** Attempts that timed out. */
  none: number;
  answers: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

/** Where the retrying messages stand between their first attempt and the end of their window. */
export interface RetryWindowView {
  /** Retry-clock milliseconds, by the current rules. */
  windowMs: number;
  retrying: number;
  /** How many messages were sampled, oldest first. Fewer than `retrying` when there are very many. */
  shown: number;
  /** The last part of the window begins here, 0 to 1. */
  lateFrom: number;
  /** Ascending; `at` is 0 at the first attempt and 1 at the end of the window. */
  marks: Array<{ at: number; n: number /** Row id of one of them. */; id: number }>;
}

/** Something to look at, most pressing first. */
export type AttentionView =
  | { kind: 'store_not_writable' }
  | { kind: 'not_listening'; state: ListenerView['state']; port: number; holder: string | null }
  | {
      kind: 'delivery_paused';
      why: NotSendingReasonName;
      waiting: number;
    }
  | { kind: 'certificate_refused'; webhookId: number; reason: string | null; notSent: number }
  | {
      kind: 'webhook_failing';
      webhookId: number;
      attempts: number;
      /** Of the newest attempt. */
      outcome: OutcomeName;
      status: number | null;
      reason: string | null;
    }
  | {
      kind: 'expiring';
      count: number;
      /** The one that expires first, by row id. */
      id: number;
      name: string;
      userId: string | null;
      rounds: number;
      /** Retry-clock time. */
      expiresAt: number;
    }
  | { kind: 'ended'; expired: number; failed: number }
  | { kind: 'rejected'; count: number; reasons: ReasonCount[] };

export interface OverviewView {
  range: OverviewRange;
  /** Now, at the engine. */
  at: number;
  /** Start of the first bar. */
  from: number;
  stepMs: number;
  /** True when the session is longer than what is kept, so that its start is missing. */
  cut: boolean;
  /** Oldest first; the last one is under way. */
  bars: OverviewBar[];
  totals: MessageTotals;
  /**
   * Repeated calls (their messageId was already stored), by their own time of receipt. Answered 200 and not in
   * `received`.
   */
  repeats: number;
  /** Most frequent first. */
  rejectedBy: ReasonCount[];
  notSelectedBy: ReasonCount[];
  /** Median time from receipt to the first 2xx; null without a delivery. */
  deliveryMedianMs: number | null;
  /** By slot: the current webhook, then earlier ones of this range, newest first. */
  webhooks: WebhookAttempts[];
  /** Of all webhooks, removed ones included. */
  responseTimes: ResponseTimes;
  retryWindow: RetryWindowView;
  attention: AttentionView[];
}
