/** What has become of a request, read from its notices. Pure. */
import type { DeletionPhase, DeletionRow } from '../../contract/deletions.ts';
import { type DeletionState, FINAL_STATES, type MessageState } from '../model/vocabulary.ts';
import type { DeletionRecord, NoticeTally } from '../store/ports/deletions.ts';

/** States of a notice before its first attempt. */
const UNBEGUN: ReadonlySet<MessageState> = new Set(['queued', 'paused']);

export const isFailed = (state: MessageState): boolean => FINAL_STATES.has(state) && state !== 'delivered';

/** Counts by state; `unsent` are not stored yet. */
export interface NoticeCounts {
  readonly unsent: number;
  readonly states: Readonly<Partial<Record<MessageState, number>>>;
}

export function noticeCounts(tallies: readonly NoticeTally[]): NoticeCounts {
  const states: Partial<Record<MessageState, number>> = {};
  let unsent = 0;
  for (const { reason, state, n } of tallies) {
    if (reason !== null) continue;
    if (state === null) unsent += n;
    else states[state] = (states[state] ?? 0) + n;
  }
  return { unsent, states };
}

export function ledgerOf({ unsent, states }: NoticeCounts): DeletionRow['notices'] {
  let [delivered, failed, waiting] = [0, 0, unsent];
  for (const [state, n] of Object.entries(states) as Array<[MessageState, number]>) {
    if (state === 'delivered') delivered += n;
    else if (isFailed(state)) failed += n;
    else waiting += n;
  }
  return { total: delivered + failed + waiting, delivered, failed, waiting };
}

/** What a request still has to do itself; the delivery of its notices is no part of it. */
export function phaseOf(
  { erase, erasedAt, finishedAt }: Pick<DeletionRecord, 'erase' | 'erasedAt' | 'finishedAt'>,
  { unsent }: NoticeCounts,
): DeletionPhase {
  if (finishedAt !== null) return 'finished';
  if (unsent > 0 || !erase) return 'notices';
  return erasedAt === null ? 'erasing' : 'searching';
}

export function deletionState(phase: DeletionPhase, counts: NoticeCounts): DeletionState {
  const { delivered, failed, waiting } = ledgerOf(counts);
  if (waiting > 0) return isUnbegun(counts) ? 'pending' : 'running';
  if (phase !== 'finished') return 'running';
  if (failed === 0) return 'done';
  return delivered === 0 ? 'failed' : 'partly_failed';
}

const isUnbegun = ({ states }: NoticeCounts): boolean =>
  (Object.keys(states) as MessageState[]).every((state) => UNBEGUN.has(state));
