/** Writes what ingest received: the request, its messages and their delivered bytes. */
import { crc32 } from 'node:zlib';
import type { NewMessage, NewRequest, StoredMessage } from '../model/records.ts';
import { keepRequestHeaders } from '../model/static-headers.ts';
import { StoreDamagedError } from '../ports.ts';
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import { RARE_STATE } from './migrations.ts';
import type { Changes, Writer } from './ports/changes.ts';

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

/** A request while it is stored. */
interface Arrival {
  readonly request: NewRequest;
  /** Null until its first message is stored. */
  requestId: number | null;
  readonly refusedBefore: ReadonlyMap<number, RejectedRow> | null;
}

interface FirstRefused {
  readonly request: number;
  readonly first: number;
}

interface RejectedRow {
  readonly id: number;
  readonly position: number;
  readonly reason: string;
}

export class RequestStore {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #damage: Damage;

  constructor(db: Db, writer: Writer, damage: Damage = untold()) {
    this.#writer = writer;
    this.#damage = damage;
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
        const arrival: Arrival = { request, requestId: null, refusedBefore: this.#refusedBefore(request) };
        const stored = messages.map((message) => this.#storeMessage(arrival, message, dedupe, dueAt, changes));
        this.#mark(arrival, stored);
        if (this.#damage.known) this.#readBack(messages, stored);
        if (messages.some((message) => message.reason === 'unknown_source')) this.#pruneHeld(changes);
        return stored;
      },
      1 + 2 * messages.length,
    );
  }

  /** The rejected rows of the same refused request by their place in it; null when it is the first. */
  #refusedBefore({ fingerprint = null, receivedAt }: NewRequest): ReadonlyMap<number, RejectedRow> | null {
    if (fingerprint === null) return null;
    const first = this.#statements.refusedBefore.get(fingerprint, receivedAt - DEDUPE_MS) as FirstRefused | undefined;
    if (first === undefined) return null;
    const rows = this.#statements.rejectedOf.all({ ...first, span: MAX_CALLS }) as RejectedRow[];
    return new Map(rows.map((row) => [row.position, row]));
  }

  /** So that the next try of a refused request finds this one. */
  #mark({ request: { fingerprint = null }, requestId }: Arrival, stored: readonly StoredMessage[]): void {
    if (fingerprint === null || requestId === null) return;
    const first = stored.find(({ duplicate }) => !duplicate);
    this.#statements.markRefused.run(fingerprint, first?.id ?? null, requestId);
  }

  /** In a damaged store only what can be read again is acknowledged. */
  #readBack(messages: readonly NewMessage[], stored: readonly StoredMessage[]): void {
    for (const [i, { messageId, wire }] of messages.entries()) {
      const row = this.#statements.readBack.get(stored[i]!.id) as
        | { message_id: string; wire: Uint8Array | null }
        | undefined;
      const { duplicate } = stored[i]!;
      const isThere = duplicate ? row !== undefined : row?.message_id === messageId;
      const hasBody = duplicate || wire === null || (row?.wire && Buffer.compare(row.wire, wire) === 0);
      if (!isThere || !hasBody) throw new StoreDamagedError('What was stored cannot be read again.');
    }
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

  #storeMessage(
    arrival: Arrival,
    message: NewMessage,
    dedupe: boolean,
    dueAt: number,
    changes: Changes,
  ): StoredMessage {
    const first = this.#firstOf(arrival, message, dedupe);
    if (first === undefined) return this.#insertMessage(arrival, message, dueAt, changes);
    this.#statements.countRepeat.run(first);
    changes.messages.add(first);
    return { id: first, duplicate: true };
  }

  /** The row of which this one is a repeat. */
  #firstOf({ request, refusedBefore }: Arrival, message: NewMessage, dedupe: boolean): number | undefined {
    if (message.state !== 'rejected') return dedupe ? this.#findFirst(message.messageId, request) : undefined;
    const row = refusedBefore?.get(message.position);
    return row?.reason === message.reason ? row?.id : undefined;
  }

  #insertMessage(arrival: Arrival, m: NewMessage, dueAt: number, changes: Changes): StoredMessage {
    const { request } = arrival;
    // The bytes of a request that only repeats others would belong to no message.
    arrival.requestId ??= this.#insertRequest(request);
    const { lastInsertRowid } = this.#statements.insertMessage.run(
      m.messageId,
      request.sourceId,
      arrival.requestId,
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
    readBack: db.prepare(
      'SELECT m.message_id, b.wire FROM messages m LEFT JOIN message_bodies b ON b.id = m.id WHERE m.id = ?',
    ),
    // The index holds one messageId's rows by id, so that the first is the oldest: an ORDER BY costs six times as much.
    findFirst: db
      .prepare(
        `SELECT id FROM messages INDEXED BY messages_message_id
         WHERE message_id = ? AND source_id IS ? AND received_at > ? AND state <> 'rejected' LIMIT 1`,
      )
      .pluck(),
    refusedBefore: db.prepare(
      `SELECT id AS request, first_message AS first FROM requests
       WHERE fingerprint = ? AND fingerprint IS NOT NULL AND received_at > ? ORDER BY id DESC LIMIT 1`,
    ),
    rejectedOf: db.prepare(
      `SELECT id, position, reason FROM messages
       WHERE id BETWEEN @first AND @first + @span AND request_id = @request AND state = 'rejected'`,
    ),
    markRefused: db.prepare('UPDATE requests SET fingerprint = ?, first_message = ? WHERE id = ?'),
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
      // The newest one stays: row ids only grow, and the side file says how far they are.
      `DELETE FROM requests WHERE id = @request AND id < (SELECT max(id) FROM requests) AND NOT EXISTS
         (SELECT 1 FROM messages WHERE id BETWEEN @id - @span AND @id + @span AND request_id = @request)`,
    ),
  };
}
