/**
 * One pass of a message over the webhooks still to be tried, as delivery holds it in memory: a state for each webhook
 * (`round-webhooks.ts`), the message's stored state, and what is not written yet. A round has one write under way at a
 * time. Whatever changes meanwhile goes into the next write.
 */
import type { AttemptResult } from '../model/attempt.ts';
import { parseRetryAfter } from '../model/backoff.ts';
import { begin, type Move, type Ready, type Shown, type Standing, show, type UnderWay } from '../model/moves.ts';
import type { RoundResult } from '../model/schedule.ts';
import type { StoredResult } from '../model/stored.ts';
import type { Cells } from '../model/vocabulary.ts';
import type { DueMessage } from '../store/ports/due.ts';
import type { FinishedAttempt } from '../store/ports/rounds.ts';
import { cellOf } from './cells.ts';
import {
  isAccepted,
  isOpen,
  isOpening,
  isSending,
  isWaiting,
  type OpenAttempt,
  RoundWebhooks,
  type SkipReason,
} from './round-webhooks.ts';
import type { DeliveryWebhook } from './webhooks.ts';

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly webhook: DeliveryWebhook;
  readonly result: AttemptResult;
  /** Wall time. */
  readonly startedAt: number;
  readonly row: FinishedAttempt;
}

/** Makes the move that ends the round, from the message's stored state and its cells. */
export type Ending = (from: Standing<UnderWay>, cells: Cells) => Move;

/** What a round has not written yet. */
export interface Unwritten {
  readonly ended: readonly EndedAttempt[];
  readonly moves: readonly Move[];
  /** The last of the moves, if it ends the round. */
  readonly ending: Move | null;
  /** Webhooks whose attempts are to begin. */
  readonly opening: readonly DeliveryWebhook[];
}

/** What a round keeps of its message. The bytes are not among it, so that a round that waits holds none. */
export type RoundMessage = Omit<DueMessage, 'wire' | 'outcomes'>;

const kept = (message: DueMessage): RoundMessage => ({
  id: message.id,
  state: message.state,
  round: message.round,
  cells: message.cells,
  nextDueAt: message.nextDueAt,
  firstAttemptAt: message.firstAttemptAt,
  windowEndsAt: message.windowEndsAt,
  receivedAt: message.receivedAt,
});

function retryAfterOf(headers: AttemptResult['responseHeaders'], wallNow: number): number | null {
  const header = headers.find(([name]) => name.toLowerCase() === 'retry-after');
  return parseRetryAfter(header?.[1], wallNow);
}

export class Round {
  readonly message: RoundMessage;
  /** The delivered bytes. Null while the round only waits for senders; they are read again when a sender is free. */
  wire: Uint8Array | null;
  /** Numbered from 1. */
  readonly number: number;
  readonly firstAttemptAt: number;
  readonly windowEndsAt: number;
  /** Monotonic time at which it became due in memory. An attempt's queue time is measured from it. */
  readonly queuedAt: number;
  /** True from the request for a write until the write is committed or given up. */
  isWriting = false;
  readonly #webhooks = new RoundWebhooks();
  /** The message's state in the store. */
  #standing: Standing;
  #ended: readonly EndedAttempt[] = [];
  #ending: Ending | null = null;
  #settledAt = 0;
  /** The committed move that ended the round. */
  #move: Move | null = null;
  #isGivenUp = false;
  #whenMoved: Array<(tookPlace: boolean) => void> = [];

  constructor(message: DueMessage, wire: Uint8Array, now: number, windowMs: number, queuedAt: number) {
    this.message = kept(message);
    this.wire = wire;
    this.number = message.round + 1;
    this.firstAttemptAt = message.firstAttemptAt ?? now;
    this.windowEndsAt = message.windowEndsAt ?? now + windowMs;
    this.queuedAt = queuedAt;
    this.#standing = this.message;
  }

  // What happens to its webhooks

  leaveOff(webhook: DeliveryWebhook): void {
    this.#webhooks.set(webhook, { kind: 'off' });
  }

  wait(webhook: DeliveryWebhook): void {
    this.#webhooks.set(webhook, { kind: 'waiting' });
  }

  /** It has a sender. Its attempt begins with the next write. */
  open(webhook: DeliveryWebhook): void {
    this.#webhooks.set(webhook, { kind: 'open', attempt: null });
  }

  /** Its attempt has ended. `wallNow` is what a Retry-After with a date is measured from. */
  end(
    webhook: DeliveryWebhook,
    attempt: OpenAttempt,
    result: AttemptResult,
    kept: StoredResult,
    wallNow: number,
  ): void {
    const { outcome, status, durationMs, responseHeaders, responseBody } = result;
    const retryAfterMs = outcome === 'accepted' ? null : retryAfterOf(responseHeaders, wallNow);
    const known: RoundResult = { webhookId: webhook.id, outcome, retryAfterMs };
    this.#webhooks.set(webhook, { kind: 'done', result: known, cell: cellOf(outcome, status) });
    const row = { id: attempt.id, outcome, status, durationMs, result: kept, body: responseBody };
    this.#ended = [...this.#ended, { webhook, result, startedAt: attempt.startedAt, row }];
  }

