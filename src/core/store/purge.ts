/** Removes the oldest final messages with all that belongs to them. Never one that is still to be delivered. */
import { FINAL_STATES, type MessageState } from '../model/message.ts';
import { PURGE_STEP } from '../model/retention.ts';
import type { Db } from './database.ts';
import type { Changes } from './ports/changes.ts';

/** Rows looked at in one step. */
const SCAN = 2_000;
/** Calls of one request; their rows are neighbours, since one transaction makes them. */
const MAX_CALLS = 2_500;

export interface PurgeStep {
  /** Ids up to here were looked at before. */
  readonly after: number;
  /** At most so many are removed. */
  readonly limit: number;
  /** Beside those, every one received before this wall time, within the step. */
  readonly receivedBefore: number;
  /** No id above this is looked at. */
  readonly upTo?: number;
}

export interface Purged {
  readonly removed: number;
  /** Where to go on; null when every message was looked at. */
  readonly lookedAt: number | null;
}

interface Candidate {
  readonly id: number;
  readonly state: MessageState;
  readonly request_id: number;
  readonly received_at: number;
}

export class PurgeStore {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(db: Db) {
    this.#statements = prepare(db);
  }

  /** Id of the newest message; 0 when there is none. */
  newestId(): number {
    return (this.#statements.newest.get() as number | null) ?? 0;
  }

  /** When the oldest message was received, or null. */
  oldestReceivedAt(): number | null {
    return (this.#statements.oldest.get() as number | undefined) ?? null;
  }

  /** The newest message always stays, and those of the newest attempt and replay: ids only grow, none comes twice. */
  purge({ after, limit, receivedBefore, upTo = Number.MAX_SAFE_INTEGER }: PurgeStep, changes: Changes): Purged {
    const rows = this.#statements.candidates.all(after, upTo, SCAN) as Candidate[];
    const kept = new Set(this.#statements.kept.all() as number[]);
    const requests = new Map<number, number>();
    let removed = 0;
    let last: number | null = null;
    for (const row of rows) {
      const isOld = row.received_at < receivedBefore;
      if (removed >= limit && !isOld) break;
      last = row.id;
      // What became final in this very transaction has not been told yet.
      if (!FINAL_STATES.has(row.state) || kept.has(row.id) || changes.messages.has(row.id)) continue;
      if (this.#statements.open.get(row.id) !== undefined) continue;
      this.#remove(row);
      changes.removedMessage(row.id, row.state);
      requests.set(row.request_id, row.id);
      removed += 1;
      if (removed >= PURGE_STEP) break;
    }
    for (const [request, id] of requests) this.#statements.dropRequest.run({ request, id, span: MAX_CALLS });
    const isEnd = rows.length < SCAN && (rows.at(-1)?.id ?? null) === last;
    return { removed, lookedAt: isEnd ? null : (last ?? after) };
  }

  #remove({ id }: Candidate): void {
    this.#statements.results.run(id);
    this.#statements.attempts.run(id);
    this.#statements.replays.run(id);
    this.#statements.body.run(id);
    this.#statements.message.run(id);
  }
}

function prepare(db: Db) {
  return {
    candidates: db.prepare(
      `SELECT id, state, request_id, received_at FROM messages
       WHERE id > ? AND id <= ? AND id < (SELECT max(id) FROM messages) ORDER BY id LIMIT ?`,
    ),
    newest: db.prepare('SELECT max(id) FROM messages').pluck(),
    oldest: db.prepare('SELECT received_at FROM messages ORDER BY id LIMIT 1').pluck(),
    kept: db
      .prepare(
        `SELECT message_id FROM attempts WHERE id = (SELECT max(id) FROM attempts)
         UNION ALL SELECT message_id FROM replays WHERE id = (SELECT max(id) FROM replays)`,
      )
      .pluck(),
    open: db.prepare('SELECT 1 FROM attempts WHERE message_id = ? AND outcome IS NULL'),
    results: db.prepare('DELETE FROM attempt_results WHERE id IN (SELECT id FROM attempts WHERE message_id = ?)'),
    attempts: db.prepare('DELETE FROM attempts WHERE message_id = ?'),
    replays: db.prepare('DELETE FROM replays WHERE message_id = ?'),
    body: db.prepare('DELETE FROM message_bodies WHERE id = ?'),
    message: db.prepare('DELETE FROM messages WHERE id = ?'),
    dropRequest: db.prepare(
      `DELETE FROM requests WHERE id = @request AND NOT EXISTS
         (SELECT 1 FROM messages WHERE id BETWEEN @id - @span AND @id + @span AND request_id = @request)`,
    ),
  };
}
