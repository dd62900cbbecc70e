/** The watch's own connection to a SQLite file, which sees only committed rows. */
import Database from 'better-sqlite3';
import type { Outcome } from '../../src/core/model/vocabulary.ts';
import { ALL_ATTEMPTS } from '../helpers/store-rows.ts';
import type { AttemptRow, CommittedRows, MessageRow, ReceivedRow, ReplayRow } from './committed-rows.ts';

const MESSAGE = `SELECT id, message_id AS messageId, source_id AS sourceId, state, round, next_due_at AS due,
    first_attempt_at AS first, window_ends_at AS "end", cells, received_at AS received, finished_at AS finished
  FROM messages`;
const ATTEMPT = `SELECT id, message_id AS message, replay_id AS replay, webhook_id AS webhook, slot, url, round,
    clock_at AS clock, started_at AS started, outcome, status
  FROM ${ALL_ATTEMPTS}`;

const REPLAY = 'SELECT id, sent, body, finished_at AS finished, next_at AS next, ended FROM replays';

const prepare = (db: Database.Database) => ({
  message: db.prepare(`${MESSAGE} WHERE id = ?`),
  messages: db.prepare(`${MESSAGE} ORDER BY id`),
  overdue: db.prepare(
    `SELECT id, next_due_at AS due FROM messages
     WHERE next_due_at IS NOT NULL AND next_due_at <= ? AND (state = 'queued' OR state = 'retrying' OR state = 'waiting')`,
  ),
  wire: db.prepare('SELECT wire FROM message_bodies WHERE id = ?').pluck(),
  request: db.prepare(
    'SELECT r.body, r.encoding, m.position FROM messages m JOIN requests r ON r.id = m.request_id WHERE m.id = ?',
  ),
  attempts: db.prepare(`${ATTEMPT} WHERE message_id = ? AND replay_id IS NULL ORDER BY id`),
  ofRound: db.prepare(`${ATTEMPT} WHERE message_id = ? AND replay_id IS NULL AND round = ? ORDER BY id`),
  open: db.prepare(`${ATTEMPT} WHERE outcome IS NULL ORDER BY id`),
  openReplays: db.prepare('SELECT count(*) FROM replays WHERE finished_at IS NULL').pluck(),
  replay: db.prepare(`${REPLAY} WHERE id = ?`),
  replays: db.prepare(`${REPLAY} ORDER BY id`),
  outcomes: db
    .prepare(
      `SELECT outcome FROM ${ALL_ATTEMPTS} WHERE message_id = (SELECT message_id FROM replays WHERE id = @id) AND replay_id = @id`,
    )
    .pluck(),
  counters: db.prepare('SELECT state, n FROM counters').raw(),
  alterWire: db.prepare('UPDATE message_bodies SET wire = ? WHERE id = ?'),
  stop: db.prepare("UPDATE messages SET state = 'stopped', next_due_at = NULL, finished_at = @at WHERE id = @id"),
  count: db.prepare('UPDATE counters SET n = n + @by WHERE state = @state'),
});

export class SqliteRows implements CommittedRows {
  readonly #db: Database.Database;
  readonly #queries: ReturnType<typeof prepare>;

  constructor(path: string) {
    this.#db = new Database(path);
    this.#queries = prepare(this.#db);
  }

  message(id: number): MessageRow | undefined {
    return this.#queries.message.get(id) as MessageRow | undefined;
  }

  messages(): MessageRow[] {
    return this.#queries.messages.all() as MessageRow[];
  }

  overdue(now: number): Array<{ id: number; due: number }> {
    return this.#queries.overdue.all(now) as Array<{ id: number; due: number }>;
  }

  wire(message: number): Buffer | null {
    return (this.#queries.wire.get(message) as Buffer | undefined) ?? null;
  }

  request(message: number): ReceivedRow {
    return this.#queries.request.get(message) as ReceivedRow;
  }

  attemptsOf(message: number, round?: number): AttemptRow[] {
    const { attempts, ofRound } = this.#queries;
    return (round === undefined ? attempts.all(message) : ofRound.all(message, round)) as AttemptRow[];
  }

  openAttempts(): AttemptRow[] {
    return this.#queries.open.all() as AttemptRow[];
  }

  openReplays(): number {
    return this.#queries.openReplays.get() as number;
  }

  replay(id: number): ReplayRow | undefined {
    return this.#queries.replay.get(id) as ReplayRow | undefined;
  }

  replays(): Array<ReplayRow & { outcomes: Array<Outcome | null> }> {
    return (this.#queries.replays.all() as ReplayRow[]).map((replay) => {
      return { ...replay, outcomes: this.#queries.outcomes.all({ id: replay.id }) as Array<Outcome | null> };
    });
  }

  keptCounts(): ReadonlyMap<string, number> {
    return new Map(this.#queries.counters.all() as Array<[string, number]>);
  }

  damage(): string | null {
    const found = this.#db.pragma('quick_check', { simple: true });
    return found === 'ok' ? null : String(found);
  }

  alterWire(message: number, wire: Buffer): void {
    this.#queries.alterWire.run(wire, message);
  }

  stopByHand({ id, state }: MessageRow, finishedAt: number): void {
    this.#db.transaction(() => {
      this.#queries.stop.run({ id, at: finishedAt });
      this.#queries.count.run({ by: -1, state });
      this.#queries.count.run({ by: 1, state: 'stopped' });
    })();
  }

  close(): void {
    this.#db.close();
  }
}
