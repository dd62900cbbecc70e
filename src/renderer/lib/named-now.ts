/**
 * Compares a webhook as it was tried with the current one. A record keeps the webhook's name of that time, and says so.
 */

export interface NamedThen {
  readonly webhookId: number;
  readonly slot: number;
  readonly name: string;
  readonly url: string;
}

interface HookNow {
  readonly id: number;
  readonly slot: number;
  readonly name: string;
  readonly url: string;
}

export interface NotNow {
  readonly word: 'removed' | 'earlier';
  /** The current webhook. */
  readonly sentence: string;
}

/**
 * Null when the webhook has not changed since, or was none: slot 0 is a replay's other URL. `now` is the current webhook
 * with its id.
 */
export function namedNow({ slot, name, url }: Omit<NamedThen, 'webhookId'>, now: HookNow | undefined): NotNow | null {
  if (slot === 0) return null;
  if (now === undefined) return { word: 'removed', sentence: 'This webhook was removed.' };
  if (now.name === name && now.url === url && now.slot === slot) return null;
  const place = now.slot === slot ? '' : ` in place ${now.slot}`;
  return { word: 'earlier', sentence: `It has changed since. It is now ${now.name}${place}, ${now.url}` };
}
