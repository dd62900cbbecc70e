/** Writes what was received: the request, its messages and their delivered bytes. */
import { crc32 } from 'node:zlib';
import { arrival } from '../model/moves.ts';
import type { NewMessage, NewRequest, StoredMessage } from '../model/records.ts';
import { keepRequestHeaders } from '../model/static-headers.ts';
import { StoreDamagedError } from '../ports.ts';
import { Cuts } from './cuts.ts';
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import { SqliteHeld } from './held.ts';
import type { Changes, Writer } from './ports/changes.ts';
import type { AlsoWritten, Arrived, IngestStore } from './ports/ingest.ts';
import { asStored, type RefusedBefore, Repeats } from './repeats.ts';
import { NEW_REQUEST_NAMES, type NewRequestRow } from './request-row.ts';
import { NEW_ROOM } from './schema/room-in-messages.ts';
import { columnList, insertInto, Writes } from './statements.ts';
import { SuppressionHits } from './suppressions.ts';

/** {@link IngestStore.rowsOf} stops counting here. */
const MAX_ROWS = 100;

/** The row id of the stored message that a call repeats, or the earlier call of its request. Undefined for a new one. */
type First = number | NewMessage | undefined;

type MessageRow = Omit<NewMessage, 'wire' | 'notes'> & {
  readonly sourceId: number | null;
  readonly requestId: number;
  readonly receivedAt: number;
  readonly nextDueAt: number | null;
  readonly finishedAt: number | null;
  readonly notes: string | null;
  readonly room: Uint8Array | null;
};

const NEW_MESSAGE_NAMES = [
  'messageId',
  'sourceId',
  'requestId',
  'position',
  'origin',
  'type',
  'name',
  'userId',
  'anonymousId',
  'state',
  'reason',
  'reasonDetail',
  'receivedAt',
  'size',
  'nextDueAt',
  'finishedAt',
  'notes',
  'room',
] as const satisfies ReadonlyArray<keyof MessageRow>;
const NEW_MESSAGE = columnList(NEW_MESSAGE_NAMES);

interface Body {
  readonly id: number;
  readonly wire: Uint8Array;
  readonly crc32: number;
}

export class SqliteIngest extends Writes implements IngestStore {
  readonly #writer: Writer;
  readonly #damage: Damage;
  readonly #repeats: Repeats;
  readonly #held: SqliteHeld;
  readonly #hits: SuppressionHits;
  readonly #cuts: Cuts;

  constructor(db: Db, writer: Writer, damage: Damage = untold()) {
    super(db);
    this.#writer = writer;
    this.#damage = damage;
    this.#repeats = new Repeats(db);
    this.#held = new SqliteHeld(db, damage);
    this.#hits = new SuppressionHits(db);
    this.#cuts = new Cuts(db);
  }

  storeRequest(arrived: Arrived, also?: AlsoWritten): Promise<readonly StoredMessage[]> {
    const job = (changes: Changes): readonly StoredMessage[] => {
      const stored = this.storeIn(arrived, changes);
      also?.(stored, changes);
      return stored;
    };
    return this.#writer.write(job, 1 + 2 * arrived.messages.length);
  }

  storeIn(arrived: Arrived, changes: Changes): readonly StoredMessage[] {
    const { request, messages } = arrived;
    const firsts = this.#firstsOf(arrived);
    const fresh = messages.filter((_, i) => firsts[i] === undefined);
    // A request with only repeats is dropped, because its bytes would belong to no message.
    const requestId = fresh.length > 0 ? this.#insertRequestOf(request, changes) : null;
    const ids = requestId === null ? [] : this.#insertMessages(arrived, requestId, fresh, changes);
    const stored = withIds(messages, firsts, ids);
    for (const { id, duplicate } of stored) if (duplicate) this.#repeats.count(id, changes);
    this.#storeBodies(messages, stored, changes);
    if (requestId !== null) this.#repeats.markRefused(requestId, request, firstNew(stored), changes);
    if (this.#damage.known) this.#readBack(messages, stored);
    if (messages.some(({ reason }) => reason === 'unknown_source')) this.#held.prune(changes);
    this.#countHits(arrived, changes);
    return stored;
  }

  #countHits({ request, messages }: Arrived, changes: Changes): void {
    for (const message of messages)
      if (isSuppressed(message)) this.#hits.add(message.reasonDetail!, request.receivedAt, changes);
  }

  /** What each call repeats. */
  #firstsOf({ request, messages, dedupe }: Arrived): First[] {
    const refusedBefore = this.#repeats.refusedBefore(request);
    const mayBeStored = dedupe && (messages.length === 1 || this.#repeats.hasAny(messages, request));
    const earlier = new Map<string, NewMessage>();
    return messages.map((message) => {
      if (message.state === 'rejected') return sameRefusal(message, refusedBefore);
      if (!dedupe) return undefined;
      const messageId = asStored(message.messageId);
      const stored = mayBeStored ? this.#repeats.firstOf(message, request) : undefined;
      const first = stored ?? earlier.get(messageId);
      earlier.set(messageId, message);
      return first;
    });
  }

