/** The calls that name a user, as people read them. */
import { previousIdOf } from '../../../src/core/model/body.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/model/call.ts';
import type { MessageRecord } from '../../../src/core/model/stored.ts';
import type { Origin } from '../../../src/core/model/vocabulary.ts';
import type {
  NamedCall,
  PersonCall,
  UserCall,
  UserCallPage,
  UserCallStore,
} from '../../../src/core/store/ports/user-calls.ts';
import type { Tables } from './tables.ts';

const OF_CLIENTS: ReadonlySet<Origin> = new Set(['sdk', 'composer', 'import']);

export class MemoryUserCalls implements UserCallStore {
  readonly #all: Tables;

  constructor(tables: Tables) {
    this.#all = tables;
  }

  /** Throws inside a transaction, because a handle of its own sees only what is committed. */
  get #tables(): Tables {
    if (!this.#all.journal.isClean) throw new Error('People read what is not committed.');
    return this.#all;
  }

  page(after: number, upTo: number, limit: number): UserCallPage {
    const rows = this.#tables.messages.where(({ id }) => id > after && id <= upTo).slice(0, limit);
    const readTo = rows.length < limit ? upTo : rows.at(-1)!.id;
    const named = rows.filter(isNamed).map((row) => this.#namedOf(row));
    return { calls: rows.flatMap((row) => this.#callOf(row)), named, readTo };
  }

  #namedOf({ id, type, userId, anonymousId }: MessageRecord): NamedCall {
    return { id, userId, anonymousId, previousId: type === 'alias' ? previousIdOf(this.#bodyOf(id)) : null };
  }

  personCalls(ids: readonly number[]): readonly PersonCall[] {
    const rows = this.#tables.messages.where((row) => ids.includes(row.id) && isNamed(row));
    return rows.flatMap(({ id, type, name, userId, anonymousId, sourceId, receivedAt }) => {
      const body = this.#bodyOf(id);
      if (type === 'unknown') return [];
      return [{ id, type, event: eventOf(type, name, body), userId, anonymousId, sourceId, receivedAt, body }];
    });
  }

  #callOf({ id, type, name, userId, sourceId, receivedAt, state, origin }: MessageRecord): UserCall[] {
    if (userId === null || type === 'unknown' || state === 'rejected' || !OF_CLIENTS.has(origin)) return [];
    const body = this.#bodyOf(id);
    return [{ id, type, event: eventOf(type, name, body), userId, sourceId, receivedAt, body }];
  }

  bodies(ids: readonly number[]): ReadonlyMap<number, JsonObject> {
    return new Map(
      ids.flatMap((id) => {
        const body = this.#bodyOf(id);
        return body === null ? [] : [[id, body] as const];
      }),
    );
  }

  #bodyOf(id: number): JsonObject | null {
    const body = this.#tables.bodies.get(id);
    return body?.isSound === true ? parsed(body.wire) : null;
  }

  newestId(): number {
    return this.#tables.messages.all().at(-1)?.id ?? 0;
  }

  close(): void {}
}

const isNamed = ({ userId, anonymousId, state, origin }: MessageRecord): boolean =>
  (userId !== null || anonymousId !== null) && state !== 'rejected' && origin !== 'deletion';

const eventOf = (type: MessageRecord['type'], name: string, body: JsonObject | null): string =>
  type === 'track' && typeof body?.event === 'string' ? body.event : name;

function parsed(wire: Uint8Array): JsonObject | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(wire).toString('utf8'));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
