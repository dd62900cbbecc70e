/** Decides from the newest outcomes whether any webhook, on or off, would still be tried for a message. Pure. */

import { asksForAnotherRound, type DeliveryRules, isLeftOut } from '../model/rules.ts';
import type { Outcome } from '../model/vocabulary.ts';
import type { DeliveryWebhook } from './webhooks.ts';

/** `paused`: only webhooks that are off would be tried; `failed`: none would, on or off. */
export type Prospect = 'open' | 'paused' | 'failed';

type Rules = Pick<DeliveryRules, 'retryOn'>;

/** The webhooks that another round would try, given the newest outcome of each. */
export const triedNext = (
  rules: Rules,
  webhooks: readonly DeliveryWebhook[],
  outcomes: ReadonlyMap<number, Outcome>,
): DeliveryWebhook[] =>
  webhooks.filter(({ id, enabled }) => {
    const outcome = outcomes.get(id);
    return enabled && (outcome === undefined || !isLeftOut(rules, outcome));
  });

export function prospectOf(
  rules: Rules,
  webhooks: readonly DeliveryWebhook[],
  outcomes: ReadonlyMap<number, Outcome>,
): Prospect {
  if (webhooks.every(({ enabled }) => !enabled)) return 'paused';
  if (triedNext(rules, webhooks, outcomes).length > 0) return 'open';
  const waitsForOneThatIsOff = webhooks.some(({ id, enabled }) => {
    const outcome = outcomes.get(id);
    return !enabled && outcome !== undefined && asksForAnotherRound(rules, outcome);
  });
  return waitsForOneThatIsOff ? 'paused' : 'failed';
}
