/** Decides what becomes of a message that is due: a round, a move without one, or nothing yet. Pure. */

import { deliver, expire, fail, type Move, pause } from '../model/moves.ts';
import type { DeliveryRules } from '../model/rules.ts';
import { mayStart } from '../model/schedule.ts';
import type { Cells, Outcome } from '../model/vocabulary.ts';
import type { DueMessage } from '../store/ports/due.ts';
import { outcomeOf } from './cells.ts';
import { type Prospect, prospectOf, triedNext } from './prospects.ts';
import type { DeliveryWebhook } from './webhooks.ts';

export interface Circumstances {
  readonly rules: DeliveryRules;
  /** All webhooks, on or off. */
  readonly webhooks: readonly DeliveryWebhook[];
  /** Retry-clock time. */
  readonly now: number;
  readonly wallNow: number;
  /** Whether the clock passed this time while the machine was asleep. */
  sleptPast(at: number): boolean;
  /** Whether the breaker lets the webhook be tried. */
  allows(webhookId: number): boolean;
}

export type Fate =
  | { readonly kind: 'round'; readonly targets: readonly DeliveryWebhook[] }
  | { readonly kind: 'move'; readonly move: Move }
  | { readonly kind: 'nothing' };

const NOTHING: Fate = { kind: 'nothing' };
const moving = (move: Move): Fate => ({ kind: 'move', move });

export function fateOf(message: DueMessage, circumstances: Circumstances): Fate {
  const { rules, webhooks, now, wallNow, sleptPast, allows } = circumstances;
  const isOver = !mayStart(message.windowEndsAt, now);
  // When a window ended while the machine was asleep, the message gets one last round now and expires after it.
  if (isOver && !sleptPast(message.windowEndsAt!)) return moving(expire(message, wallNow));
  const outcomes = outcomesOf(message, webhooks);
  const prospect = prospectOf(rules, webhooks, outcomes);
  if (isOver && prospect === 'paused') return moving(expire(message, wallNow));
  if (prospect !== 'open') return moving(withoutRound(message, prospect, circumstances));
  // It is about to be resumed, which makes it due again.
  if (message.state === 'paused') return NOTHING;
  const targets = triedNext(rules, webhooks, outcomes).filter(({ id }) => allows(id));
  if (targets.length > 0) return { kind: 'round', targets };
  // Under rules with a breaker, a message counts as delivered when the breaker holds back every webhook.
  return moving(deliver(message, wallNow, undefined, 'every_webhook_left_out'));
}

/** What happens to a waiting message now. Null when a webhook would be tried for it once it is due. */
export function fateOfWaiting(
  message: DueMessage,
  circumstances: Pick<Circumstances, 'rules' | 'webhooks' | 'now' | 'wallNow'>,
): Move | null {
  if (message.state === 'paused') return null;
  const { rules, webhooks } = circumstances;
  const prospect = prospectOf(rules, webhooks, outcomesOf(message, webhooks));
  return prospect === 'open' ? null : withoutRound(message, prospect, circumstances);
}

function withoutRound(
  message: DueMessage,
  prospect: Exclude<Prospect, 'open'>,
  { webhooks, now, wallNow }: Pick<Circumstances, 'webhooks' | 'now' | 'wallNow'>,
): Move {
  if (prospect === 'failed') return fail(message, wallNow);
  return pause(message, lookedAtNext(message, now), withPaused(message.cells, webhooks));
}

/** Taken from its attempts, or from the cells of its row when the attempts are damaged. */
function outcomesOf(
  { outcomes, cells }: DueMessage,
  webhooks: readonly DeliveryWebhook[],
): ReadonlyMap<number, Outcome> {
  if (outcomes !== null) return outcomes;
  const shown = webhooks.map((webhook) => [webhook.id, outcomeOf(cells[webhook.slot - 1])] as const);
  return new Map(shown.filter((entry): entry is [number, Outcome] => entry[1] !== undefined));
}

/**
 * A paused message keeps its due time for when it is resumed. Past that time it needs no round, so the engine looks at
 * it again when its window ends.
 */
function lookedAtNext({ nextDueAt, windowEndsAt }: DueMessage, now: number): number | null {
  if (windowEndsAt === null) return null;
  return nextDueAt > now ? nextDueAt : windowEndsAt + 1;
}

/** Cells marked as in a round that left out the webhooks that are off. */
function withPaused(cells: Cells, webhooks: readonly DeliveryWebhook[]): Cells {
  const off = new Set(webhooks.filter(({ enabled }) => !enabled).map(({ slot }) => slot));
  return [...cells].map((cell, i) => (off.has(i + 1) ? 'p' : cell)).join('');
}
