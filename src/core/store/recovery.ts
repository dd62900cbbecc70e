/** Recovers at start what a crash left under way, and resumes paused messages when a webhook is on. */
import {
  deliver,
  interrupt,
  interruptedCells,
  isUnderWay,
  resume,
  type Standing,
  show,
  type UnderWay,
} from '../model/moves.ts';
import { INTERRUPT_OPEN, REMOVE_OPEN } from './attempts.ts';
import type { Damage } from './damage.ts';
import type { Db } from './database.ts';
import type { DueTimes } from './due-times.ts';
import { MessageMoves } from './message-moves.ts';
import { MessageWalk, type WalkFrom } from './message-walk.ts';
import { RARE_STATE } from './migrations.ts';
import { Outcomes } from './outcomes.ts';
import type { Changes } from './ports/changes.ts';
import type { RecoveryStore } from './ports/recovery.ts';
import { columns, Writes } from './statements.ts';

const STANDING = columns(['id', 'state', 'round', 'cells', 'nextDueAt', 'firstAttemptAt', 'windowEndsAt']);
const UNDER_WAY = "(state = 'delivering' OR state = 'waiting')";
/** How many paused messages are read at once. */
const PAGE = 1_000;
const NO_SLOTS: ReadonlySet<number> = new Set();

interface OpenAttempt {
  readonly messageId: number;
  readonly replayId: number | null;
  readonly slot: number;
}

export class SqliteRecovery extends Writes implements RecoveryStore {
  readonly #damage: Damage;
  readonly #dueTimes: DueTimes;
  readonly #moves: MessageMoves;
  readonly #outcomes: Outcomes;
  readonly #walk: MessageWalk;

  constructor(db: Db, damage: Damage, dueTimes: DueTimes) {
    super(db);
    this.#damage = damage;
    this.#dueTimes = dueTimes;
    this.#moves = new MessageMoves(db, dueTimes);
    this.#outcomes = new Outcomes(db, damage);
    this.#walk = new MessageWalk(db, damage);
  }

  get areDueTimesTrusted(): boolean {
    return this.#dueTimes.areTrusted;
  }

  distrustDueTimes(): void {
    this.#dueTimes.distrust();
  }

  recover(now: number, finishedAt: number, changes: Changes): number {
    this.#interruptAll.run(changes);
    const open = this.#removeAll.all(changes);
    const slots = new Map<number, Set<number>>();
    for (const { messageId, replayId, slot } of open) {
      changes.messages.add(messageId);
      if (replayId === null) slots.set(messageId, (slots.get(messageId) ?? new Set()).add(slot));
    }
    for (const message of this.#underWay.all())
      this.#moves.apply(interrupt(message, now, slots.get(message.id) ?? NO_SLOTS), changes);
    for (const [id, own] of slots) this.#showInterrupted(id, own, changes);
    this.finishOpenReplays(finishedAt, changes);
    return open.length;
  }

  /** The cells of an already final message show that its last attempts were interrupted. */
  #showInterrupted(id: number, slots: ReadonlySet<number>, changes: Changes): void {
    const message = this.#standing.get({ id });
    if (message === undefined) return;
    const cells = interruptedCells(message.cells, slots);
    if (cells !== message.cells) this.#moves.apply(show(message, { cells, isOpen: false }), changes);
  }

  readonly #interruptAll = this.command<undefined>(INTERRUPT_OPEN);
  readonly #removeAll = this.command<undefined, OpenAttempt>(
    `${REMOVE_OPEN} RETURNING ${columns(['messageId', 'replayId', 'slot'])}`,
  );

  readonly #underWay = this.query<undefined, Standing<UnderWay>>(
    `SELECT ${STANDING} FROM messages WHERE next_due_at IS NOT NULL AND ${UNDER_WAY}`,
  );

  readonly #standing = this.query<{ id: number }, Standing>(`SELECT ${STANDING} FROM messages WHERE id = @id`);

  readonly #finishReplays = this.command<{ finishedAt: number }>(
    "UPDATE replays SET finished_at = @finishedAt, next_at = NULL, ended = 'interrupted' WHERE finished_at IS NULL",
  );

  readonly #interruptJobs = this.command<{ finishedAt: number }>(
    "UPDATE replay_jobs SET state = 'interrupted', finished_at = @finishedAt WHERE finished_at IS NULL",
  );

  leftOpen(): { attempts: number[]; messages: number[] } {
    return {
      attempts: this.#damage.around(() => this.#openAttempts.all(), []),
      messages: this.#walk.all((step) => this.#underWayFrom.all(step)).map(({ id }) => id),
    };
  }

  readonly #openAttempts = this.column<undefined, number>('SELECT id FROM open_attempts');

  readonly #underWayFrom = this.query<WalkFrom, { id: number }>(
    `SELECT id FROM messages NOT INDEXED WHERE id >= @from AND ${UNDER_WAY} ORDER BY id LIMIT @limit`,
  );

  interruptOne(id: number, changes: Changes): void {
    this.#interruptOne.run(changes, { id });
    this.#removeOne.run(changes, { id });
  }

  readonly #interruptOne = this.command<{ id: number }>(`${INTERRUPT_OPEN} WHERE id = @id`);
  readonly #removeOne = this.command<{ id: number }>(`${REMOVE_OPEN} WHERE id = @id`);

  recoverOne(id: number, now: number, finishedAt: number, changes: Changes): void {
    const message = this.#standing.get({ id });
    if (message === undefined || !isUnderWay(message.state)) return;
    const standing = message as Standing<UnderWay>;
    const accepted = [...(this.#outcomes.of(id)?.values() ?? [])].includes('accepted');
    const move = accepted
      ? deliver(standing, finishedAt, interruptedCells(message.cells, null))
      : interrupt(standing, now, null);
    this.#moves.apply(move, changes);
  }

  finishOpenReplays(finishedAt: number, changes: Changes): void {
    this.#finishReplays.run(changes, { finishedAt });
    this.#interruptJobs.run(changes, { finishedAt });
  }

  resumePaused(now: number, changes: Changes): void {
    let after = 0;
    for (;;) {
      const paused = this.#pausedAfter.all({ after, limit: PAGE });
      for (const message of paused) this.#moves.apply(resume(message, now), changes);
      if (paused.length < PAGE) return;
      after = paused.at(-1)!.id;
    }
  }

  readonly #pausedAfter = this.query<{ after: number; limit: number }, Standing<'paused'>>(
    `SELECT ${STANDING} FROM messages WHERE ${RARE_STATE} AND state = 'paused' AND id > @after ORDER BY id LIMIT @limit`,
  );

  pausedIds(): number[] {
    return this.#walk.all((step) => this.#pausedFrom.all(step)).map(({ id }) => id);
  }

  readonly #pausedFrom = this.query<WalkFrom, { id: number }>(
    "SELECT id FROM messages NOT INDEXED WHERE id >= @from AND state = 'paused' ORDER BY id LIMIT @limit",
  );

  resumeOne(id: number, now: number, changes: Changes): void {
    const message = this.#standing.get({ id });
    if (message?.state === 'paused') this.#moves.apply(resume(message as Standing<'paused'>, now), changes);
  }
}
