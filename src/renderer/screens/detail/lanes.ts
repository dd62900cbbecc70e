/**
 * The lanes of the attempt chart: each is a webhook by the name, address and slot that it had when it was tried. Pure.
 */
import type { AttemptView, LineUpView, WebhookView } from '../../../contract/values.ts';

export interface LaneHook {
  readonly webhookId: number;
  readonly slot: number;
  readonly name: string;
  /** Null when it was never tried and has been removed. */
  readonly url: string | null;
  /** True when the webhook has not changed since. Only then can a next round try it. */
  readonly isNow: boolean;
  /** Shown at the lane's end instead of planned marks. */
  readonly note: 'Paused' | 'Earlier' | 'Removed' | 'Declined' | null;
}

export type HookNow = Pick<WebhookView, 'id' | 'slot' | 'name' | 'url' | 'enabled'>;

export interface LaneInput {
  readonly attempts: readonly AttemptView[];
  readonly lineUps: readonly LineUpView[];
  readonly webhooks: readonly HookNow[];
  /** True once no round follows. Webhooks added later do not concern the message. */
  readonly final: boolean;
  /** Whether a webhook that declined is tried again (the delivery rules). */
  readonly retriesDeclined: boolean;
}

type Place = Pick<LaneHook, 'webhookId' | 'slot' | 'name' | 'url'>;

/** Key of a lane. Equal for attempts at the same webhook under the same name and address. */
export const laneKey = ({ webhookId, slot, name, url }: Place): string => JSON.stringify([webhookId, slot, name, url]);

export const placeOf = ({ webhookId, slot, webhookName, url }: AttemptView): Place => ({
  webhookId,
  slot,
  name: webhookName,
  url,
});

/** Webhooks that declined the message. Later rounds leave them out. */
export function declinedWebhooks(attempts: readonly AttemptView[]): Set<number> {
  return new Set(attempts.filter((attempt) => attempt.outcome === 'declined').map((attempt) => attempt.webhookId));
}

/** Sorted by slot. Within a slot, the current webhook is last. */
export function lanesOf(input: LaneInput): LaneHook[] {
  const { webhooks, attempts } = input;
  const declined = input.retriesDeclined ? new Set<number>() : declinedWebhooks(attempts);
  const now = new Map(webhooks.map((hook) => [laneKey({ ...hook, webhookId: hook.id }), hook]));
  const tried = new Map(attempts.map((attempt) => [laneKey(placeOf(attempt)), placeOf(attempt)]));
  const lanes = [...tried].map(([key, place]): LaneHook => {
    const hook = now.get(key);
    const isKnown = webhooks.some(({ id }) => id === place.webhookId);
    if (hook === undefined) return { ...place, isNow: false, note: isKnown ? 'Earlier' : 'Removed' };
    const note = hook.enabled ? (declined.has(hook.id) ? 'Declined' : null) : 'Paused';
    return { ...place, isNow: true, note };
  });
  const untried = untriedHooks(input).filter((hook) => !tried.has(laneKey(hook)));
  return [...lanes, ...untried].sort((a, b) => a.slot - b.slot || Number(a.isNow) - Number(b.isNow));
}

/**
 * For a final message, the webhooks that its last round could have tried. Otherwise those that a next round may try.
 */
function untriedHooks({ attempts, lineUps, webhooks, final }: LaneInput): LaneHook[] {
  const lineUp = lineUps.at(-1);
  if (!final || lineUp === undefined)
    return webhooks.map(({ id, slot, name, url, enabled }) => {
      const note = enabled ? null : 'Paused';
      return { webhookId: id, slot, name, url, isNow: true, note };
    });
  return lineUp.webhooks
    .filter(({ id }) => !attempts.some(({ webhookId }) => webhookId === id))
    .map(({ id, slot, name, enabled }) => {
      const isNow = webhooks.some((hook) => hook.id === id && hook.slot === slot && hook.name === name);
      return { webhookId: id, slot, name, url: null, isNow, note: enabled ? null : 'Paused' };
    });
}
