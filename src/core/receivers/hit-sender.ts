/** Which attempt sent a request of the log, as clients see it. */
import type { HitSender } from '../../contract/receivers.ts';
import type { AttemptRecord } from '../model/stored.ts';
import type { DetailStore } from '../store/ports/details.ts';
import type { ListStore } from '../store/ports/lists.ts';
import type { SentRequest } from './same-request.ts';

export interface SenderStores {
  readonly lists: Pick<ListStore, 'message'>;
  readonly details: Pick<DetailStore, 'attemptsOf'>;
}

export function hitSender(found: SentRequest | 'elsewhere' | 'unknown', { lists, details }: SenderStores): HitSender {
  if (typeof found === 'string') return { by: found };
  const message = lists.message(found.message);
  const attempts = message === undefined ? [] : details.attemptsOf(message.id);
  const attempt = attempts.find(({ id }) => id === found.attempt);
  if (message === undefined || attempt === undefined) return { by: 'removed' };
  const { id, webhookId, webhookName, url } = attempt;
  const { id: messageId, type, name } = message;
  const number = attempt.replayId === null ? numberOf(attempt, attempts) : null;
  return { by: 'attempt', attempt: { id, messageId, type, name, number, webhookId, webhookName, url } };
}

/** From 1, by round and slot, as the detail of the message counts them. */
const numberOf = ({ round, slot }: AttemptRecord, attempts: readonly AttemptRecord[]): number =>
  1 +
  attempts.filter((one) => one.replayId === null && (one.round < round || (one.round === round && one.slot < slot)))
    .length;
