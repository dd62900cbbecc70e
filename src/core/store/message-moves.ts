/** Applies moves. The state of a stored message changes only here. */
import type { Move } from '../model/moves.ts';
import type { Db } from './database.ts';
import type { DueTimes } from './due-times.ts';
import type { Changes } from './ports/changes.ts';
import { type Command, Writes } from './statements.ts';

interface MoveParams {
  readonly id: number;
  readonly fromState: string;
  readonly fromRound: number;
  readonly state: string;
  readonly round: number;
  readonly cells: string;
  readonly nextDueAt: number | null;
  readonly firstAttemptAt: number | null;
  readonly windowEndsAt: number | null;
  readonly finishedAt: number | null;
  readonly reason: string | null;
}

const GUARD = 'WHERE id = @id AND state = @fromState AND round = @fromRound';
const BEGIN = `UPDATE messages SET state = @state, round = @round, cells = @cells,
  first_attempt_at = @firstAttemptAt, window_ends_at = @windowEndsAt, room = NULL`;

const paramsOf = ({ from, to, finishedAt, reason }: Move): MoveParams => ({
  id: from.id,
  fromState: from.state,
  fromRound: from.round,
  state: to.state,
  round: to.round,
  cells: to.cells,
  nextDueAt: to.nextDueAt,
  firstAttemptAt: to.firstAttemptAt,
  windowEndsAt: to.windowEndsAt,
  finishedAt,
  reason,
});

export class MessageMoves extends Writes {
  readonly #dueTimes: DueTimes;

  constructor(db: Db, dueTimes: DueTimes) {
    super(db);
    this.#dueTimes = dueTimes;
  }

  /** False when the message is no longer in the state that the move started from. Nothing is written then. */
  apply(move: Move, changes: Changes): boolean {
    const { changes: rows } = this.#commandFor(move).run(changes, paramsOf(move));
    if (rows === 1) changes.movedMessage(move.from.id, move.from.state, move.to.state);
    return rows === 1;
  }

  /** Naming a column costs a write to its index, changed or not. So a move names only the columns that it changes. */
  #commandFor({ from, to, finishedAt }: Move) {
    if (to.round !== from.round) return this.#beginCommand();
    const isInPlace = to.nextDueAt === from.nextDueAt && finishedAt === null;
    return isInPlace ? this.#show : this.#place;
  }

  /** Made when first needed, because a repair ends messages in stores of versions that have no column for room. */
  #beginCommand(): Command<MoveParams> {
    this.#begin ??= this.command(`${BEGIN} ${GUARD}`);
    this.#beginWithDueTime ??= this.command(`${BEGIN}, next_due_at = next_due_at ${GUARD}`);
    return this.#dueTimes.areTrusted ? this.#begin : this.#beginWithDueTime;
  }

  #begin: Command<MoveParams> | undefined;

  /** Uses the index of due times, as the round's end will. A round that cannot be ended must not be sent. */
  #beginWithDueTime: Command<MoveParams> | undefined;

  readonly #show = this.command<MoveParams>(`UPDATE messages SET state = @state, cells = @cells ${GUARD}`);

  readonly #place = this.command<MoveParams>(
    `UPDATE messages SET state = @state, cells = @cells, next_due_at = @nextDueAt, finished_at = @finishedAt,
       reason = coalesce(@reason, reason) ${GUARD}`,
  );
}
