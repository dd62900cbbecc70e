/** The calls that name a user, as people read them. */
import { isJsonObject, type JsonObject } from '../../../src/core/model/call.ts';
import type { MessageRecord } from '../../../src/core/model/stored.ts';
import type { Origin } from '../../../src/core/model/vocabulary.ts';
import type { UserCall, UserCallPage, UserCallStore } from '../../../src/core/store/ports/user-calls.ts';
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
    return { calls: rows.flatMap((row) => this.#callOf(row)), readTo };
  }

  #callOf({ id, type, name, userId, sourceId, receivedAt, state, origin }: MessageRecord): UserCall[] {
    if (userId === null || type === 'unknown' || state === 'rejected' || !OF_CLIENTS.has(origin)) return [];
    const body = this.#bodyOf(id);
    const event = type === 'track' && typeof body?.event === 'string' ? body.event : name;
    return [{ id, type, event, userId, sourceId, receivedAt, body }];
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

function parsed(wire: Uint8Array): JsonObject | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(wire).toString('utf8'));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
