/** Calls of unknown write keys. */
import type { RequestRecord } from '../model/stored.ts';
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import { RARE_STATE } from './migrations.ts';
import type { Changes } from './ports/changes.ts';
import { type HeldStore, MAX_CALLS, MAX_HELD_CALLS } from './ports/ingest.ts';
import { REQUEST_NAMES, type RequestRow, requestRecord } from './request-row.ts';
import { columns, Writes } from './statements.ts';

const IS_HELD = `${RARE_STATE} AND state = 'rejected' AND reason = 'unknown_source'`;

interface Removed {
  readonly id: number;
  readonly request: number;
}

export class SqliteHeld extends Writes implements HeldStore {
  readonly #damage: Damage;

  constructor(db: Db, damage: Damage = untold()) {
    super(db);
    this.#damage = damage;
  }

  readonly #requestsOf = this.query<{ writeKey: string }, RequestRow>(
    `SELECT DISTINCT ${columns(REQUEST_NAMES, 'r')} FROM messages m JOIN requests r ON r.id = m.request_id
     WHERE ${RARE_STATE} AND m.state = 'rejected' AND m.reason = 'unknown_source' AND r.write_key = @writeKey
     ORDER BY r.id`,
  );

  requestsOf(writeKey: string): RequestRecord[] {
    return this.#requestsOf.all({ writeKey }).map((row) => requestRecord(row, this.#damage));
  }

  readonly #messagesOf = this.column<{ request: number }, number>(
    `SELECT id FROM messages WHERE ${IS_HELD} AND request_id = @request`,
  );

  messagesOf(requestId: number): number[] {
    return this.#messagesOf.all({ request: requestId });
  }

  readonly #remove = this.command<{ id: number }, Removed>(
    `DELETE FROM messages WHERE id = @id AND state = 'rejected' AND reason = 'unknown_source'
     RETURNING id, request_id AS request`,
  );

  remove(ids: readonly number[], changes: Changes): void {
    this.#removed(
      ids.flatMap((id) => this.#remove.all(changes, { id })),
      changes,
    );
  }

  readonly #boundary = this.column<{ kept: number }, number>(
    `SELECT id FROM messages WHERE ${IS_HELD} ORDER BY id DESC LIMIT 1 OFFSET @kept`,
  );
  readonly #removeUpTo = this.command<{ id: number }, Removed>(
    `DELETE FROM messages WHERE ${IS_HELD} AND id <= @id RETURNING id, request_id AS request`,
  );

  /** Keeps the newest {@link MAX_HELD_CALLS} calls of unknown keys. */
  prune(changes: Changes): void {
    const id = this.#boundary.get({ kept: MAX_HELD_CALLS });
    if (id !== undefined) this.#removed(this.#removeUpTo.all(changes, { id }), changes);
  }

  readonly #dropRequest = this.command<{ request: number; first: number; last: number }>(
    // The newest call stays, because row ids must only grow and the side file records the largest.
    `DELETE FROM requests WHERE id = @request AND id < (SELECT max(id) FROM requests) AND NOT EXISTS
       (SELECT 1 FROM messages WHERE id BETWEEN @first AND @last AND request_id = @request)`,
  );

  /** A request is removed with the last of its calls, so that the bytes of unknown keys do not pile up. */
  #removed(rows: readonly Removed[], changes: Changes): void {
    for (const { id } of rows) changes.removedMessage(id, 'rejected');
    const last = new Map(rows.map(({ id, request }) => [request, id]));
    // The calls of one request have neighbouring ids, because one transaction stores them.
    for (const [request, id] of last)
      this.#dropRequest.run(changes, { request, first: id - MAX_CALLS, last: id + MAX_CALLS });
  }
}
