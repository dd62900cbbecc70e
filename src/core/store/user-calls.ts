/** Reads the calls that name a user, from a handle of its own: another thread uses it while the engine writes. */
import { crc32 } from 'node:zlib';
import { previousIdOf } from '../model/body.ts';
import type { JsonObject } from '../model/call.ts';
import { isJsonObject } from '../model/call.ts';
import type { CallType } from '../model/vocabulary.ts';
import { isDamage } from './damage.ts';
import { openStoreReadOnly } from './database.ts';
import type { NamedCall, PersonCall, UserCall, UserCallPage, UserCallStore } from './ports/user-calls.ts';
import type { ReadDb } from './prepared.ts';
import { Reads } from './statements.ts';

interface Row {
  readonly id: number;
  readonly type: CallType;
  readonly name: string;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  readonly sourceId: number | null;
  readonly receivedAt: number;
  /** Whether it is a call of a client that names a user. */
  readonly counts: 0 | 1;
  /** Whether it belongs to a person. */
  readonly names: 0 | 1;
}
interface BodyRow {
  readonly id: number;
  readonly wire: Uint8Array;
  readonly crc32: number;
}

const ROWS = `SELECT id, type, name, user_id AS userId, anonymous_id AS anonymousId, source_id AS sourceId,
    received_at AS receivedAt,
    (user_id IS NOT NULL AND state <> 'rejected' AND (origin = 'sdk' OR origin = 'composer' OR origin = 'import')) AS counts,
    ((user_id IS NOT NULL OR anonymous_id IS NOT NULL) AND state <> 'rejected' AND origin <> 'deletion') AS names
  FROM messages`;

const decoder = new TextDecoder();

export class SqliteUserCalls extends Reads implements UserCallStore {
  readonly #close: () => void;

  constructor(db: ReadDb, close: () => void) {
    super(db);
    this.#close = close;
  }

  close(): void {
    this.#close();
  }

  readonly #newest = this.column<undefined, number | null>('SELECT max(id) FROM messages');

  newestId(): number {
    return this.#newest.get() ?? 0;
  }

  readonly #rows = this.query<{ after: number; upTo: number; limit: number }, Row>(
    `${ROWS} NOT INDEXED WHERE id > @after AND id <= @upTo ORDER BY id LIMIT @limit`,
  );

  page(after: number, upTo: number, limit: number): UserCallPage {
    const rows = this.#rowsAround(after, upTo, limit);
    const counting = rows.filter((row) => row.counts === 1);
    const bodies = this.bodies(counting.map(({ id }) => id));
    const named = rows.filter((row) => row.names === 1).map((row) => namedCall(row, bodies.get(row.id) ?? null));
    const readTo = rows.length < limit ? upTo : rows.at(-1)!.id;
    return { calls: counting.map((row) => userCall(row, bodies.get(row.id) ?? null)), named, readTo };
  }

  /** All rows at once; around a damaged page, one by one. */
  #rowsAround(after: number, upTo: number, limit: number): Row[] {
    try {
      return this.#rows.all({ after, upTo, limit });
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    const rows: Row[] = [];
    // The last id counts as read even when it is damaged, so that reading goes on behind it.
    const last = Math.min(upTo, after + limit);
    for (let id = after + 1; id <= last; id += 1) {
      // By its id: as a range, the read would touch the page beside it.
      const row = this.#sound(() => this.#byId.all({ ids: `[${id}]` })[0]);
      rows.push(row ?? unreadable(id));
    }
    return rows;
  }

  readonly #byId = this.query<{ ids: string }, Row>(
    `${ROWS} WHERE id IN (SELECT value FROM json_each(@ids)) ORDER BY id`,
  );

  personCalls(ids: readonly number[]): readonly PersonCall[] {
    const rows = this.#rowsOf(ids).filter((row) => row.names === 1);
    const bodies = this.bodies(rows.map(({ id }) => id));
    return rows.map((row) => personCall(row, bodies.get(row.id) ?? null));
  }

  #rowsOf(ids: readonly number[]): Row[] {
    try {
      return this.#byId.all({ ids: JSON.stringify(ids) });
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    return ids.flatMap((id) => this.#sound(() => this.#byId.all({ ids: `[${id}]` })) ?? []);
  }

  readonly #bodies = this.query<{ ids: string }, BodyRow>(
    'SELECT id, wire, crc32 FROM message_bodies WHERE id IN (SELECT value FROM json_each(@ids))',
  );

  bodies(ids: readonly number[]): ReadonlyMap<number, JsonObject> {
    const found = new Map<number, JsonObject>();
    if (ids.length === 0) return found;
    for (const { id, wire, crc32: sum } of this.#bodyRows(ids)) {
      const body = crc32(wire) === sum ? parsed(wire) : null;
      if (body !== null) found.set(id, body);
    }
    return found;
  }

  #bodyRows(ids: readonly number[]): BodyRow[] {
    try {
      return this.#bodies.all({ ids: JSON.stringify(ids) });
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    return ids.flatMap((id) => this.#sound(() => this.#bodies.all({ ids: `[${id}]` })) ?? []);
  }

  #sound<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      return undefined;
    }
  }
}

/** Opens a second, read-only handle on an open store. Throws a StoreOpenError. */
export function openUserCalls(workspace: string): UserCallStore {
  const db = openStoreReadOnly(workspace);
  // The pages are read once and in order, so that a large cache would only take memory.
  db.pragma('cache_size = -4096');
  return new SqliteUserCalls(db, () => db.close());
}

function personCall({ name, counts: _, names: __, ...row }: Row, body: JsonObject | null): PersonCall {
  return { ...row, event: eventOf(row.type, name, body), body };
}

const userCall = ({ id, type, name, userId, sourceId, receivedAt }: Row, body: JsonObject | null): UserCall => ({
  id,
  type,
  event: eventOf(type, name, body),
  userId: userId!,
  sourceId,
  receivedAt,
  body,
});

function namedCall({ id, type, userId, anonymousId }: Row, body: JsonObject | null): NamedCall {
  return { id, userId, anonymousId, previousId: type === 'alias' ? previousIdOf(body) : null };
}

/** A row on a damaged page counts as read. */
const unreadable = (id: number): Row => ({
  id,
  type: 'track',
  name: '',
  userId: null,
  anonymousId: null,
  sourceId: null,
  receivedAt: 0,
  counts: 0,
  names: 0,
});

/** The row has a shortened name of a long event. */
const eventOf = (type: CallType, name: string, body: JsonObject | null): string =>
  type === 'track' && typeof body?.event === 'string' ? body.event : name;

function parsed(wire: Uint8Array): JsonObject | null {
  try {
    const value: unknown = JSON.parse(decoder.decode(wire));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
