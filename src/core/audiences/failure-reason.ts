/** Why a call failed, as one word for a ledger. */
import type { AttemptRecord } from '../model/stored.ts';
import type { MessageState } from '../model/vocabulary.ts';

/**
 * The state where it says more than attempts (`expired`, `stopped`, `not_selected`, `rejected`); else the status that
 * every webhook answered last, the outcome when there was no answer, or `mixed`.
 */
export function failureReason(state: MessageState, attempts: readonly AttemptRecord[]): string {
  if (state !== 'failed') return state;
  const last = new Map<number, string>();
  for (const { replayId, webhookId, status, outcome } of attempts)
    if (replayId === null) last.set(webhookId, status === null ? (outcome ?? 'open') : String(status));
  const answers = new Set(last.values());
  if (answers.size === 0) return 'failed';
  return answers.size === 1 ? [...answers][0]! : 'mixed';
}