  readonly #insert = this.bulk<MessageRow>(
    NEW_MESSAGE_NAMES,
    (rows) => `INSERT INTO messages (${NEW_MESSAGE}) VALUES ${rows}`,
  );

  /** Returns their row ids. */
  #insertMessages(arrived: Arrived, requestId: number, messages: readonly NewMessage[], changes: Changes): number[] {
    const rows = messages.map((message) => messageRow(arrived, requestId, message));
    const ids = this.#insert.run(changes, rows);
    for (const [i, { state }] of messages.entries()) changes.insertedMessage(ids[i]!, state);
    return ids;
  }

  #storeBodies(messages: readonly NewMessage[], stored: readonly StoredMessage[], changes: Changes): void {
    const bodies: Body[] = [];
    for (const [i, { wire }] of messages.entries()) {
      const { id, duplicate } = stored[i]!;
      if (wire !== null && !duplicate) bodies.push({ id, wire, crc32: crc32(wire) });
    }
    this.#insertBodies.run(changes, bodies);
  }

  readonly #insertBodies = this.bulk<Body>(
    ['id', 'wire', 'crc32'],
    (rows) => `INSERT INTO message_bodies (id, wire, crc32) VALUES ${rows}`,
  );

  readonly #insertRequest = this.command<NewRequestRow>(insertInto('requests', NEW_REQUEST_NAMES));

  #insertRequestOf(request: NewRequest, changes: Changes): number {
    const headers = JSON.stringify(keepRequestHeaders(request.headers));
    const id = Number(this.#insertRequest.run(changes, { ...request, headers }).lastInsertRowid);
    if (request.cutCalls !== undefined) this.#cuts.add(id, request.cutCalls, changes);
    return id;
  }

  readonly #stored = this.query<{ id: number }, { messageId: string; wire: Uint8Array | null }>(
    `SELECT m.message_id AS messageId, b.wire FROM messages m LEFT JOIN message_bodies b ON b.id = m.id
     WHERE m.id = @id`,
  );

  /** In a damaged store, acknowledge only what can be read back. */
  #readBack(messages: readonly NewMessage[], stored: readonly StoredMessage[]): void {
    for (const [i, { messageId, wire }] of messages.entries()) {
      const { id, duplicate } = stored[i]!;
      const row = this.#stored.get({ id });
      const isThere = duplicate ? row !== undefined : row?.messageId === messageId;
      const hasBody = duplicate || wire === null || (row?.wire && Buffer.compare(row.wire, wire) === 0);
      if (!isThere || !hasBody) throw new StoreDamagedError('What was stored cannot be read again.');
    }
  }

  readonly #rowsOf = this.column<{ messageId: string; sourceId: number | null; most: number }, number>(
    `SELECT count(*) FROM
       (SELECT 1 FROM messages WHERE message_id = @messageId AND source_id IS @sourceId AND state <> 'rejected' LIMIT @most)`,
  );

  rowsOf(messageId: string, sourceId: number | undefined): number {
    return this.#rowsOf.get({ messageId, sourceId: sourceId ?? null, most: MAX_ROWS })!;
  }

  readonly #has = this.column<{ messageId: string }, 1>(
    "SELECT 1 FROM messages WHERE message_id = @messageId AND state <> 'rejected' LIMIT 1",
  );

  hasMessage(messageId: string): boolean {
    return this.#has.get({ messageId }) !== undefined;
  }
}

/** `ids` are those of the messages that repeat nothing, in their order. */
function withIds(messages: readonly NewMessage[], firsts: readonly First[], ids: readonly number[]): StoredMessage[] {
  const stored: StoredMessage[] = [];
  let fresh = 0;
  for (const first of firsts) {
    if (first === undefined) stored.push({ id: ids[fresh++]!, duplicate: false });
    else if (typeof first === 'number') stored.push({ id: first, duplicate: true });
    else stored.push({ id: stored[messages.indexOf(first)]!.id, duplicate: true });
  }
  return stored;
}

const isSuppressed = ({ reason }: NewMessage): boolean => reason === 'user_suppressed';

const firstNew = (stored: readonly StoredMessage[]): number | null =>
  stored.find(({ duplicate }) => !duplicate)?.id ?? null;

function sameRefusal({ position, reason }: NewMessage, before: RefusedBefore | null): number | undefined {
  const row = before?.get(position);
  return row !== undefined && row.reason === reason ? row.id : undefined;
}

function messageRow({ request, dueAt }: Arrived, requestId: number, message: NewMessage): MessageRow {
  const { sourceId, receivedAt } = request;
  const { nextDueAt, finishedAt } = arrival(message.state, receivedAt, dueAt);
  return {
    ...message,
    nextDueAt,
    finishedAt,
    room: nextDueAt === null ? null : NEW_ROOM,
    sourceId,
    requestId,
    receivedAt,
    notes: message.notes.length > 0 ? JSON.stringify(message.notes) : null,
  };
}
