/** Removes the oldest final messages with all that belongs to them. */

import { PURGE_STEP } from '../model/retention.ts';
import { FINAL_STATES, type MessageState } from '../model/vocabulary.ts';
import { NEWEST_ATTEMPT } from './newest-attempt.ts';
import type { Changes } from './ports/changes.ts';
import { MAX_CALLS } from './ports/ingest.ts';
import type { Purged, PurgeStep, RetentionStore } from './ports/retention.ts';
import { Writes } from './statements.ts';

/** How many rows one step checks. */
const LOOKED_AT = 2_000;

interface Candidate {
  readonly id: number;
  readonly state: MessageState;
  readonly requestId: number;
  readonly receivedAt: number;
}

interface Id {
  readonly id: number;
}

export class SqliteRetention extends Writes implements RetentionStore {
  readonly #newest = this.column<undefined, number | null>('SELECT max(id) FROM messages');

  newestId(): number {
    return this.#newest.get() ?? 0;
  }

  readonly #oldest = this.column<undefined, number>('SELECT received_at FROM messages ORDER BY id LIMIT 1');

  oldestReceivedAt(): number | null {
    return this.#oldest.get() ?? null;
  }

  readonly #bytes = this.column<undefined, number>(
    `SELECT (page_count - freelist_count) * page_size
     FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
  );

  bytes(): number {
    return this.#bytes.get()!;
  }

  readonly #candidates = this.query<{ after: number; upTo: number; limit: number }, Candidate>(
    `SELECT id, state, request_id AS requestId, received_at AS receivedAt FROM messages
     WHERE id > @after AND id <= @upTo AND id < (SELECT max(id) FROM messages) ORDER BY id LIMIT @limit`,
  );

  purge({ after, limit, receivedBefore, upTo = Number.MAX_SAFE_INTEGER }: PurgeStep, changes: Changes): Purged {
    const rows = this.#candidates.all({ after, upTo, limit: LOOKED_AT });
    const stays = this.#staying(changes);
    const requests = new Map<number, number>();
    let removed = 0;
    let last: number | null = null;
    for (const row of rows) {
      if (removed >= limit && row.receivedAt >= receivedBefore) break;
      last = row.id;
      if (stays(row)) continue;
      this.#remove(row, changes);
      requests.set(row.requestId, row.id);
      removed += 1;
      if (removed >= PURGE_STEP) break;
    }
    for (const [request, id] of requests) this.#dropIfEmpty(request, id, changes);
    const isEnd = rows.length < LOOKED_AT && (rows.at(-1)?.id ?? null) === last;
    return { removed, lookedAt: isEnd ? null : (last ?? after) };
  }

  readonly #ofNewest = this.column<undefined, number>(
    `SELECT message_id FROM attempts WHERE id = ${NEWEST_ATTEMPT}
     UNION ALL SELECT message_id FROM replays WHERE id = (SELECT max(id) FROM replays)`,
  );
  readonly #withOpenAttempt = this.column<undefined, number>('SELECT DISTINCT message_id FROM open_attempts');

  #staying(changes: Changes): (message: Candidate) => boolean {
    const stays = new Set([...this.#ofNewest.all(), ...this.#withOpenAttempt.all()]);
    return ({ id, state }) =>
      !FINAL_STATES.has(state) ||
      stays.has(id) ||
      // Messages that became final in this transaction have not been reported yet.
      changes.messages.has(id);
  }

  readonly #parts = [
    'DELETE FROM attempt_results WHERE id IN (SELECT id FROM attempts WHERE message_id = @id)',
    'DELETE FROM attempts WHERE message_id = @id',
    'DELETE FROM replays WHERE message_id = @id',
    'DELETE FROM message_bodies WHERE id = @id',
    'DELETE FROM messages WHERE id = @id',
  ].map((sql) => this.command<Id>(sql));

  #remove({ id, state }: Candidate, changes: Changes): void {
    for (const part of this.#parts) part.run(changes, { id });
    changes.removedMessage(id, state);
  }

  readonly #dropRequest = this.command<{ request: number; first: number; last: number }>(
    `DELETE FROM requests WHERE id = @request AND NOT EXISTS
       (SELECT 1 FROM messages WHERE id BETWEEN @first AND @last AND request_id = @request)`,
  );

  /**
   * A request is removed with the last of its calls. Their ids are neighbours of `id`, because one transaction stored
   * them.
   */
  #dropIfEmpty(request: number, id: number, changes: Changes): void {
    this.#dropRequest.run(changes, { request, first: id - MAX_CALLS, last: id + MAX_CALLS });
  }
}
