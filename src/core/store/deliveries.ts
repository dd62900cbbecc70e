/** Reads and writes of delivery: due messages, rounds, attempts, replays. Every move is guarded by the state it starts from. */
import { crc32 } from 'node:zlib';
import type { Outcome } from '../model/attempt.ts';
import { type Cells, type DeliveryReason, EMPTY_CELLS, type MessageState } from '../model/message.ts';
import type { NewMessage, StoredMessage } from '../model/records.ts';
import type { StoredResult } from '../model/stored.ts';
import { type Damage, isDamage, untold } from './damage.ts';
import type { Db } from './database.ts';
import { RARE_STATE } from './migrations.ts';
import type { Changes } from './ports/changes.ts';
import { walk } from './walk.ts';

/** A message whose round is due. Times are of the retry clock. */
export interface DueMessage {
  readonly id: number;
  /** Wall time of its receipt. */
  readonly receivedAt: number;
  readonly state: Extract<MessageState, 'queued' | 'delivering' | 'retrying' | 'paused'>;
  /** Rounds begun so far. */
  readonly round: number;
  readonly nextDueAt: number;
  readonly firstAttemptAt: number | null;
  readonly windowEndsAt: number | null;
  readonly cells: Cells;
  /** The delivered bytes of a fresh one; null when they are to be read, each apart, since any may be damaged. */
  readonly wire: Uint8Array | null;
}

export interface NewAttempt {
  readonly messageId: number;
  readonly replayId: number | null;
  readonly webhookId: number;
  readonly slot: number;
  readonly webhookName: string;
  readonly url: string;
  readonly round: number;
  readonly startedAt: number;
  readonly clockAt: number;
}

export interface BegunRound {
  readonly id: number;
  readonly from: MessageState;
  /** The round before. */
  readonly fromRound: number;
  readonly cells: Cells;
  readonly firstAttemptAt: number;
  readonly windowEndsAt: number;
}

/** Where a message goes from `delivering`. */
export interface Settled {
  readonly id: number;
  readonly from: MessageState;
  readonly to: MessageState;
  readonly cells: Cells;
  readonly nextDueAt: number | null;
  readonly finishedAt: number | null;
  /** Why, where the attempts do not say it. */
  readonly reason?: DeliveryReason;
}

/** Where a message stands. */
export interface MessageStanding {
  readonly state: MessageState;
  readonly round: number;
  readonly cells: Cells;
  readonly receivedAt: number;
}

interface DueRow {
  id: number;
  received_at: number;
  state: DueMessage['state'];
  round: number;
  next_due_at: number;
  first_attempt_at: number | null;
  window_ends_at: number | null;
  cells: string;
}

const toDue = (row: DueRow): DueMessage => ({
  id: row.id,
  receivedAt: row.received_at,
  state: row.state,
  round: row.round,
  nextDueAt: row.next_due_at,
  firstAttemptAt: row.first_attempt_at,
  windowEndsAt: row.window_ends_at,
  cells: row.cells,
  wire: null,
});

/** A row as delivery wrote it: a damaged one may hold anything. */
const isSound = ({ state, round, next_due_at, cells, window_ends_at }: DueRow): boolean =>
  (state === 'queued' || state === 'retrying' || state === 'paused') &&
  [round, next_due_at, window_ends_at ?? 0].every(Number.isSafeInteger) &&
  cells.length === EMPTY_CELLS.length;

const byDueTime = (a: DueRow, b: DueRow): number => a.next_due_at - b.next_due_at || a.id - b.id;

/** What of a stored request is due at once, as {@link DeliveryStore.due} would read it, without reading it. */
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
    const untried = { round: 0, firstAttemptAt: null, windowEndsAt: null, cells: EMPTY_CELLS };
    due.push({ id, receivedAt, state, nextDueAt: dueAt, wire, ...untried });
  }
  return due;
}

