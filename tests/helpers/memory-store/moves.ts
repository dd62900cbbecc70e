import type { Move, Standing } from '../../../src/core/model/moves.ts';
import type { MessageRecord } from '../../../src/core/model/stored.ts';
import { FINAL_STATES } from '../../../src/core/model/vocabulary.ts';
import type { Changes } from '../../../src/core/store/ports/changes.ts';
import type { FinishedAttempt, NewAttempt } from '../../../src/core/store/ports/rounds.ts';
import type { Tables } from './tables.ts';

export const standingOf = (row: MessageRecord): Standing => {
  const { id, state, round, cells, nextDueAt, firstAttemptAt, windowEndsAt } = row;
  return { id, state, round, cells, nextDueAt, firstAttemptAt, windowEndsAt };
};

/** False when the message is no longer in the state that the move started from. */
export function applyMove({ messages }: Tables, { from, to, finishedAt, reason }: Move, changes: Changes): boolean {
  const row = messages.get(from.id);
  if (row === undefined || row.state !== from.state || row.round !== from.round) return false;
  const ended = FINAL_STATES.has(to.state) ? (finishedAt ?? row.finishedAt) : null;
  messages.set(from.id, { ...row, ...to, finishedAt: ended, reason: reason ?? row.reason });
  changes.movedMessage(from.id, from.state, to.state);
  return true;
}

/** Returns its row id. */
export function openAttempt({ attempts }: Tables, attempt: NewAttempt): number {
  const id = attempts.nextId();
  const open = { outcome: null, status: null, durationMs: null, result: null, responseBody: null };
  attempts.set(id, { ...attempt, ...open, id });
  return id;
}

/** An attempt that has ended stays as it is. */
export function finishAttempt({ attempts }: Tables, { id, body, ...end }: FinishedAttempt): void {
  if (attempts.get(id)?.outcome === null) attempts.update(id, { ...end, responseBody: body.length > 0 ? body : null });
}
