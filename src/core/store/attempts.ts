/**
 * Writes attempts: the beginning of each in the small table of open ones, and its end once, among all that have ended.
 */

import { NEWEST_ATTEMPT } from './newest-attempt.ts';
import { packResult } from './packed-result.ts';
import type { Changes } from './ports/changes.ts';
import type { FinishedAttempt, NewAttempt } from './ports/rounds.ts';
import { columnList, Writes } from './statements.ts';

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
const OF_OPEN = columnList(['id', ...NEW_ATTEMPT_NAMES], 'o');

/**
 * Ends open attempts without a result; {@link REMOVE_OPEN} must follow with the same WHERE. One that has ended, too, as
 * in a repaired store, stays as it ended.
 */
export const INTERRUPT_OPEN = `INSERT OR IGNORE INTO attempts (${COLUMNS}, outcome)
  SELECT ${COLUMNS}, 'interrupted' FROM open_attempts`;
export const REMOVE_OPEN = 'DELETE FROM open_attempts';

type Ended = Pick<FinishedAttempt, 'id' | 'outcome' | 'status' | 'durationMs'>;
interface Kept {
  readonly id: number;
  readonly result: string;
  readonly responseBody: Uint8Array | null;
}

/** Rows of values beside the open attempts that they end. One that has ended is not among them. */
const endedRows = (rows: string): string => `(${rows}) ended CROSS JOIN open_attempts o ON o.id = ended.column1`;

export class Attempts extends Writes {
  /** Returns their row ids. */
  open(attempts: readonly NewAttempt[], changes: Changes): number[] {
    const first = this.#newest.get()! + 1;
    const rows = attempts.map((attempt, place) => ({ ...attempt, id: first + place }));
    this.#open.run(changes, rows);
    return rows.map(({ id }) => id);
  }

  readonly #newest = this.column<undefined, number>(`SELECT ${NEWEST_ATTEMPT}`);

  readonly #open = this.bulk<NewAttempt & { readonly id: number }>(
    ['id', ...NEW_ATTEMPT_NAMES],
    (rows) => `INSERT INTO open_attempts (${COLUMNS}) ${rows}`,
    ['replayId', 'webhookId', 'slot', 'webhookName', 'url', 'round'],
  );

  finish(attempts: readonly FinishedAttempt[], changes: Changes): void {
    const ids = attempts.map(({ id }) => id);
    this.#end.run(changes, attempts);
    this.#keep.run(changes, attempts.map(kept));
    this.#remove.run(changes, {}, ids);
  }

  readonly #end = this.bulk<Ended>(
    ['id', 'outcome', 'status', 'durationMs'],
    (rows) => `INSERT INTO attempts (${COLUMNS}, outcome, status, duration_ms)
      SELECT ${OF_OPEN}, ended.column2, ended.column3, ended.column4 FROM ${endedRows(rows)}`,
  );

  readonly #keep = this.bulk<Kept>(
    ['id', 'result', 'responseBody'],
    (rows) => `INSERT INTO attempt_results (id, result, response_body)
      SELECT ended.column1, ended.column2, ended.column3 FROM ${endedRows(rows)}`,
  );

  // Not by rows of VALUES: to look up a single one there took 3 µs more.
  readonly #remove = this.shared<object>(`${REMOVE_OPEN} WHERE true`);
}

const kept = ({ id, result, body }: FinishedAttempt): Kept => ({
  id,
  result: packResult(result),
  responseBody: body.length > 0 ? body : null,
});
