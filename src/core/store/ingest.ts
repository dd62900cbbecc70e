/** Writes what was received: the request, its messages and their delivered bytes. */
import { crc32 } from 'node:zlib';
import type { NewMessage, NewRequest, StoredMessage } from '../model/records.ts';
import { keepRequestHeaders } from '../model/static-headers.ts';
import { StoreDamagedError } from '../ports.ts';
import { Cuts } from './cuts.ts';
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import { SqliteHeld } from './held.ts';
import { type MessageRow, messageRow, NEW_MESSAGE_NAMES } from './message-row.ts';
import type { Changes } from './ports/changes.ts';
import type { AlsoWritten, Arrived, IngestStore } from './ports/ingest.ts';
import { asStored, type RefusedBefore, Repeats } from './repeats.ts';
import { NEW_REQUEST_NAMES, type NewRequestRow } from './request-row.ts';
import { columnList, Writes } from './statements.ts';
import { SuppressionHits } from './suppressions.ts';
import type { GroupWriter, Together } from './writer.ts';

/** {@link IngestStore.rowsOf} stops counting here. */
const MAX_ROWS = 100;

/** The row id of the stored message that a call repeats, or the earlier call of its request. Undefined for a new one. */
type First = number | NewMessage | undefined;

/** A request, and what each of its calls repeats. */
interface Compared {
  readonly arrived: Arrived;
  readonly firsts: readonly First[];
}

/** What {@link SqliteIngest.storeRequest} was given. */
interface Asked {
  readonly arrived: Arrived;
  readonly also: AlsoWritten | undefined;
}

interface Body {
  readonly id: number;
  readonly wire: Uint8Array;
  readonly crc32: number;
}

export class SqliteIngest extends Writes implements IngestStore {
  readonly #writer: Pick<GroupWriter, 'writeTogether'>;
  readonly #damage: Damage;
  readonly #repeats: Repeats;
  readonly #held: SqliteHeld;
  readonly #hits: SuppressionHits;
  readonly #cuts: Cuts;

  constructor(db: Db, writer: Pick<GroupWriter, 'writeTogether'>, damage: Damage = untold()) {
    super(db);
    this.#writer = writer;
    this.#damage = damage;
    this.#repeats = new Repeats(db);
    this.#held = new SqliteHeld(db, damage);
    this.#hits = new SuppressionHits(db);
    this.#cuts = new Cuts(db);
  }

  storeRequest(arrived: Arrived, also?: AlsoWritten): Promise<readonly StoredMessage[]> {
    return this.#writer.writeTogether(this.#together, () => ({ arrived, also }), 1 + 2 * arrived.messages.length);
  }

