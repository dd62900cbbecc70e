/** The due queue in SQLite. Only one engine has the store, so a claim is a read. */

import { isResting, type Resting, type Standing } from '../model/moves.ts';
import { EMPTY_CELLS } from '../model/vocabulary.ts';
import { Bodies } from './bodies.ts';
import { type Damage, isDamage } from './damage.ts';
import type { Db } from './database.ts';
import type { DueTimes } from './due-times.ts';
import { MessageWalk, type WalkFrom } from './message-walk.ts';
import { NEWEST_ATTEMPT } from './newest-attempt.ts';
import { Outcomes } from './outcomes.ts';
import type { Claim, Claimed, DueMessage, DuePlace, DueStore } from './ports/due.ts';
import { columns, Reads } from './statements.ts';

interface DueRow extends Standing<Resting> {
  readonly nextDueAt: number;
  readonly receivedAt: number;
  /** Bytes of the call. */
  readonly size: number;
}

const COLUMNS = columns([
  'id',
  'receivedAt',
  'state',
  'round',
  'nextDueAt',
  'firstAttemptAt',
  'windowEndsAt',
  'cells',
  'size',
]);
const EVER = Number.MAX_SAFE_INTEGER;
const NO_OUTCOMES: DueMessage['outcomes'] = new Map();

/** A row as delivery wrote it. A damaged row may hold anything. */
const isSound = ({ state, round, nextDueAt, cells, windowEndsAt }: DueRow): boolean =>
  isResting(state) &&
  [round, nextDueAt, windowEndsAt ?? 0].every(Number.isSafeInteger) &&
  cells.length === EMPTY_CELLS.length;

const placeOf = ({ nextDueAt, id }: DueRow): DuePlace => ({ dueAt: nextDueAt, id });
const byPlace = (a: DuePlace, b: DuePlace): number => a.dueAt - b.dueAt || a.id - b.id;

export class SqliteDue extends Reads implements DueStore {
  readonly #damage: Damage;
  readonly #dueTimes: DueTimes;
  readonly #bodies: Bodies;
  readonly #outcomes: Outcomes;
  readonly #walk: MessageWalk;
  /** Waiting messages by due time, as the last walk found them. Null while the index of due times is trusted. */
  #walked: DueRow[] | null = null;

  constructor(db: Db, damage: Damage, dueTimes: DueTimes) {
    super(db);
    this.#damage = damage;
    this.#dueTimes = dueTimes;
    this.#bodies = new Bodies(db, damage);
    this.#outcomes = new Outcomes(db, damage);
    this.#walk = new MessageWalk(db, damage);
  }

  async claim({ until, after, limit }: Claim): Promise<Claimed> {
    const rows = this.#due(until, after, limit);
    const wires = this.#bodies.together(rows);
    return {
      messages: this.#messages(rows).map((message) => ({ ...message, wire: wires.get(message.id) ?? null })),
      nextDueAt: rows.length < limit ? this.#nextDueAfter(until) : null,
    };
  }

  async waiting(after: DuePlace, limit: number): Promise<readonly DueMessage[]> {
    return this.#messages(this.#due(EVER, after, limit));
  }

  #messages(rows: readonly DueRow[]): DueMessage[] {
    const outcomes = this.#outcomes.ofAll(rows.filter(({ round }) => round > 0).map(({ id }) => id));
    return rows.map(({ size, ...row }) => ({
      ...row,
      wire: null,
      outcomes: row.round === 0 ? NO_OUTCOMES : (outcomes.get(row.id) ?? null),
    }));
  }

  #due(until: number, after: DuePlace, limit: number): DueRow[] {
    if (this.#dueTimes.areTrusted) {
      try {
        return this.#byIndex.all({ until, dueAt: after.dueAt, id: after.id, limit });
      } catch (error) {
        if (!isDamage(error)) throw error;
        this.#damage.found((error as Error).message);
        this.#dueTimes.distrust();
      }
    }
    return this.#walkedFrom(after)
      .filter((row) => row.nextDueAt <= until && byPlace(placeOf(row), after) > 0)
      .slice(0, limit);
  }

  readonly #byIndex = this.query<{ until: number; dueAt: number; id: number; limit: number }, DueRow>(
    `SELECT ${COLUMNS} FROM messages
     WHERE next_due_at IS NOT NULL AND (next_due_at, id) > (@dueAt, @id) AND next_due_at <= @until
       AND state <> 'delivering' AND state <> 'waiting'
     ORDER BY next_due_at, id LIMIT @limit`,
  );

  /** Every claim from the start walks again. */
  #walkedFrom(after: DuePlace): readonly DueRow[] {
    if (this.#walked === null || after.id === 0)
      this.#walked = this.#walk
        .all((step) => this.#byWalk.all(step))
        .filter(isSound)
        .sort((a, b) => byPlace(placeOf(a), placeOf(b)));
    return this.#walked;
  }

  readonly #byWalk = this.query<WalkFrom, DueRow>(
    `SELECT ${COLUMNS} FROM messages NOT INDEXED WHERE id >= @from AND next_due_at IS NOT NULL ORDER BY id LIMIT @limit`,
  );

  #nextDueAfter(now: number): number | null {
    if (!this.#dueTimes.areTrusted)
      return (this.#walked ?? []).find(({ nextDueAt }) => nextDueAt > now)?.nextDueAt ?? null;
    return this.#damage.around(() => this.#nextDue.get({ now }) ?? null, null);
  }

  readonly #nextDue = this.column<{ now: number }, number | null>(
    'SELECT min(next_due_at) FROM messages WHERE next_due_at IS NOT NULL AND next_due_at > @now',
  );

  wire(messageId: number): Uint8Array | null {
    return this.#bodies.one(messageId);
  }

  wireToSend(messageId: number): Uint8Array | null {
    const wire = this.wire(messageId);
    if (wire === null) this.#damage.found(`the body of message ${messageId}`);
    return wire;
  }

  lastOutcomes(messageId: number): DueMessage['outcomes'] {
    return this.#outcomes.of(messageId);
  }

  nextRoundAfter(now: number): number | null {
    return this.#nextRound.get({ now }) ?? null;
  }

  readonly #nextRound = this.column<{ now: number }, number | null>(
    "SELECT min(next_due_at) FROM messages WHERE next_due_at > @now AND state = 'retrying'",
  );

  newestReading(): number | null {
    return this.#damage.around(() => this.#newestReading.get() ?? null, null);
  }

  readonly #newestReading = this.column<undefined, number | null>(
    `SELECT nullif(max(
       coalesce((SELECT clock_at FROM open_attempts WHERE id = ${NEWEST_ATTEMPT}),
         (SELECT clock_at FROM attempts WHERE id = ${NEWEST_ATTEMPT}), -1),
       coalesce((SELECT max(next_due_at) FROM messages
         WHERE id > (SELECT max(id) FROM messages) - 1000 AND state = 'queued'), -1)), -1)`,
  );
}
