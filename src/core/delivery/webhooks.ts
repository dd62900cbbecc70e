import type { Webhook } from '../model/records.ts';

/** A webhook as delivery sees it. */
export type DeliveryWebhook = Pick<Webhook, 'id' | 'slot' | 'name' | 'url' | 'headers' | 'enabled'>;

/** Attempts of one webhook that may be open at once (decisions, Delivery). */
export const CONCURRENCY = 16;

export const isOn = (webhooks: readonly DeliveryWebhook[], webhookId: number): boolean =>
  webhooks.some(({ id, enabled }) => enabled && id === webhookId);
