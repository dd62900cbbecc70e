/** Writes what ingest received: the request, its messages and their delivered bytes. */
import { crc32 } from 'node:zlib';
import type { NewMessage, NewRequest, StoredMessage } from '../model/records.ts';
import { keepRequestHeaders } from '../model/static-headers.ts';
import type { Db } from './database.ts';
import { RARE_STATE } from './migrations.ts';
import type { Changes, GroupWriter } from './writer.ts';

/** The same messageId from the same source within this time is stored once (decisions, Ingest). */
export const DEDUPE_MS = 24 * 60 * 60 * 1000;

/** Calls of unknown write keys that are kept, over all keys (decisions, Ingest). */
export const MAX_HELD_CALLS = 1000;

/** Calls of one request (decisions, Ingest); their rows are neighbours, since one transaction makes them. */
const MAX_CALLS = 2_500;

interface RemovedRow {
  readonly id: number;
  readonly request_id: number;
}

export class RequestStore {
  readonly #writer: GroupWriter;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(db: Db, writer: GroupWriter) {
    this.#writer = writer;
    this.#statements = prepare(db);
  }

  /**
   * Resolves after the commit, in the order of `messages`. `dueAt` is the retry-clock time at which queued
   * messages are due. Rejects with StoreNotWritableError; then nothing of the request is stored.
   */
  storeRequest(
    request: NewRequest,
    messages: readonly NewMessage[],
    dedupe: boolean,
    dueAt: number,
  ): Promise<readonly StoredMessage[]> {
    return this.#writer.write(
      (changes) => {
        const requestId = this.#insertRequest(request);
        const stored = messages.map((message) =>
          this.#insertMessage(requestId, request, message, dedupe, dueAt, changes),
        );
        if (messages.some((message) => message.reason === 'unknown_source')) this.#pruneHeld(changes);
        return stored;
      },
      1 + 2 * messages.length,
    );
  }

  #insertRequest(r: NewRequest): number {
    const { lastInsertRowid } = this.#statements.insertRequest.run(
      r.receivedAt,
      r.method,
      r.path,
      JSON.stringify(keepRequestHeaders(r.headers)),
      r.body,
      r.encoding,
      r.decodedBytes,
      r.writeKey,
      r.sourceId,
      r.status,
      r.code,
    );
    return Number(lastInsertRowid);
  }

  #insertMessage(
    requestId: number,
    request: NewRequest,
    m: NewMessage,
    dedupe: boolean,
    dueAt: number,
    changes: Changes,
  ): StoredMessage {
    const first = dedupe && m.state !== 'rejected' ? this.#findFirst(m.messageId, request) : undefined;
    if (first !== undefined) {
      this.#statements.countRepeat.run(first);
      changes.messages.add(first);
      return { id: first, duplicate: true };
    }
    const { lastInsertRowid } = this.#statements.insertMessage.run(
      m.messageId,
      request.sourceId,
      requestId,
      m.position,
      m.origin,
      m.type,
      m.name,
      m.userId,
      m.anonymousId,
      m.state,
      m.reason,
      m.reasonDetail,
      request.receivedAt,
      m.size,
      m.state === 'queued' ? dueAt : null,
      m.state === 'queued' ? null : request.receivedAt,
      m.notes.length > 0 ? JSON.stringify(m.notes) : null,
    );
    const id = Number(lastInsertRowid);
    if (m.wire !== null) this.#statements.insertBody.run(id, m.wire, crc32(m.wire));
    changes.insertedMessage(id, m.state);
    return { id, duplicate: false };
  }

  #findFirst(messageId: string, request: NewRequest): number | undefined {
    return this.#statements.findFirst.get(messageId, request.sourceId, request.receivedAt - DEDUPE_MS) as
      | number
      | undefined;
  }

  /** Held calls that were ingested again under their new source. */
  removeHeld(ids: readonly number[], changes: Changes): void {
    this.#removed(
      ids.flatMap((id) => this.#statements.removeHeld.all(id) as RemovedRow[]),
      changes,
    );
  }

  /** Keeps the newest {@link MAX_HELD_CALLS} calls of unknown keys. */
  #pruneHeld(changes: Changes): void {
    const boundary = this.#statements.heldBoundary.get(MAX_HELD_CALLS) as number | undefined;
    if (boundary === undefined) return;
    this.#removed(this.#statements.deleteHeld.all(boundary) as RemovedRow[], changes);
  }

  /** A request goes with the last of its calls: the bytes of unknown keys must not pile up. */
  #removed(rows: readonly RemovedRow[], changes: Changes): void {
    for (const { id } of rows) changes.removedMessage(id, 'rejected');
    const requests = new Map(rows.map((row) => [row.request_id, row.id]));
    for (const [request, id] of requests) this.#statements.dropRequest.run({ request, id, span: MAX_CALLS });
  }
}

function prepare(db: Db) {
  return {
    insertRequest: db.prepare(
      `INSERT INTO requests (received_at, method, path, headers, body, encoding, decoded_bytes, write_key, source_id, status, code)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    insertMessage: db.prepare(
      `INSERT INTO messages (message_id, source_id, request_id, position, origin, type, name, user_id, anonymous_id,
         state, reason, reason_detail, received_at, size, next_due_at, finished_at, notes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    insertBody: db.prepare('INSERT INTO message_bodies (id, wire, crc32) VALUES (?, ?, ?)'),
    // The index holds one messageId's rows by id, so that the first is the oldest: an ORDER BY costs six times as much.
    findFirst: db
      .prepare(
        `SELECT id FROM messages INDEXED BY messages_message_id
         WHERE message_id = ? AND source_id IS ? AND received_at > ? AND state <> 'rejected' LIMIT 1`,
      )
      .pluck(),
    countRepeat: db.prepare('UPDATE messages SET repeats = repeats + 1 WHERE id = ?'),
    heldBoundary: db
      .prepare(
        `SELECT id FROM messages WHERE ${RARE_STATE}
           AND state = 'rejected' AND reason = 'unknown_source' ORDER BY id DESC LIMIT 1 OFFSET ?`,
      )
      .pluck(),
    removeHeld: db.prepare(
      "DELETE FROM messages WHERE id = ? AND state = 'rejected' AND reason = 'unknown_source' RETURNING id, request_id",
    ),
    deleteHeld: db.prepare(
      `DELETE FROM messages WHERE ${RARE_STATE}
         AND state = 'rejected' AND reason = 'unknown_source' AND id <= ? RETURNING id, request_id`,
    ),
    dropRequest: db.prepare(
      `DELETE FROM requests WHERE id = @request AND NOT EXISTS
         (SELECT 1 FROM messages WHERE id BETWEEN @id - @span AND @id + @span AND request_id = @request)`,
    ),
  };
}
