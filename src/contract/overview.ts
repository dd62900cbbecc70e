/** What the Overview draws: aggregates by minute, never rows. Times are epoch milliseconds unless a name says otherwise. */
import type { NotSendingReasonName } from './not-sending.ts';
import type { ListenerView, OutcomeName } from './values.ts';

export const OVERVIEW_RANGES = ['15m', '1h', '4h', 'session'] as const;
/** `session` is since this start of the engine, at most the last 24 h of it. */
export type OverviewRange = (typeof OVERVIEW_RANGES)[number];

/** Messages by the time of their receipt, as they stand now. */
export interface MessageTotals {
  received: number;
  notSelected: number;
  rejected: number;
  /** Delivered in the first round. */
  firstRound: number;
  /** The first round did not deliver it; it is retrying, was delivered later or was stopped. */
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

/** How close a webhook's answers come to the limits that a destination may be set to. */
export interface HeadroomView {
  /** Complete answers, whatever their status. */
  answers: number;
  /** Of the answers; null without one. */
  p50Ms: number | null;
  p95Ms: number | null;
  over: Array<{
    /** 4,000, 5,000 or 10,000. */
    ms: number;
    /** Requests without a complete answer within `ms`; null when no request had a limit that long, so that it is unknown. */
    n: number | null;
    /** Requests that had a limit of at least `ms`. */
    of: number;
  }>;
}

/** A webhook's attempts by the time of their start, replays included, under the name that it had then. */
export interface WebhookAttempts {
  webhookId: number;
  /** 0 when it is not known any more. */
  slot: number;
  name: string;
  url: string;
  /** False for what a webhook was before it was edited, and for one that was removed. */
  isNow: boolean;
  attempts: number;
  outcomes: Record<OutcomeName, number>;
  headroom: HeadroomView;
  /** Messages that a sibling accepted and this webhook never did, by the time of their receipt. */
  missed: number;
}

export interface ResponseTimes {
  /** Answers by duration over the class before and at most `upToMs`; null is the open end. */
  classes: Array<{ upToMs: number | null; n: number }>;
  /** Attempts that timed out. */
  none: number;
  answers: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

/** Where the retrying messages stand between their first attempt and the end of their window. */
export interface RetryWindowView {
  /** Retry-clock milliseconds, as the rules are now. */
  windowMs: number;
  retrying: number;
  /** How many were looked at, oldest first; fewer than `retrying` when there are very many. */
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
  /** Calls whose messageId was there already, by the time of their own receipt: answered 200, not in `received`. */
  repeats: number;
  /** Most frequent first. */
  rejectedBy: ReasonCount[];
  notSelectedBy: ReasonCount[];
  /** Half of the deliveries took at most this, from receipt to the first 2xx; null without one. */
  deliveryMedianMs: number | null;
  /** By slot: the webhook that is there now, then what was there before in this range, newest first. */
  webhooks: WebhookAttempts[];
  /** Of all webhooks, removed ones included. */
  responseTimes: ResponseTimes;
  retryWindow: RetryWindowView;
  attention: AttentionView[];
}
