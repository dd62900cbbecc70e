/** How a webhook that was tried stands to what is there now: a record keeps the name of its time, and says so. */

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
  /** What is there now. */
  readonly sentence: string;
}

/** Null when the webhook is now what it was then. `now` is the webhook with its id. */
export function namedNow({ slot, name, url }: Omit<NamedThen, 'webhookId'>, now: HookNow | undefined): NotNow | null {
  if (now === undefined) return { word: 'removed', sentence: 'This webhook was removed.' };
  if (now.name === name && now.url === url && now.slot === slot) return null;
  const place = now.slot === slot ? '' : ` in place ${now.slot}`;
  return { word: 'earlier', sentence: `Since then it was changed. Now it is ${now.name}${place}, ${now.url}` };
}