  /** False when it did not wait. */
  skip(webhook: DeliveryWebhook, reason: SkipReason): boolean {
    if (!this.#webhooks.is(webhook.id, isWaiting)) return false;
    this.#webhooks.set(webhook, { kind: 'skipped', reason });
    return true;
  }

  /** Returns those that waited. */
  skipWaiting(reason: SkipReason): DeliveryWebhook[] {
    return this.#webhooks.move(isWaiting, { kind: 'skipped', reason });
  }

  /** Webhooks with a sender but no row wait again, or are skipped for a reason. Returns them. */
  takeBackOpenings(reason: SkipReason | null): DeliveryWebhook[] {
    return this.#webhooks.move(isOpening, reason === null ? { kind: 'waiting' } : { kind: 'skipped', reason });
  }

  // Reading the round

  get waiting(): DeliveryWebhook[] {
    return this.#webhooks.all(isWaiting);
  }

  get results(): RoundResult[] {
    return this.#webhooks.results;
  }

  get hasAccepted(): boolean {
    return this.#webhooks.some(isAccepted);
  }

  /** Nothing of it is open; it waits for a sender. */
  get isParked(): boolean {
    return !this.#webhooks.some(isOpen) && this.#webhooks.some(isWaiting);
  }

  /** No further result will come. */
  get isDone(): boolean {
    return !this.#webhooks.some((state) => isOpen(state) || isWaiting(state));
  }

  /** The cells that the row shows once everything is written. */
  get cells(): Cells {
    return this.#webhooks.cells(this.message.cells, this.isSettled ? 'x' : 's');
  }

  /** True once its beginning is committed. */
  get hasBegun(): boolean {
    return this.#standing.round === this.number;
  }

  /** The round's ending is decided. No attempt begins any more, and later results do not change the ending. */
  get isSettled(): boolean {
    return this.#ending !== null || this.#isGivenUp;
  }

  /** The move that ended it, once it is committed. */
  get move(): Move | null {
    return this.#move;
  }

  /** Nothing more can happen in it, and all of it is written. */
  get isOver(): boolean {
    return (this.#move !== null || this.#isGivenUp) && this.isDone && !this.hasUnwritten;
  }

  // Writing the round

  /** `at` is wall time. */
  settle(ending: Ending, at: number): void {
    this.#ending = ending;
    this.#settledAt = at;
  }

  /** Wall time at which the round's ending was decided. */
  get settledAt(): number {
    return this.#settledAt;
  }

  /** Resolves with whether the decided move took place. */
  moved(): Promise<boolean> {
    return new Promise((resolve) => this.#whenMoved.push(resolve));
  }

  /** This round may no longer move its message. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** Someone else moved or removed the message, or it cannot be written. This round no longer moves it. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#tellMoved(false);
  }

  get hasUnwritten(): boolean {
    if (this.#ended.length > 0) return true;
    if (this.#isGivenUp) return false;
    return !this.hasBegun || (this.#ending !== null && this.#move === null) || !this.#isUpToDate();
  }

  /** About how many rows {@link unwritten} writes. */
  get rowsToWrite(): number {
    return 1 + this.#opening().length + this.#ended.length;
  }

  unwritten(): Unwritten {
    const ended = this.#ended;
    const opening = this.#opening();
    if (this.#isGivenUp) return { ended, moves: [], ending: null, opening };
    const first = this.hasBegun ? [] : [begin(this.#standing as Standing<Ready>, this.#shown(), this)];
    if (this.#ending !== null && this.#move === null) {
      const from = (first.at(-1)?.to ?? this.#standing) as Standing<UnderWay>;
      const ending = this.#ending(from, this.cells);
      return { ended, moves: [...first, ending], ending, opening };
    }
    const moves = first.length > 0 || this.#isUpToDate() ? first : [show(this.#standing, this.#shown())];
    return { ended, moves, ending: null, opening };
  }

  /** Nothing begins any more once the round is settled. */
  #opening(): DeliveryWebhook[] {
    return this.isSettled ? [] : this.#webhooks.all(isOpening);
  }

  #shown(): Shown {
    return { cells: this.cells, isOpen: this.#webhooks.some(this.isSettled ? isSending : isOpen) };
  }

  /** The row shows what the round shows: the cells also tell whether an attempt is in flight. */
  #isUpToDate(): boolean {
    return this.cells === this.#standing.cells;
  }

  /** A write was committed. `attempts` are the rows of its opening webhooks, in order. */
  written({ ended, moves, ending, opening }: Unwritten, attempts: readonly OpenAttempt[]): void {
    this.#ended = this.#ended.filter((one) => !ended.includes(one));
    this.#standing = moves.at(-1)?.to ?? this.#standing;
    for (const [i, webhook] of opening.entries()) this.#webhooks.set(webhook, { kind: 'open', attempt: attempts[i]! });
    if (ending === null) return;
    this.#move = ending;
    this.#tellMoved(true);
  }

  #tellMoved(tookPlace: boolean): void {
    for (const resolve of this.#whenMoved) resolve(tookPlace);
    this.#whenMoved = [];
  }
}
