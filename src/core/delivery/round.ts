/** One pass of a message over the webhooks still to be tried, as the dispatcher holds it in memory. */
import type { AttemptResult, Outcome } from '../model/attempt.ts';
import { parseRetryAfter } from '../model/backoff.ts';
import type { Cells, MessageState } from '../model/message.ts';
import type { RoundResult } from '../model/schedule.ts';
import type { DueMessage } from '../store/deliveries.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { DeliveryWebhook } from './webhooks.ts';

const CELL: Record<Outcome, string> = {
  accepted: 'a',
  failed: 'f',
  timed_out: 't',
  no_connection: 'n',
  refused_certificate: 'r',
  declined: 'd',
  throttled: 'l',
  interrupted: 'i',
};

export const cellOf = (outcome: Outcome, status: number | null): string =>
  outcome === 'declined' && status !== null && status >= 300 && status <= 399 ? 'm' : CELL[outcome];

/** What a cell shows of the last attempt; undefined for one that shows none. */
export const outcomeOf = (cell: string | undefined): Outcome | undefined =>
  cell === 'm' ? 'declined' : (Object.keys(CELL) as Outcome[]).find((outcome) => CELL[outcome] === cell);

/** Something of a round to be written, and the transaction that it was written in last. */
interface Piece {
  readonly run: (changes: Changes) => void;
  changes: Changes | null;
}

/** A message's way out of `delivering`. */
export interface Move {
  readonly id: number;
  readonly from: 'delivering';
  readonly to: MessageState;
  readonly nextDueAt: number | null;
  readonly finishedAt: number | null;
  /** Wall time. */
  readonly at: number;
}

export class Round {
  readonly message: DueMessage;
  /** The delivered bytes; null while the round only waits for senders, and read again when one is free. */
  wire: Uint8Array | null;
  /** Numbered from 1. */
  readonly number: number;
  readonly firstAttemptAt: number;
  readonly windowEndsAt: number;
  /** When it became due in memory, on the monotonic clock: what an attempt's queue time is measured from. */
  readonly queuedAt: number;
  readonly results = new Map<number, RoundResult>();
  /** Webhooks of this round that wait for a free sender. */
  readonly waiting = new Map<number, DeliveryWebhook>();
  readonly #cells: string[];
  open = 0;
  /** Where the message goes from `delivering`; null until that is decided. Later results change nothing of it. */
  move: Move | null = null;
  /** True once the message is free for another round. */
  released = false;
  /** What is not committed yet, in the order in which it happened. */
  #pieces: Piece[] = [];

  constructor(message: DueMessage, wire: Uint8Array, now: number, windowMs: number, queuedAt: number) {
    this.message = message;
    this.wire = wire;
    this.number = message.round + 1;
    this.firstAttemptAt = message.firstAttemptAt ?? now;
    this.windowEndsAt = message.windowEndsAt ?? now + windowMs;
    this.queuedAt = queuedAt;
    this.#cells = [...message.cells];
  }

  get cells(): Cells {
    return this.#cells.join('');
  }

  mark(slot: number, cell: string): void {
    this.#cells[slot - 1] = cell;
  }

  record(webhook: DeliveryWebhook, result: AttemptResult, wallNow: number): void {
    const retryAfter = result.responseHeaders.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
    this.results.set(webhook.id, {
      webhookId: webhook.id,
      outcome: result.outcome,
      retryAfterMs: parseRetryAfter(retryAfter, wallNow),
    });
    this.mark(webhook.slot, cellOf(result.outcome, result.status));
  }

  /** What still waited is not tried any more. */
  dropWaiting(cell: string): DeliveryWebhook[] {
    const dropped = [...this.waiting.values()];
    for (const webhook of dropped) this.mark(webhook.slot, cell);
    this.waiting.clear();
    return dropped;
  }

  /** Nothing of it is open; it waits for a sender. */
  get isParked(): boolean {
    return this.open === 0 && this.waiting.size > 0;
  }

  toWrite(run: Piece['run']): void {
    this.#pieces.push({ run, changes: null });
  }

  /** Takes what is not written yet out of the round: a damaged page keeps it from being written as a whole. */
  takePieces(): Piece['run'][] {
    const runs = this.#pieces.map(({ run }) => run);
    this.#pieces = [];
    return runs;
  }

  /**
   * Writes all that is not committed yet, in order and once a transaction: an answer never comes on record before one
   * that came first, nor without the move that it means, whichever write had failed.
   */
  writeOut(changes: Changes): Changes {
    for (const piece of this.#pieces) {
      if (piece.changes === changes) continue;
      piece.changes = changes;
      piece.run(changes);
    }
    return changes;
  }

  /** What was written in this transaction is committed. */
  committed(changes: Changes): void {
    this.#pieces = this.#pieces.filter((piece) => piece.changes !== changes);
  }

  /** Nothing more can happen in it, and all of it is committed. */
  get isOver(): boolean {
    return this.settled && this.done && this.#pieces.length === 0;
  }

  get settled(): boolean {
    return this.move !== null;
  }

  get done(): boolean {
    return this.open === 0 && this.waiting.size === 0;
  }
}