export class DeliveryStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #damage: Damage;
  /** What waits, by due time, as a walk through the table found it; null while the index of due times is trusted. */
  #walked: DueRow[] | null = null;

  constructor(db: Db, damage: Damage = untold()) {
    this.#statements = prepare(db);
    this.#damage = damage;
  }

  /** Due at or before `now`, after the keyset position, in order of due time. */
  due(now: number, after: { dueAt: number; id: number }, limit: number): DueMessage[] {
    if (this.#walked === null) {
      try {
        return (this.#statements.due.all({ now, dueAt: after.dueAt, id: after.id, limit }) as DueRow[]).map(toDue);
      } catch (error) {
        if (!isDamage(error)) throw error;
        this.#damage.found((error as Error).message);
        this.distrust();
      }
    }
    if (after.id === 0) this.#walked = this.#walkWaiting();
    const position = { ...after, next_due_at: after.dueAt } as unknown as DueRow;
    return (this.#walked ?? [])
      .filter((row) => row.next_due_at <= now && byDueTime(row, position) > 0)
      .slice(0, limit)
      .map(toDue);
  }

  /** From here on what is due is found by walking through the table, around what cannot be read. */
  distrust(): void {
    this.#walked ??= this.#walkWaiting();
  }

  get isDistrusted(): boolean {
    return this.#walked !== null;
  }

  #walkWaiting(): DueRow[] {
    const rows = this.#walk<DueRow>((from, limit) => this.#statements.waiting.all(from, limit) as DueRow[]);
    return rows.filter(isSound).sort(byDueTime);
  }

  #walk<T extends { id: number }>(read: (from: number, limit: number) => T[]): T[] {
    const first = this.#damage.around(() => this.#statements.first.get() as number | null, null);
    const damaged = (): void => this.#damage.found('a page of messages');
    return [...walk(read, damaged, (first ?? 1) - 1)].flat();
  }

  /** The earliest due time after `now`, or null. */
  nextDueAfter(now: number): number | null {
    if (this.#walked !== null) return this.#walked.find((row) => row.next_due_at > now)?.next_due_at ?? null;
    return this.#damage.around(() => this.#statements.nextDue.get(now) as number | null, null);
  }

  /** The earliest round planned after `now`, or null; paused messages have none. */
  nextRoundAfter(now: number): number | null {
    return this.#statements.nextRound.get(now) as number | null;
  }

  /** The newest reading of the retry clock that the store shows: of the last attempt, or of calls taken since. */
  newestReading(): number | null {
    return this.#damage.around(() => this.#statements.newestReading.get() as number | null, null);
  }

  /** The newest outcome of each webhook that the message was tried at; replays do not count. Null when damaged. */
  lastOutcomes(messageId: number): Map<number, Outcome> | null {
    const read = () => this.#statements.lastOutcomes.all(messageId) as Array<{ webhook_id: number; outcome: Outcome }>;
    const rows = this.#damage.around(read, null);
    return rows && new Map(rows.map(({ webhook_id, outcome }) => [webhook_id, outcome]));
  }

  /** The delivered bytes, or null when there are none or they are damaged. */
  wire(messageId: number): Uint8Array | null {
    const read = () => this.#statements.wire.get(messageId) as { wire: Uint8Array; crc32: number } | undefined;
    const row = this.#damage.around(read, undefined);
    if (row === undefined) return null;
    if (crc32(row.wire) === row.crc32) return row.wire;
    this.#damage.found(`the body of message ${messageId}`);
    return null;
  }

  /** The delivered bytes of a message that must have some; null when they are damaged. */
  wireToSend(messageId: number): Uint8Array | null {
    const wire = this.wire(messageId);
    if (wire === null) this.#damage.found(`the body of message ${messageId}`);
    return wire;
  }

  /** False when the message was moved by someone else meanwhile. */
  beginRound(round: BegunRound, changes: Changes): boolean {
    const { begin, beginWithDueTime } = this.#statements;
    const { changes: rows } = (this.isDistrusted ? beginWithDueTime : begin).run(
      round.cells,
      round.firstAttemptAt,
      round.windowEndsAt,
      round.id,
      round.from,
      round.fromRound,
    );
    if (rows === 1) changes.movedMessage(round.id, round.from, 'delivering');
    return rows === 1;
  }

  openAttempt(attempt: NewAttempt): number {
    const { lastInsertRowid } = this.#statements.openAttempt.run(
      attempt.messageId,
      attempt.replayId,
      attempt.webhookId,
      attempt.slot,
      attempt.webhookName,
      attempt.url,
      attempt.round,
      attempt.startedAt,
      attempt.clockAt,
    );
    return Number(lastInsertRowid);
  }

  finishAttempt(
    id: number,
    outcome: Outcome,
    status: number | null,
    durationMs: number,
    result: StoredResult,
    body: Uint8Array,
  ): void {
    const { changes } = this.#statements.finishAttempt.run(outcome, status, durationMs, id);
    if (changes === 1) this.#statements.keepResult.run(id, JSON.stringify(result), body.length > 0 ? body : null);
  }

  setCells(id: number, cells: Cells, changes: Changes): void {
    this.#statements.cells.run(cells, id);
    changes.messages.add(id);
  }

  /** False when the message is not in `from` any more. */
  settle(move: Settled, changes: Changes): boolean {
    const { changes: rows } = this.#statements.settle.run(
      move.to,
      move.cells,
      move.nextDueAt,
      move.finishedAt,
      move.reason ?? null,
      move.id,
      move.from,
    );
    if (rows === 1) changes.movedMessage(move.id, move.from, move.to);
    return rows === 1;
  }

  /** Paused messages wait for their round again: until the time that they kept, else due at `now`. */
  resumePaused(now: number, changes: Changes): void {
    for (const row of this.#statements.resume.all({ now }) as Array<{ id: number; state: MessageState }>)
      changes.movedMessage(row.id, 'paused', row.state);
  }

  /** Paused messages, as far as they can be read. */
  pausedIds(): number[] {
    return this.#walk((from, limit) => this.#statements.pausedFrom.all(from, limit) as { id: number }[]).map(
      ({ id }) => id,
    );
  }

  resumeOne(id: number, now: number, changes: Changes): void {
    const row = this.#statements.resumeOne.get({ now, id }) as { state: MessageState } | undefined;
    if (row !== undefined) changes.movedMessage(id, 'paused', row.state);
  }

  stateOf(id: number): MessageStanding | undefined {
    return this.#statements.state.get(id) as MessageStanding | undefined;
  }

  /** Makes a waiting message due at `now`. False when it is not waiting. */
  makeDue(id: number, now: number, changes: Changes): boolean {
    const { changes: rows } = this.#statements.makeDue.run(now, id);
    if (rows === 1) changes.messages.add(id);
    return rows === 1;
  }

  openReplay(messageId: number, createdAt: number, webhookIds: readonly number[], changes: Changes): number {
    const { lastInsertRowid } = this.#statements.openReplay.run(messageId, createdAt, JSON.stringify(webhookIds));
    this.#statements.countReplay.run(messageId);
    changes.messages.add(messageId);
    return Number(lastInsertRowid);
  }

  finishReplay(id: number, messageId: number, finishedAt: number, changes: Changes): void {
    this.#statements.finishReplay.run(finishedAt, id);
    changes.messages.add(messageId);
  }

  /** Writes a little, to find out whether that works again: an empty transaction succeeds on a full disk. */
  probe(now: number): void {
    this.#statements.probe.run(String(now));
  }

  /**
   * After a crash: open attempts become `interrupted`, their messages are due at `now`, open replays end.
   * A final message stays final. Returns how many attempts were open.
   */
  recover(now: number, finishedAt: number, changes: Changes): number {
    const open = this.#statements.interrupt.all() as Array<{ message_id: number; replay_id: number | null }>;
    for (const { message_id, replay_id } of open) {
      changes.messages.add(message_id);
      if (replay_id === null) this.#statements.interruptCells.run(message_id);
    }
    for (const row of this.#statements.recover.all(now) as Array<{ id: number }>)
      changes.movedMessage(row.id, 'delivering', 'retrying');
    this.#statements.finishOpenReplays.run(finishedAt);
    return open.length;
  }

  /** The same in a damaged store: what can be read is listed first, and each then moved by a write of its own. */
  leftOpen(): { attempts: number[]; messages: number[] } {
    const read = (from: number, limit: number): { id: number }[] =>
      this.#statements.underWay.all(from, limit) as { id: number }[];
    return {
      attempts: this.#damage.around(() => this.#statements.openAttempts.all() as number[], []),
      messages: this.#walk(read).map(({ id }) => id),
    };
  }

  interruptOne(attemptId: number): void {
    this.#statements.interruptOne.run(attemptId);
  }

  /** A message that was accepted though its move could not be written is delivered, never sent again. */
  recoverOne(id: number, now: number, finishedAt: number, changes: Changes): void {
    const outcomes = this.lastOutcomes(id);
    this.#statements.interruptCells.run(id);
    const cells = (this.stateOf(id)?.cells ?? EMPTY_CELLS) as Cells;
    const accepted = outcomes !== null && [...outcomes.values()].includes('accepted');
    const move = accepted
      ? { to: 'delivered' as const, nextDueAt: null, finishedAt }
      : { to: 'retrying' as const, nextDueAt: now, finishedAt: null };
    this.settle({ id, from: 'delivering', cells, ...move }, changes);
  }

  finishOpenReplays(finishedAt: number): void {
    this.#statements.finishOpenReplays.run(finishedAt);
  }
}

