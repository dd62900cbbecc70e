/** Decides what becomes of a message that is due: a round, a move without one, or nothing yet. Pure. */
import type { Outcome } from '../model/attempt.ts';
import type { Cells } from '../model/message.ts';
import { deliver, expire, fail, type Move, pause } from '../model/moves.ts';
import type { DeliveryRules } from '../model/rules.ts';
import { mayStart } from '../model/schedule.ts';
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
  /** Whether the clock passed this time while the machine slept. */
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
  // A window that ended while the machine slept leaves one last round, now; after it the message expires.
  if (isOver && !sleptPast(message.windowEndsAt!)) return moving(expire(message, wallNow));
  const outcomes = outcomesOf(message, webhooks);
  const prospect = prospectOf(rules, webhooks, outcomes);
  if (isOver && prospect === 'paused') return moving(expire(message, wallNow));
  if (prospect !== 'open') return moving(withoutRound(message, prospect, circumstances));
  // It is just about to be resumed, and is due again then.
  if (message.state === 'paused') return NOTHING;
  const targets = triedNext(rules, webhooks, outcomes).filter(({ id }) => allows(id));
  if (targets.length > 0) return { kind: 'round', targets };
  // Rules with a breaker count a message that no webhook may be tried for as delivered.
  return moving(deliver(message, wallNow, undefined, 'every_webhook_left_out'));
}

/** What becomes at once of a message that waits; null when a webhook would be tried for it once it is due. */
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

/** From its attempts; where those are damaged, from what its row shows of them. */
function outcomesOf(
  { outcomes, cells }: DueMessage,
  webhooks: readonly DeliveryWebhook[],
): ReadonlyMap<number, Outcome> {
  if (outcomes !== null) return outcomes;
  const shown = webhooks.map((webhook) => [webhook.id, outcomeOf(cells[webhook.slot - 1])] as const);
  return new Map(shown.filter((entry): entry is [number, Outcome] => entry[1] !== undefined));
}

/**
 * A paused message keeps the time that it is due at, for when it goes on. After that it needs no round and is looked at
 * again when its window has ended.
 */
function lookedAtNext({ nextDueAt, windowEndsAt }: DueMessage, now: number): number | null {
  if (windowEndsAt === null) return null;
  return nextDueAt > now ? nextDueAt : windowEndsAt + 1;
}

/** Marked like those of a round that left out the webhooks that are off. */
function withPaused(cells: Cells, webhooks: readonly DeliveryWebhook[]): Cells {
  const off = new Set(webhooks.filter(({ enabled }) => !enabled).map(({ slot }) => slot));
  return [...cells].map((cell, i) => (off.has(i + 1) ? 'p' : cell)).join('');
}
