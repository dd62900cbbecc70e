/** Webhooks. Only the interface may reveal a hidden header value. */
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError } from '../../../contract/errors.ts';
import { headerValue, wouldShow } from '../../workspace/webhook-edit.ts';
import type { Webhooks } from '../../workspace/webhooks.ts';
import type { WebhookViews } from '../webhook-views.ts';

/** Who is at the other end: the user's window or page, or a program on the local socket. */
export type Surface = 'app' | 'local_socket';

export interface WebhookDeps {
  readonly webhooks: Webhooks;
  readonly views: WebhookViews;
  /** Makes delivery take over the current webhooks and settings. */
  applyDelivery(): void;
}

type WebhookCommand = 'webhooks.save' | 'webhooks.headerValue' | 'webhooks.remove';

export function webhookHandlers(
  { webhooks, views, applyDelivery }: WebhookDeps,
  surface: Surface,
): Pick<Handlers, WebhookCommand> {
  return {
    'webhooks.save': async (edit) => {
      if (surface !== 'app' && wouldShow(edit, webhooks.find(edit.id))) throw new ContractError('app_only');
      const { id } = await webhooks.save(edit);
      applyDelivery();
      return views.of(id);
    },
    'webhooks.headerValue': ({ id, name, at }) => {
      if (surface !== 'app') throw new ContractError('app_only');
      const webhook = webhooks.get(id);
      if (!webhook.readable) throw new ContractError('secret_unreadable');
      return { value: headerValue(webhook, name, at) };
    },
    'webhooks.remove': async ({ id }) => {
      await webhooks.remove(id);
      applyDelivery();
      return null;
    },
  };
}
