import type { NewMessage, StoredMessage } from '../model/records.ts';
import { EMPTY_CELLS } from '../model/vocabulary.ts';
import type { DueMessage } from '../store/ports/due.ts';

/** The messages of a request that are due at once, as a claim would return them, without reading the store. */
export function freshlyDue(
  messages: readonly NewMessage[],
  stored: readonly StoredMessage[],
  receivedAt: number,
  dueAt: number,
): DueMessage[] {
  const due: DueMessage[] = [];
  for (const [i, { state, wire }] of messages.entries()) {
    const { id, duplicate } = stored[i]!;
    if (state !== 'queued' || duplicate) continue;
    due.push({
      id,
      receivedAt,
      state,
      round: 0,
      nextDueAt: dueAt,
      firstAttemptAt: null,
      windowEndsAt: null,
      cells: EMPTY_CELLS,
      wire,
      outcomes: NO_OUTCOMES,
    });
  }
  return due;
}

const NO_OUTCOMES: DueMessage['outcomes'] = new Map();
