/**
 * Writes attempts: the beginning of each in the small table of open ones, and its end once, among all that have ended.
 */

import { NEWEST_ATTEMPT } from './newest-attempt.ts';
import { packResult } from './packed-result.ts';
import type { Changes } from './ports/changes.ts';
import type { FinishedAttempt, NewAttempt } from './ports/rounds.ts';
import { columnList, insertInto, Writes } from './statements.ts';

/** The columns of a new attempt. */
export const NEW_ATTEMPT_NAMES = [
  'messageId',
  'replayId',
  'webhookId',
  'slot',
  'webhookName',
  'url',
  'round',
  'startedAt',
  'clockAt',
] as const satisfies ReadonlyArray<keyof NewAttempt>;

const COLUMNS = columnList(['id', ...NEW_ATTEMPT_NAMES]);

/**
 * Ends open attempts without a result; {@link REMOVE_OPEN} must follow with the same WHERE. One that has ended, too, as
 * in a repaired store, stays as it ended.
 */
export const INTERRUPT_OPEN = `INSERT OR IGNORE INTO attempts (${COLUMNS}, outcome)
  SELECT ${COLUMNS}, 'interrupted' FROM open_attempts`;
export const REMOVE_OPEN = 'DELETE FROM open_attempts';

type Ended = Pick<FinishedAttempt, 'id' | 'outcome' | 'status' | 'durationMs'>;

export class Attempts extends Writes {
  /** Returns its row id. */
  open(attempt: NewAttempt, changes: Changes): number {
    return Number(this.#open.run(changes, attempt).lastInsertRowid);
  }

  readonly #open = this.command<NewAttempt>(
    insertInto('open_attempts', NEW_ATTEMPT_NAMES, { id: `${NEWEST_ATTEMPT} + 1` }),
  );

  finish({ id, outcome, status, durationMs, result, body }: FinishedAttempt, changes: Changes): void {
    const ended = this.#end.run(changes, { id, outcome, status, durationMs });
    if (ended.changes === 0) return;
    this.#remove.run(changes, { id });
    this.#keep.run(changes, { id, result: packResult(result), responseBody: body.length > 0 ? body : null });
  }

  readonly #end = this.command<Ended>(
    `INSERT INTO attempts (${COLUMNS}, outcome, status, duration_ms)
     SELECT ${COLUMNS}, @outcome, @status, @durationMs FROM open_attempts WHERE id = @id`,
  );

  readonly #remove = this.command<{ id: number }>(`${REMOVE_OPEN} WHERE id = @id`);

  readonly #keep = this.command<{ id: number; result: string; responseBody: Uint8Array | null }>(
    insertInto('attempt_results', ['id', 'result', 'responseBody']),
  );
}
