/** The watch's queries, over its own connection, which sees only committed rows. */
import type Database from 'better-sqlite3';

export interface MessageRow {
  readonly id: number;
  readonly messageId: string;
  readonly state: string;
  readonly round: number;
  /** Retry-clock times, epoch milliseconds. */
  readonly due: number | null;
  readonly first: number | null;
  readonly end: number | null;
  readonly cells: string;
  /** Wall time of its end. */
  readonly finished: number | null;
}

/** An attempt of a message's current round. */
export interface RoundAttempt {
  readonly slot: number;
  readonly outcome: string | null;
  readonly status: number | null;
}

/** An attempt without an outcome. */
export interface OpenAttempt {
  readonly id: number;
  readonly message: number;
  readonly replay: number | null;
  readonly webhook: number;
  readonly round: number;
  readonly clock: number;
  readonly started: number;
}

const MESSAGE = `SELECT id, message_id AS messageId, state, round, next_due_at AS due, first_attempt_at AS first, window_ends_at AS "end", cells,
    finished_at AS finished
  FROM messages`;
const ATTEMPT = `SELECT id, message_id AS message, replay_id AS replay, webhook_id AS webhook, round, clock_at AS clock,
    started_at AS started
  FROM attempts WHERE outcome IS NULL`;
const DAY_MS = 86_400_000;

export type Queries = ReturnType<typeof prepareQueries>;

export function prepareQueries(db: Database.Database) {
  return {
    message: db.prepare(`${MESSAGE} WHERE id = ?`),
    messages: db.prepare(`${MESSAGE} ORDER BY id`),
    wire: db.prepare('SELECT wire FROM message_bodies WHERE id = ?').pluck(),
    alter: db.prepare('UPDATE message_bodies SET wire = ? WHERE id = ?'),
    byMessageId: db.prepare('SELECT count(*) FROM messages WHERE message_id = ?').pluck(),
    newestAttempt: db.prepare('SELECT max(id) FROM attempts WHERE message_id = ? AND replay_id IS NULL').pluck(),
    accepted: db
      .prepare("SELECT count(*) FROM attempts WHERE message_id = ? AND replay_id IS NULL AND outcome = 'accepted'")
      .pluck(),
    ofRound: db.prepare(
      'SELECT slot, outcome, status FROM attempts WHERE message_id = @id AND round = @round AND replay_id IS NULL',
    ),
    stopByHand: db.prepare(
      "UPDATE messages SET state = 'stopped', next_due_at = NULL, finished_at = @at WHERE id = @id",
    ),
    count: db.prepare('UPDATE counters SET n = n + @by WHERE state = @state'),
    open: db.prepare(`${ATTEMPT} AND url = ? ORDER BY id`),
    openRows: db.prepare(ATTEMPT),
    openAttempts: db.prepare('SELECT count(*) FROM attempts WHERE outcome IS NULL').pluck(),
    openReplays: db.prepare('SELECT count(*) FROM replays WHERE finished_at IS NULL').pluck(),
    earlier: db.prepare(
      `SELECT sum(round = @round) AS same, sum(outcome IS NULL) AS open, sum(outcome IS 'declined') AS declined
       FROM attempts WHERE message_id = @message AND webhook_id = @webhook AND replay_id IS NULL`,
    ),
    overdue: db.prepare(
      `SELECT id, next_due_at AS due FROM messages
       WHERE next_due_at IS NOT NULL AND next_due_at <= ? AND (state = 'queued' OR state = 'retrying' OR state = 'waiting')`,
    ),
    doubled: db.prepare(
      `SELECT message_id AS message, round FROM attempts WHERE replay_id IS NULL
       GROUP BY message_id, round, webhook_id HAVING count(*) > 1`,
    ),
    copies: db
      .prepare(
        `SELECT DISTINCT a.message_id FROM messages a JOIN messages b
           ON a.message_id = b.message_id AND a.source_id IS b.source_id AND a.id < b.id
         WHERE a.state <> 'rejected' AND b.state <> 'rejected' AND abs(a.received_at - b.received_at) < ${DAY_MS}`,
      )
      .pluck(),
    wrongCounters: db.prepare(
      `SELECT c.state, c.n, (SELECT count(*) FROM messages m WHERE m.state = c.state) AS found
       FROM counters c WHERE c.n <> found`,
    ),
  };
}
