/**
 * The webhooks of one round, each in one state. Everything else about them is derived from these states.
 *
 *   off        was off when the round began
 *   waiting    for a free sender ──▶ open, skipped
 *   open       has a sender; `attempt` is null until its row is committed, and only then it is sent ──▶ done, waiting
 *   done       its attempt has ended
 *   skipped    is not tried in this round any more
 */

import type { RoundResult } from '../model/schedule.ts';
import type { Cells } from '../model/vocabulary.ts';
import type { DeliveryWebhook } from './webhooks.ts';

/** The row of an attempt. */
export interface OpenAttempt {
  readonly id: number;
  /** Wall time. */
  readonly startedAt: number;
}

/**
 * `too_late`: a sender came free only after the window. `interrupted`: Hookbench stops, or the row cannot be written.
 */
export type SkipReason = 'went_off' | 'not_needed' | 'too_late' | 'interrupted';

export type WebhookState =
  | { readonly kind: 'off' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'open'; readonly attempt: OpenAttempt | null }
  | { readonly kind: 'done'; readonly result: RoundResult; readonly cell: string }
  | { readonly kind: 'skipped'; readonly reason: SkipReason };

const SKIPPED_CELL: Record<SkipReason, string> = { went_off: 'p', not_needed: 'x', too_late: '.', interrupted: 'i' };

export const isWaiting = (state: WebhookState): boolean => state.kind === 'waiting';
export const isOpen = (state: WebhookState): boolean => state.kind === 'open';
/** Open, and its row is not committed yet. */
export const isOpening = (state: WebhookState): boolean => state.kind === 'open' && state.attempt === null;
/** Open, and its row is committed. */
export const isSending = (state: WebhookState): boolean => state.kind === 'open' && state.attempt !== null;
export const isAccepted = (state: WebhookState): boolean =>
  state.kind === 'done' && state.result.outcome === 'accepted';

function cellOfState(state: WebhookState, opening: string): string {
  switch (state.kind) {
    case 'off':
      return 'p';
    case 'waiting':
      return 'w';
    case 'open':
      return state.attempt === null ? opening : 's';
    case 'done':
      return state.cell;
    case 'skipped':
      return SKIPPED_CELL[state.reason];
  }
}

/** An attempt that was interrupted before it began counts as interrupted. */
function resultOf({ webhook, state }: Entry): RoundResult | null {
  if (state.kind === 'done') return state.result;
  const isInterrupted = state.kind === 'skipped' && state.reason === 'interrupted';
  return isInterrupted ? { webhookId: webhook.id, outcome: 'interrupted' } : null;
}

interface Entry {
  readonly webhook: DeliveryWebhook;
  readonly state: WebhookState;
}

export class RoundWebhooks {
  /** In the order in which the webhooks joined the round. There are at most five, so searching beats a map. */
  readonly #entries: Entry[] = [];

  set(webhook: DeliveryWebhook, state: WebhookState): void {
    const at = this.#entries.findIndex((entry) => entry.webhook.id === webhook.id);
    this.#entries[at < 0 ? this.#entries.length : at] = { webhook, state };
  }

  is(webhookId: number, test: (state: WebhookState) => boolean): boolean {
    return this.#entries.some(({ webhook, state }) => webhook.id === webhookId && test(state));
  }

  some(test: (state: WebhookState) => boolean): boolean {
    return this.#entries.some(({ state }) => test(state));
  }

  all(test: (state: WebhookState) => boolean): DeliveryWebhook[] {
    const all: DeliveryWebhook[] = [];
    for (const { webhook, state } of this.#entries) if (test(state)) all.push(webhook);
    return all;
  }

  /** Puts every webhook for which `test` is true into another state, and returns them. */
  move(test: (state: WebhookState) => boolean, to: WebhookState): DeliveryWebhook[] {
    const moved = this.all(test);
    for (const webhook of moved) this.set(webhook, to);
    return moved;
  }

  get results(): RoundResult[] {
    return this.#entries.map(resultOf).filter((result) => result !== null);
  }

  /**
   * `before` gives the cells of webhooks outside the round; `opening` is the cell of a webhook whose row is not
   * committed.
   */
  cells(before: Cells, opening: string): Cells {
    let cells = before;
    for (const { webhook, state } of this.#entries) {
      const i = webhook.slot - 1;
      cells = cells.slice(0, i) + cellOfState(state, opening) + cells.slice(i + 1);
    }
    return cells;
  }
}
