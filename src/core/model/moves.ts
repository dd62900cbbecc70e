/**
 * The moves of a message: every way in which its state changes is a function here, and nothing else sets a state.
 * Each returns the whole change; a store applies it only while the message still stands where the move found it.
 *
 *   a call arrives ──────────────▶ queued | rejected | not_selected                 arrival
 *
 *   queued, retrying ────────────▶ delivering | waiting                             begin
 *   delivering ◀─────────────────▶ waiting                                          show
 *   delivering, waiting ─────────▶ delivered | failed | expired                     deliver, fail, expire
 *   delivering, waiting ─────────▶ retrying | paused                                retry, pause
 *   delivering, waiting ─────────▶ retrying            (the process ended)          interrupt
 *
 *   queued, retrying, paused ────▶ delivered | failed | expired | paused            deliver, fail, expire, pause
 *   paused ──────────────────────▶ queued | retrying   (a webhook is on again)      resume
 *   queued, retrying ────────────▶ the same, due now   (a person)                   makeDue
 *   every state but final ones ──▶ stopped             (a person)                   stop
 *
 * `delivering` has an attempt in flight; `waiting` is a round under way that only waits for free senders. Both keep the
 * due time of their round. A final message never moves again; its cells still show results that come in late.
 */
import { type Cells, type DeliveryReason, EMPTY_CELLS, type MessageState, UNDER_WAY_STATES } from './vocabulary.ts';

/** States of a message that has a round under way. */
export type UnderWay = Extract<MessageState, 'delivering' | 'waiting'>;
/** States of a message that a round may begin for. */
export type Ready = Extract<MessageState, 'queued' | 'retrying'>;
/** States of a message that has no round under way and is not final. */
export type Resting = Ready | Extract<MessageState, 'paused'>;
/** States that a call may arrive in. */
export type Arriving = Extract<MessageState, 'rejected' | 'not_selected' | 'queued'>;

export const isUnderWay = (state: MessageState): state is UnderWay => UNDER_WAY_STATES.has(state);
export const isReady = (state: MessageState): state is Ready => state === 'queued' || state === 'retrying';
export const isResting = (state: MessageState): state is Resting => isReady(state) || state === 'paused';

/** Where a message stands. Times are epoch milliseconds of the retry clock. */
export interface Standing<S extends MessageState = MessageState> {
  /** Row id. */
  readonly id: number;
  readonly state: S;
  /** Rounds begun so far. */
  readonly round: number;
  readonly cells: Cells;
  readonly nextDueAt: number | null;
  /** Start of the first attempt; null before it. */
  readonly firstAttemptAt: number | null;
  readonly windowEndsAt: number | null;
}

/** A change of one message, whole: it holds only while the message still has the state and round of `from`. */
export interface Move {
  readonly from: Standing;
  /** Where the message stands after it. */
  readonly to: Standing;
  /** Wall time of a final state, epoch milliseconds; null for the others. */
  readonly finishedAt: number | null;
  /** Why, where the attempts do not say it; null keeps what the row says. */
  readonly reason: DeliveryReason | null;
}

/** How a call begins its life in the store. */
export interface Arrival {
  readonly state: Arriving;
  readonly cells: Cells;
  readonly nextDueAt: number | null;
  readonly finishedAt: number | null;
}

/** `receivedAt` is wall time, `dueAt` is of the retry clock. */
export function arrival(state: Arriving, receivedAt: number, dueAt: number): Arrival {
  const isQueued = state === 'queued';
  return { state, cells: EMPTY_CELLS, nextDueAt: isQueued ? dueAt : null, finishedAt: isQueued ? null : receivedAt };
}

/** The state of a message whose round is under way, with or without an attempt in flight. */
export const underWay = (isOpen: boolean): UnderWay => (isOpen ? 'delivering' : 'waiting');

const open = (from: Standing, changed: Partial<Standing>): Move => ({
  from,
  to: { ...from, ...changed },
  finishedAt: null,
  reason: null,
});