const DUE_COLUMNS = 'id, received_at, state, round, next_due_at, first_attempt_at, window_ends_at, cells';

/** A paused message waits again: until the time that it kept, else it is due at once. */
const RESUMED = `state = CASE round WHEN 0 THEN 'queued' ELSE 'retrying' END,
  next_due_at = CASE WHEN next_due_at BETWEEN @now AND window_ends_at THEN next_due_at ELSE @now END`;

function prepare(db: Db) {
  return {
    due: db.prepare(
      `SELECT ${DUE_COLUMNS} FROM messages
       WHERE next_due_at IS NOT NULL AND (next_due_at, id) > (@dueAt, @id) AND next_due_at <= @now
       ORDER BY next_due_at, id LIMIT @limit`,
    ),
    first: db.prepare('SELECT min(id) FROM messages').pluck(),
    waiting: db.prepare(
      `SELECT ${DUE_COLUMNS} FROM messages NOT INDEXED WHERE id >= ? AND next_due_at IS NOT NULL ORDER BY id LIMIT ?`,
    ),
    underWay: db.prepare(
      "SELECT id FROM messages NOT INDEXED WHERE id >= ? AND state = 'delivering' ORDER BY id LIMIT ?",
    ),
    pausedFrom: db.prepare(
      "SELECT id FROM messages NOT INDEXED WHERE id >= ? AND state = 'paused' ORDER BY id LIMIT ?",
    ),
    nextDue: db
      .prepare('SELECT min(next_due_at) FROM messages WHERE next_due_at IS NOT NULL AND next_due_at > ?')
      .pluck(),
    nextRound: db.prepare("SELECT min(next_due_at) FROM messages WHERE next_due_at > ? AND state = 'retrying'").pluck(),
    newestReading: db
      .prepare(
        `SELECT nullif(max(
           coalesce((SELECT clock_at FROM attempts WHERE id = (SELECT max(id) FROM attempts)), -1),
           coalesce((SELECT max(next_due_at) FROM messages
             WHERE id > (SELECT max(id) FROM messages) - 1000 AND state = 'queued'), -1)), -1)`,
      )
      .pluck(),
    lastOutcomes: db.prepare(
      `SELECT webhook_id, outcome, max(id) FROM attempts
       WHERE message_id = ? AND replay_id IS NULL AND outcome IS NOT NULL GROUP BY webhook_id`,
    ),
    wire: db.prepare('SELECT wire, crc32 FROM message_bodies WHERE id = ?'),
    begin: db.prepare(
      `UPDATE messages SET state = 'delivering', round = round + 1, cells = ?, first_attempt_at = ?, window_ends_at = ?
       WHERE id = ? AND state = ? AND round = ?`,
    ),
    // Goes through the index of due times as its settling will: what cannot be settled must not be sent.
    beginWithDueTime: db.prepare(
      `UPDATE messages SET state = 'delivering', round = round + 1, cells = ?, first_attempt_at = ?, window_ends_at = ?,
         next_due_at = next_due_at
       WHERE id = ? AND state = ? AND round = ?`,
    ),
    openAttempt: db.prepare(
      `INSERT INTO attempts (message_id, replay_id, webhook_id, slot, webhook_name, url, round, started_at, clock_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    finishAttempt: db.prepare(
      'UPDATE attempts SET outcome = ?, status = ?, duration_ms = ? WHERE id = ? AND outcome IS NULL',
    ),
    keepResult: db.prepare('INSERT INTO attempt_results (id, result, response_body) VALUES (?, ?, ?)'),
    cells: db.prepare('UPDATE messages SET cells = ? WHERE id = ?'),
    settle: db.prepare(
      `UPDATE messages SET state = ?, cells = ?, next_due_at = ?, finished_at = ?, reason = coalesce(?, reason)
       WHERE id = ? AND state = ?`,
    ),
    resume: db.prepare(
      `UPDATE messages SET ${RESUMED}
       WHERE ${RARE_STATE} AND state = 'paused'
       RETURNING id, state`,
    ),
    resumeOne: db.prepare(`UPDATE messages SET ${RESUMED} WHERE id = @id AND state = 'paused' RETURNING state`),
    state: db.prepare('SELECT state, round, cells, received_at AS receivedAt FROM messages WHERE id = ?'),
    makeDue: db.prepare("UPDATE messages SET next_due_at = ? WHERE id = ? AND state IN ('queued', 'retrying')"),
    openReplay: db.prepare('INSERT INTO replays (message_id, created_at, webhook_ids) VALUES (?, ?, ?)'),
    countReplay: db.prepare('UPDATE messages SET replays = replays + 1 WHERE id = ?'),
    finishReplay: db.prepare('UPDATE replays SET finished_at = ? WHERE id = ?'),
    interrupt: db.prepare(
      "UPDATE attempts SET outcome = 'interrupted' WHERE outcome IS NULL RETURNING message_id, replay_id",
    ),
    openAttempts: db.prepare('SELECT id FROM attempts WHERE outcome IS NULL').pluck(),
    interruptOne: db.prepare("UPDATE attempts SET outcome = 'interrupted' WHERE id = ? AND outcome IS NULL"),
    interruptCells: db.prepare("UPDATE messages SET cells = replace(cells, 's', 'i') WHERE id = ?"),
    recover: db.prepare(
      `UPDATE messages SET state = 'retrying', next_due_at = ?
       WHERE next_due_at IS NOT NULL AND state = 'delivering' RETURNING id`,
    ),
    probe: db.prepare(
      "INSERT INTO settings (key, value) VALUES ('probed', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    ),
    finishOpenReplays: db.prepare('UPDATE replays SET finished_at = ? WHERE finished_at IS NULL'),
  };
}
