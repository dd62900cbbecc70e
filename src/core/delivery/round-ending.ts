/**
 * What happens to a message at the end of its round. The rules decide, and webhooks may have been switched off
 * meanwhile.
 */

import { deliver, expire, fail, pause, retry } from '../model/moves.ts';
import type { DeliveryRules } from '../model/rules.ts';
import { afterRound } from '../model/schedule.ts';
import type { Outcome } from '../model/vocabulary.ts';
import { type Prospect, prospectOf } from './prospects.ts';
import type { Ending, Round } from './round.ts';
import { type DeliveryWebhook, isOn } from './webhooks.ts';

export interface EndOfRound {
  readonly rules: DeliveryRules;
  readonly webhooks: readonly DeliveryWebhook[];
  /** As stored, without those of this round. Null when they cannot be read. */
  lastOutcomes(): ReadonlyMap<number, Outcome> | null;
  /** Retry-clock time. */
  readonly now: number;
  readonly wallNow: number;
}

export function endingOf(round: Round, end: EndOfRound): Ending {
  const { rules, now, wallNow } = end;
  const { results } = round;
  // Every webhook that the round waited for was skipped.
  if (results.length === 0) return (from, cells) => retry(from, now, cells);
  const { windowEndsAt, number, message } = round;
  const after = afterRound(rules, { messageRow: message.id, round: number, results, windowEndsAt, now });
  switch (after.state) {
    case 'delivered':
      return (from, cells) => deliver(from, wallNow, cells);
    case 'failed':
      return (from, cells) => fail(from, wallNow, cells);
    case 'expired':
      return (from, cells) => expire(from, wallNow, cells);
    case 'retrying':
      return onward(prospectAfter(round, end), after.dueAt, wallNow);
  }
}

function onward(prospect: Prospect, dueAt: number, wallNow: number): Ending {
  switch (prospect) {
    case 'open':
      return (from, cells) => retry(from, dueAt, cells);
    case 'paused':
      return (from, cells) => pause(from, dueAt, cells);
    case 'failed':
      return (from, cells) => fail(from, wallNow, cells);
  }
}

/** When the outcomes cannot be read, delivery looks at the message again when it is due. */
function prospectAfter({ results }: Round, { rules, webhooks, lastOutcomes }: EndOfRound): Prospect {
  if (results.every(({ webhookId }) => isOn(webhooks, webhookId))) return 'open';
  const before = lastOutcomes();
  if (before === null) return 'open';
  const outcomes = new Map(before);
  for (const { webhookId, outcome } of results) outcomes.set(webhookId, outcome);
  return prospectOf(rules, webhooks, outcomes);
}