const end = (
  from: Standing,
  state: MessageState,
  cells: Cells,
  at: number,
  reason: DeliveryReason | null = null,
): Move => ({
  from,
  to: { ...from, state, cells, nextDueAt: null },
  finishedAt: at,
  reason,
});

/** Cells of a message that will not wait for any webhook any more. */
const unwaited = ({ cells }: Standing): Cells => cells.replaceAll('w', '.');

/** What a round shows of itself. */
export interface Shown {
  readonly cells: Cells;
  /** Whether an attempt is in flight. */
  readonly isOpen: boolean;
}

/** The next round begins. The window is that of the first round. */
export const begin = (
  from: Standing<Ready>,
  { cells, isOpen }: Shown,
  { firstAttemptAt, windowEndsAt }: { readonly firstAttemptAt: number; readonly windowEndsAt: number },
): Move => open(from, { state: underWay(isOpen), round: from.round + 1, cells, firstAttemptAt, windowEndsAt });

/** An attempt of a round began or ended and the round goes on; or a result came in after the message was final. */
export const show = (from: Standing, { cells, isOpen }: Shown): Move =>
  open(from, { state: isUnderWay(from.state) ? underWay(isOpen) : from.state, cells });

/** A webhook accepted it; or rules with a breaker leave every webhook out. */
export const deliver = (
  from: Standing<UnderWay | Resting>,
  at: number,
  cells: Cells = unwaited(from),
  reason: DeliveryReason | null = null,
): Move => end(from, 'delivered', cells, at, reason);

/** No webhook asks for another round, or its body is damaged. */
export const fail = (
  from: Standing<UnderWay | Resting>,
  at: number,
  cells: Cells = unwaited(from),
  reason: DeliveryReason | null = null,
): Move => end(from, 'failed', cells, at, reason);

/** Its window has ended, or the next round would begin after that. */
export const expire = (from: Standing<UnderWay | Resting>, at: number, cells: Cells = unwaited(from)): Move =>
  end(from, 'expired', cells, at);

/** A person ends its retries. */
export const stop = (from: Standing<UnderWay | Resting>, at: number, cells: Cells = unwaited(from)): Move =>
  end(from, 'stopped', cells, at);

/** Another round follows at `dueAt`. */
export const retry = (from: Standing<UnderWay>, dueAt: number, cells: Cells): Move =>
  open(from, { state: 'retrying', cells, nextDueAt: dueAt });

/** Only webhooks that are off would be tried. At `dueAt` it is looked at again; null before the first attempt. */
export const pause = (from: Standing<UnderWay | Resting>, dueAt: number | null, cells: Cells): Move =>
  open(from, { state: 'paused', cells, nextDueAt: dueAt });

/** It goes on at the time that it kept; where it kept none, or that has passed, now. */
export function resume(from: Standing<'paused'>, now: number): Move {
  const { round, nextDueAt, windowEndsAt } = from;
  const isAhead = nextDueAt !== null && windowEndsAt !== null && now <= nextDueAt && nextDueAt <= windowEndsAt;
  return open(from, { state: round === 0 ? 'queued' : 'retrying', nextDueAt: isAhead ? nextDueAt : now });
}

export const makeDue = (from: Standing<Ready>, now: number): Move => open(from, { nextDueAt: now });

/**
 * Cells after a crash: attempts that it ended show that; nothing is sending, and nothing waits for a sender any more.
 * `slots` are those of the attempts; null takes the cells' word for them.
 */
export const interruptedCells = (cells: Cells, slots: ReadonlySet<number> | null): Cells =>
  [...cells]
    .map((cell, i) => {
      if (slots === null ? cell === 's' : slots.has(i + 1)) return 'i';
      return cell === 's' || cell === 'w' ? '.' : cell;
    })
    .join('');

/** A crash ended its round, whose open attempts became `interrupted`: another one is due now. */
export const interrupt = (from: Standing<UnderWay>, now: number, slots: ReadonlySet<number> | null): Move =>
  open(from, { state: 'retrying', cells: interruptedCells(from.cells, slots), nextDueAt: now });
