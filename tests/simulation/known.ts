/** What the watch remembers of a message. */
import type { Outcome } from '../../src/core/model/vocabulary.ts';
import type { MessageRow } from './committed-rows.ts';

export const FINAL: ReadonlySet<string> = new Set([
  'rejected',
  'not_selected',
  'delivered',
  'failed',
  'expired',
  'stopped',
]);

/** A message as it was last seen committed. */
export interface Known {
  row: MessageRow;
  readonly wire: Buffer | null;
  /** The scaled real time of the first send. */
  firstSentAt: number | null;
  /** Results of the newest round that this life has seen. */
  results: Map<number, { outcome: Outcome; asksMs: number | null }>;
  lastEndAt: number;
  /** The round that it got after its window had ended in a sleep. */
  lastRound?: number;
  /** Newest attempt row when the message became final. */
  lastAttempt: number;
}
