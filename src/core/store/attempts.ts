/** Writes attempts: the beginning of each, and its end once. */

import { packResult } from './packed-result.ts';
import type { Changes } from './ports/changes.ts';
import type { FinishedAttempt, NewAttempt } from './ports/rounds.ts';
import { insertInto, Writes } from './statements.ts';

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

export class Attempts extends Writes {
  /** Returns its row id. */
  open(attempt: NewAttempt, changes: Changes): number {
    return Number(this.#open.run(changes, attempt).lastInsertRowid);
  }

  readonly #open = this.command<NewAttempt>(insertInto('attempts', NEW_ATTEMPT_NAMES));

  finish({ id, outcome, status, durationMs, result, body }: FinishedAttempt, changes: Changes): void {
    const finished = this.#finish.run(changes, { id, outcome, status, durationMs });
    if (finished.changes === 1)
      this.#keep.run(changes, { id, result: packResult(result), responseBody: body.length > 0 ? body : null });
  }

  readonly #finish = this.command<Pick<FinishedAttempt, 'id' | 'outcome' | 'status' | 'durationMs'>>(
    `UPDATE attempts SET outcome = @outcome, status = @status, duration_ms = @durationMs
     WHERE id = @id AND outcome IS NULL`,
  );

  readonly #keep = this.command<{ id: number; result: string; responseBody: Uint8Array | null }>(
    insertInto('attempt_results', ['id', 'result', 'responseBody']),
  );
}
