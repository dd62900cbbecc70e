/**
 * Syncs as clients see them (docs/behaviour.md, Audiences). Times are wall times in epoch milliseconds.
 */
import type { NotSendingReasonName } from './not-sending.ts';

/** `preparing`: writes down who gets which call. `done`: nothing waits any more. */
export const SYNC_STATES = ['preparing', 'running', 'stopped', 'done'] as const;
export type SyncState = (typeof SYNC_STATES)[number];

/**
 * Why a running sync sends nothing right now: delivery stands still, or 500 of its calls wait for a retry and it
 * leaves room for live traffic.
 */
export type SyncWait = NotSendingReasonName | 'enough_open';

/** `expected` = `delivered` + `failed` + `waiting`, and `waiting` = `unsent` + `retrying` + `open`, at every moment. */
export interface SyncLedger {
  /** Null while it prepares. */
  expected: number | null;
  delivered: number;
  failed: number;
  waiting: number;
  unsent: number;
  retrying: number;
  open: number;
}

export type SyncStarter = 'person' | 'change' | 'clock';

interface SyncMoment {
  at: number;
  /** Calls sent by then; for `started` null. */
  sent: number | null;
}

export type SyncEvent = SyncMoment &
  (
    | {
        /** `stopped` by `restart`: Hookbench ended while the sync ran. */
        what: 'started' | 'stopped' | 'resumed' | 'done';
        by: SyncStarter | 'restart' | null;
      }
    /**
     * Calls that are not sent, because their users are suppressed or were erased. They are no part of the ledger. `calls`
     * is their number so far, `at` when the last of them was left out.
     */
    | { what: 'left_out'; by: null; calls: number }
  );

/** A row of the sync history. */
export interface SyncRow {
  id: number;
  audienceId: number;
  /** 1 for the first sync of its audience. */
  n: number;
  kind: 'first' | 'changes';
  state: SyncState;
  startedAt: number;
  /** When the ledger added up; null until then. */
  endedAt: number | null;
  startedBy: SyncStarter;
  ledger: SyncLedger;
  /** Users told that they are members, or a first value. */
  added: number;
  /** Users told that they are not members any more. */
  removed: number;
  /** Users told another value. */
  changed: number;
  /** Empty while it sends, and when it is not running. */
  waitsFor: SyncWait[];
}

/** `add`: joins, or first value. `remove`: leaves. `change`: another value. */
export type ChangeKind = 'add' | 'remove' | 'change';

/** A call exactly as the next sync would send it, were it made now. */
export interface DryCall {
  /** From 1. */
  position: number;
  userId: string;
  change: ChangeKind;
  /** The delivered bytes as text. */
  body: string;
}

export interface DryRun {
  /** Calls in all. */
  total: number;
  kind: 'first' | 'changes';
  added: number;
  removed: number;
  changed: number;
  /** Users with a change who are suppressed: they are told nothing and are in none of the counts above. */
  suppressed: number;
  rows: DryCall[];
  /** Pass it as `after` to go on; null at the end. */
  next: string | null;
}

export interface SyncDetail extends SyncRow {
  audienceName: string;
  property: string;
  events: SyncEvent[];
  /**
   * Calls settled by then, at most 300 points. A point is `[at, settled]`; an `at` after a pause of the sync begins a
   * new stretch.
   */
  series: Array<[at: number, settled: number]>;
  /** Settled calls a second over the last 10 s; 0 when nothing moves. */
  perSecond: number;
  /** Failed calls by reason, most first: a status such as `422`, `mixed`, an outcome, or a state such as `expired`. */
  failures: Array<{ reason: string; count: number }>;
  /** True when its calls were removed, because 50 later syncs are done. Then `failures` is empty. */
  callsRemoved: boolean;
  /** The call that is sent next, not one of a suppressed user; null when none is left or 500 were left out before it. */
  nextCall: DryCall | null;
  /** Users whose membership or value has changed and who are not in this sync. The next one tells them, unless they are suppressed. */
  changedMeanwhile: number;
}

export interface SyncCallRow {
  /** From 1. */
  position: number;
  /** Empty when the user was erased. */
  userId: string;
  change: ChangeKind;
  /** `track` calls only with the option `track`. */
  type: 'identify' | 'track';
  /** Row id of its message; null until it is sent. The message may have been removed since. */
  messageId: number | null;
  outcome: 'delivered' | 'failed' | null;
  /** Of a failed call, as in {@link SyncDetail.failures}. */
  reason: string | null;
}
