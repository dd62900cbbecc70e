/** The commands of the receivers lab. The contract's edge has already checked their arguments. */
import type { Handlers } from '../../contract/channel.ts';
import { ContractError } from '../../contract/errors.ts';
import type { receiverCommands } from '../../contract/receivers.ts';
import type { WebhookView } from '../../contract/values.ts';
import { isThisMachine } from '../model/webhook-url.ts';
import { hitSender, type SenderStores } from './hit-sender.ts';
import type { ReceiversLab } from './lab.ts';

/** What the engine can do with a receiver's URL. */
export interface WebhookPlace {
  webhooks(): ReadonlyArray<{ readonly id: number; readonly url: string }>;
  /** Error `too_many_webhooks`. */
  addWebhook(name: string, url: string): Promise<WebhookView>;
  webhook(id: number): WebhookView;
}

export function createReceiverHandlers(
  lab: ReceiversLab,
  place: WebhookPlace,
  stores: SenderStores,
): Pick<Handlers, keyof typeof receiverCommands> {
  return {
    'receivers.list': () => lab.view(),
    'receivers.save': (edit) => lab.save(edit),
    'receivers.remove': async ({ id }) => {
      await lab.remove(id);
      return null;
    },
    'receivers.reset': ({ id }) => lab.reset(id),
    'receivers.restart': async ({ id }) => {
      await lab.restart(id);
      return null;
    },
    'receivers.clear': async ({ id }) => {
      await lab.clear(id);
      return null;
    },
    'receivers.hits': async ({ id, before, limit }) => {
      const { rows, ...page } = await lab.hits(id, before ?? Number.MAX_SAFE_INTEGER, limit);
      return { rows: [...rows], ...page };
    },
    'receivers.hit': async ({ id, hit }) => {
      const { sent, ...found } = await lab.hit(id, hit);
      return { ...found, sender: hitSender(sent, stores) };
    },
    'receivers.ofAttempt': ({ attempt }) => lab.ofAttempt(attempt),
    'receivers.useAsWebhook': ({ id }) => useAsWebhook(lab, place, id),
    'receivers.listen': (ports) => lab.listen(ports),
  };
}

async function useAsWebhook(lab: ReceiversLab, place: WebhookPlace, id: string): Promise<WebhookView> {
  const receiver = lab.get(id);
  const url = lab.urlOf(receiver);
  if (url === null) throw new ContractError('receivers_off');
  const known = place.webhooks().find((webhook) => sameEndpoint(webhook.url, url));
  return known === undefined ? place.addWebhook(receiver.name, url) : place.webhook(known.id);
}

/** Whether two URLs lead to the same receiver: `localhost`, 127.0.0.1 and ::1 are the same machine. */
function sameEndpoint(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const a = new URL(one);
  const b = new URL(other);
  const sameHost = a.hostname === b.hostname || (isThisMachine(a.hostname) && isThisMachine(b.hostname));
  return sameHost && a.protocol === b.protocol && a.port === b.port && a.pathname === b.pathname;
}
