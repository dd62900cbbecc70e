/** The targets that a person names on the command line. */
import { UsageError } from '../shell/option-table.ts';
import type { Running } from './running.ts';

export interface ReplayTo {
  readonly webhookIds: number[];
  readonly receivers: string[];
  readonly urls: string[];
  /** Of all, as a person knows them. */
  readonly names: readonly string[];
}

/** A webhook by name or place, a receiver by id, or a URL. Without any, every webhook that is on. */
export async function targetsIn({ call }: Running, given: readonly string[]): Promise<ReplayTo> {
  const { webhooks, receivers } = (await call('app.hello', {})).parts;
  const to = { webhookIds: [] as number[], receivers: [] as string[], urls: [] as string[], names: [] as string[] };
  const add = (webhook: (typeof webhooks)[number]): void => {
    if (to.webhookIds.includes(webhook.id)) return;
    to.webhookIds.push(webhook.id);
    to.names.push(webhook.name);
  };
  if (given.length === 0) for (const webhook of webhooks) if (webhook.enabled) add(webhook);
  for (const text of given) {
    const webhook = webhooks.find(({ name }) => name === text) ?? webhooks.find(({ slot }) => String(slot) === text);
    if (webhook !== undefined) add(webhook);
    else if (/^https?:\/\//i.test(text)) to.names.push(...push(to.urls, text));
    else if (receivers.entries.some(({ id }) => id === text)) to.names.push(...push(to.receivers, text));
    else throw new UsageError(`--to ${text}: there is no webhook and no receiver of this name, and it is no URL.`);
  }
  if (to.names.length === 0) throw new UsageError('No webhook is on. Name where to send with --to NAME|URL.');
  return to;
}

function push(list: string[], text: string): readonly string[] {
  if (list.includes(text)) return [];
  list.push(text);
  return [text];
}
