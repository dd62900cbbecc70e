/** What the user can do to one message: try it now, stop it, send it again. */
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError } from '../../../contract/errors.ts';
import type { Dispatcher } from '../../delivery/dispatcher.ts';
import { FINAL_STATES } from '../../model/vocabulary.ts';
import type { Replayer } from '../../replay/replayer.ts';
import type { DetailStore } from '../../store/ports/details.ts';
import type { DueStore } from '../../store/ports/due.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import { UNREADABLE_HEADERS } from '../../workspace/webhooks.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { attemptView, messageRow, replayView } from '../views.ts';
import { recordOf } from './message-record.ts';

export interface ActionDeps {
  readonly lists: Pick<ListStore, 'message' | 'idRange'>;
  readonly details: Pick<DetailStore, 'replay' | 'attemptsOf'>;
  readonly due: Pick<DueStore, 'wire'>;
  readonly dispatcher: Pick<Dispatcher, 'retryNow' | 'stopMessage' | 'stopping'>;
  readonly replayer: Pick<Replayer, 'send'>;
  readonly workspace: Workspace;
}

export function actionHandlers(
  deps: ActionDeps,
): Pick<Handlers, 'messages.retryNow' | 'messages.stop' | 'replay.send'> {
  const { lists, details, due, dispatcher, replayer, workspace } = deps;
  return {
    'messages.retryNow': async ({ id }) => {
      recordOf(lists, id);
      if (!(await dispatcher.retryNow(id))) throw new ContractError('not_waiting');
      return messageRow(recordOf(lists, id));
    },
    'messages.stop': async ({ id }) => {
      const { state } = recordOf(lists, id);
      if (FINAL_STATES.has(state) || !(await dispatcher.stopMessage(id))) throw new ContractError('already_final');
      return messageRow(recordOf(lists, id));
    },
    'replay.send': async ({ id, webhookIds }) => {
      const { round, state } = recordOf(lists, id);
      const wire = due.wire(id);
      if (wire === null) throw new ContractError(state === 'rejected' ? 'no_delivered_body' : 'body_damaged');
      if (dispatcher.stopping) throw new ContractError('stopped', 'Hookbench is stopping, so nothing new is sent.');
      if (workspace.destination.secret.state === 'unreadable') throw new ContractError('secret_unreadable');
      if (!workspace.secretsReadable) throw new ContractError('secret_unreadable', UNREADABLE_HEADERS);
      const webhooks = [...new Set(webhookIds)].map((webhookId) => workspace.webhooks.get(webhookId));
      const replayId = await replayer.send(id, round, wire, webhooks);
      return replayView(details.replay(replayId)!, details.attemptsOf(id).map(attemptView));
    },
  };
}
