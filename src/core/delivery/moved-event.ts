import type { MessageState } from '../model/message.ts';
import type { DeliveryWebhook } from './webhooks.ts';

/** A message's move, told after its commit. */
export interface MovedEvent {
  /** Row id. */
  readonly messageId: number;
  /** Wall time of its receipt, epoch milliseconds. */
  readonly receivedAt: number;
  readonly from: MessageState;
  readonly to: Extract<MessageState, 'retrying' | 'delivered' | 'failed' | 'expired' | 'stopped'>;
  /** Rounds begun so far. */
  readonly round: number;
  /** Wall time of the move, epoch milliseconds. A delivery is told once its whole round has ended. */
  readonly at: number;
  /**
   * For `delivered`: the enabled webhooks that never accepted it, because a sibling did (delivery
   * specification, section 6, "Multiple webhooks"). Empty otherwise.
   */
  readonly missed: readonly DeliveryWebhook[];
}
