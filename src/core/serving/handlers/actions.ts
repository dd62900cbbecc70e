/** Actions on one waiting message: try it now, or stop it. */
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError } from '../../../contract/errors.ts';
import type { Dispatcher } from '../../delivery/dispatcher.ts';
import { FINAL_STATES } from '../../model/vocabulary.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import { messageRow } from '../views.ts';
import { recordOf } from './message-record.ts';

export interface ActionDeps {
  readonly lists: Pick<ListStore, 'message' | 'idRange'>;
  readonly dispatcher: Pick<Dispatcher, 'retryNow' | 'stopMessage'>;
}

export function actionHandlers({
  lists,
  dispatcher,
}: ActionDeps): Pick<Handlers, 'messages.retryNow' | 'messages.stop'> {
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
  };
}
