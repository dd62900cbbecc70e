import type { Move } from '../model/moves.ts';
import type { MessageState } from '../model/vocabulary.ts';
import type { Round } from './round.ts';
import type { DeliveryWebhook } from './webhooks.ts';

/** A committed move of a message, as reported to those who count moves. */
export interface MovedEvent {
  /** Row id. */
  readonly messageId: number;
  /** Wall time of its receipt, epoch milliseconds. */
  readonly receivedAt: number;
  readonly from: MessageState;
  readonly to: Extract<MessageState, 'retrying' | 'delivered' | 'failed' | 'expired' | 'stopped'>;
  /** Rounds begun so far. */
  readonly round: number;
  /** Wall time of the move, epoch milliseconds. A delivery is reported once its whole round has ended. */
  readonly at: number;
  /**
   * For `delivered`: the enabled webhooks that never accepted it, because another webhook did (delivery specification,
   * section 6, "Multiple webhooks"). Empty otherwise.
   */
  readonly missed: readonly DeliveryWebhook[];
}

/** The move that ended a round. A paused message had a round as well. */
export function roundMoved(round: Round, { from, to }: Move, webhooks: readonly DeliveryWebhook[]): MovedEvent {
  const { cells, message, settledAt } = round;
  const missed = webhooks.filter(({ enabled, slot }) => enabled && cells[slot - 1] !== 'a');
  return {
    messageId: message.id,
    receivedAt: message.receivedAt,
    from: from.state,
    to: to.state === 'paused' ? 'retrying' : (to.state as MovedEvent['to']),
    round: to.round,
    at: settledAt,
    missed: to.state === 'delivered' ? missed : [],
  };
}

/** A move to a final state that needed no round. */
export const moveWithoutRound = ({ from, to }: Move, receivedAt: number, at: number): MovedEvent => ({
  messageId: to.id,
  receivedAt,
  from: from.state,
  to: to.state as MovedEvent['to'],
  round: to.round,
  at,
  missed: [],
});