  readonly #together: Together<Asked, readonly StoredMessage[]> = {
    run: (all, changes) => {
      const stored = this.#storeAll(
        all.map(({ arrived }) => arrived),
        changes,
      );
      for (const [i, { also }] of all.entries()) also?.(stored[i]!, changes);
      return stored;
    },
  };

  storeIn(arrived: Arrived, changes: Changes): readonly StoredMessage[] {
    return this.#storeAll([arrived], changes)[0]!;
  }

  #storeAll(all: readonly Arrived[], changes: Changes): StoredMessage[][] {
    if (this.#repeats.areAmong(all)) return all.map((arrived) => this.#storeOne(arrived, changes));
    return this.#write(all.map(withoutRepeats), changes);
  }

  #storeOne(arrived: Arrived, changes: Changes): StoredMessage[] {
    const { messages } = arrived;
    const firsts = this.#firstsOf(arrived);
    if (firsts.includes(undefined)) return this.#write([{ arrived, firsts }], changes)[0]!;
    // Only repeats: the bytes of this request would belong to no message, so it is dropped.
    const stored = withIds(messages, firsts, []);
    this.#complete(arrived, stored, changes);
    return stored;
  }

  /**
   * Each of these requests has a new call. One statement writes many rows: a request of one call takes 22 µs where eight
   * are stored together, and 26 where each is stored by itself.
   */
  #write(all: readonly Compared[], changes: Changes): StoredMessage[][] {
    const requestIds = this.#insertRequests(all, changes);
    const ids = this.#insertMessages(all, requestIds, changes);
    const stored = all.map(({ arrived, firsts }) => withIds(arrived.messages, firsts, ids));
    this.#insertBodies(all, stored, changes);
    for (const [i, { arrived }] of all.entries()) {
      this.#repeats.markRefused(requestIds[i]!, arrived.request, firstNew(stored[i]!), changes);
      this.#complete(arrived, stored[i]!, changes);
    }
    return stored;
  }

  #complete(arrived: Arrived, stored: readonly StoredMessage[], changes: Changes): void {
    const { messages } = arrived;
    for (const { id, duplicate } of stored) if (duplicate) this.#repeats.count(id, changes);
    if (this.#damage.known) this.#readBack(messages, stored);
    if (messages.some(({ reason }) => reason === 'unknown_source')) this.#held.prune(changes);
    this.#countHits(arrived, changes);
  }

  #countHits({ request, messages }: Arrived, changes: Changes): void {
    for (const message of messages)
      if (isSuppressed(message)) this.#hits.add(message.reasonDetail!, request.receivedAt, changes);
  }

  /** What each call repeats. */
  #firstsOf({ request, messages, dedupe }: Arrived): First[] {
    const refusedBefore = this.#repeats.refusedBefore(request);
    const earlier = new Map<string, NewMessage>();
    return messages.map((message) => {
      if (message.state === 'rejected') return sameRefusal(message, refusedBefore);
      if (!dedupe) return undefined;
      const messageId = asStored(message.messageId);
      const first = this.#repeats.firstOf(message, request) ?? earlier.get(messageId);
      earlier.set(messageId, message);
      return first;
    });
  }

  readonly #requests = this.bulk<NewRequestRow>(
    NEW_REQUEST_NAMES,
    (rows) => `INSERT INTO requests (${columnList(NEW_REQUEST_NAMES)}) ${rows}`,
    ['method', 'path', 'encoding', 'writeKey', 'sourceId', 'status', 'code'],
  );

  /** Returns their row ids. */
  #insertRequests(all: readonly Compared[], changes: Changes): number[] {
    const ids = this.#requests.run(
      changes,
      all.map(({ arrived }) => requestRow(arrived.request)),
    );
    for (const [i, { arrived }] of all.entries()) {
      const { cutCalls } = arrived.request;
      if (cutCalls !== undefined) this.#cuts.add(ids[i]!, cutCalls, changes);
    }
    return ids;
  }

  readonly #messages = this.bulk<MessageRow>(
    NEW_MESSAGE_NAMES,
    (rows) => `INSERT INTO messages (${columnList(NEW_MESSAGE_NAMES)}) ${rows}`,
    ['sourceId', 'origin', 'state', 'reason', 'reasonDetail', 'finishedAt', 'notes', 'room'],
  );

  /** Returns the row ids of those that repeat nothing. */
  #insertMessages(all: readonly Compared[], requestIds: readonly number[], changes: Changes): number[] {
    const rows: MessageRow[] = [];
    for (const [i, { arrived, firsts }] of all.entries())
      for (const [n, message] of arrived.messages.entries())
        if (firsts[n] === undefined) rows.push(messageRow(arrived, requestIds[i]!, message));
    const ids = this.#messages.run(changes, rows);
    for (const [i, { state }] of rows.entries()) changes.insertedMessage(ids[i]!, state);
    return ids;
  }

  readonly #bodies = this.bulk<Body>(
    ['id', 'wire', 'crc32'],
    (rows) => `INSERT INTO message_bodies (id, wire, crc32) ${rows}`,
  );

  #insertBodies(all: readonly Compared[], stored: readonly StoredMessage[][], changes: Changes): void {
    const bodies: Body[] = [];
    for (const [i, { arrived }] of all.entries())
      for (const [n, { wire }] of arrived.messages.entries()) {
        const { id, duplicate } = stored[i]![n]!;
        if (wire !== null && !duplicate) bodies.push({ id, wire, crc32: crc32(wire) });
      }
    this.#bodies.run(changes, bodies);
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

/** Takes the ids of the messages that repeat nothing from the front of `ids`. */
function withIds(messages: readonly NewMessage[], firsts: readonly First[], ids: number[]): StoredMessage[] {
  const stored: StoredMessage[] = [];
  for (const first of firsts) {
    if (first === undefined) stored.push({ id: ids.shift()!, duplicate: false });
    else if (typeof first === 'number') stored.push({ id: first, duplicate: true });
    else stored.push({ id: stored[messages.indexOf(first)]!.id, duplicate: true });
  }
  return stored;
}

const withoutRepeats = (arrived: Arrived): Compared => ({ arrived, firsts: arrived.messages.map(() => undefined) });

const requestRow = (request: NewRequest): NewRequestRow => ({
  ...request,
  headers: JSON.stringify(keepRequestHeaders(request.headers)),
});

const isSuppressed = ({ reason }: NewMessage): boolean => reason === 'user_suppressed';

const firstNew = (stored: readonly StoredMessage[]): number | null =>
  stored.find(({ duplicate }) => !duplicate)?.id ?? null;

function sameRefusal({ position, reason }: NewMessage, before: RefusedBefore | null): number | undefined {
  const row = before?.get(position);
  return row !== undefined && row.reason === reason ? row.id : undefined;
}
