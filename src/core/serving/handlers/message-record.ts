/** One message of the store, for the commands that name one. */
import { ContractError } from '../../../contract/errors.ts';
import type { MessageRecord } from '../../model/stored.ts';
import type { ListStore } from '../../store/ports/lists.ts';

/** An id greater than that of every message so far. */
export const nextId = (lists: Pick<ListStore, 'idRange'>): number => (lists.idRange()?.last ?? 0) + 1;

/** The newest message is never removed, so a greater id has never been given. */
const absence = (id: number, next: number): string =>
  id < next ? 'This message was removed, by the storage limits or by hand.' : 'There has been no message with this id.';

/** Error `message_not_found`. */
export function recordOf(lists: Pick<ListStore, 'message' | 'idRange'>, id: number): MessageRecord {
  const found = lists.message(id);
  if (found === undefined) throw new ContractError('message_not_found', absence(id, nextId(lists)));
  return found;
}
