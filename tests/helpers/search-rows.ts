/** A store with messages that a search can find, inserted directly, and its index. */
import { crc32 } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { unescaped } from '../../src/core/model/filter-escapes.ts';
import type { Slice } from '../../src/core/model/slice.ts';
import { SearchIndex } from '../../src/core/search/search-index.ts';
import { type Db, openStore } from '../../src/core/store/database.ts';
import type { ReceivedBytes } from '../../src/core/store/ports/lists.ts';
import type { SearchFile, SearchStores } from '../../src/core/store/ports/search.ts';
import { openSearch } from '../../src/core/store/search-file.ts';
import { memoryFolder } from './memory-folder.ts';
import { endAttempt, putAttempt, putMessage } from './store-rows.ts';
import { tempWorkspace } from './temp-workspace.ts';

/** Slices without an end, and of one unit. */
export const LONG: Slice = { isOver: () => false };
export const SHORT: Slice = { isOver: () => true };

export interface SearchedTexts {
  readonly name?: string;
  readonly userId?: string;
  readonly wire?: string;
  /** The call as it was received, alone in its request. */
  readonly received?: string | Uint8Array;
}

/** A body in each way that a filter reads it. */
const readings = (body: string): string[] => [body, unescaped(body)];

const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export class SearchRows {
  readonly folder = tempWorkspace(memoryFolder());
  readonly db: Db;
  readonly stores: SearchStores;
  /** Every text of every message, by id. */
  readonly texts = new Map<number, string[]>();
  #attempts = 0;

  constructor() {
    this.db = openStore(this.folder);
    this.db.pragma('synchronous = OFF');
    // The row of the store's id.
    this.stores = openSearch(this.folder);
    onTestFinished(() => {
      this.stores.source.close();
      this.db.close();
    });
  }

  /** An index that takes over what an earlier one has saved, and closes with the test. */
  index(wrap: (file: SearchFile) => SearchFile = (file) => file): SearchIndex {
    const file = this.stores.openFile();
    onTestFinished(() => file.close());
    return new SearchIndex(this.stores.source, wrap(file));
  }

  put(id: number, { name = '', userId, wire, received }: SearchedTexts): void {
    putMessage(this.db, { id, messageId: `m${id}`, request: id, name });
    const { db } = this;
    if (userId !== undefined) db.prepare('UPDATE messages SET user_id = ? WHERE id = ?').run(userId, id);
    if (wire !== undefined) {
      const bytes = Buffer.from(wire);
      db.prepare('INSERT INTO message_bodies (id, wire, crc32) VALUES (?, ?, ?)').run(id, bytes, crc32(bytes));
    }
    if (received !== undefined) this.request(id, '/v1/track', received);
    const bodies = [wire, received].filter((body) => body !== undefined);
    const read = bodies.flatMap((body) => readings(Buffer.from(body).toString()));
    this.texts.set(id, [`m${id}`, name, ...(userId === undefined ? [] : [userId]), ...read]);
  }

  request(
    id: number,
    path: string,
    body: string | Uint8Array,
    { encoding = null, code = null }: Partial<Pick<ReceivedBytes, 'encoding' | 'code'>> = {},
  ): void {
    this.db
      .prepare(
        `INSERT INTO requests (id, received_at, method, path, headers, body, encoding, decoded_bytes, status, code)
         VALUES (?, 1, 'POST', ?, '[]', ?, ?, 2, 200, ?)`,
      )
      .run(id, path, Buffer.from(body), encoding, code);
  }

  /** A message of a request that holds others too. */
  putInBatch(id: number, request: number, position: number): void {
    putMessage(this.db, { id, messageId: `m${id}`, request, name: '' });
    this.db.prepare('UPDATE messages SET position = ? WHERE id = ?').run(position, id);
    this.texts.set(id, [`m${id}`]);
  }

  /** An attempt that is open until {@link answer}. Returns its id. */
  attempt(messageId: number): number {
    this.#attempts += 1;
    putAttempt(this.db, this.#attempts, messageId, null);
    return this.#attempts;
  }

  answer(attempt: number, messageId: number, response: string | Uint8Array | null): void {
    endAttempt(this.db, attempt, 'failed');
    this.db
      .prepare("INSERT INTO attempt_results (id, result, response_body) VALUES (?, '{}', ?)")
      .run(attempt, response === null ? null : Buffer.from(response));
    if (response !== null) this.texts.get(messageId)?.push(...readings(Buffer.from(response).toString()));
  }

  remove(id: number): void {
    this.db.exec(`DELETE FROM attempt_results WHERE id IN (SELECT id FROM attempts WHERE message_id = ${id});
      DELETE FROM attempts WHERE message_id = ${id}; DELETE FROM open_attempts WHERE message_id = ${id};
      DELETE FROM message_bodies WHERE id = ${id};
      DELETE FROM messages WHERE id = ${id}; DELETE FROM requests WHERE id = ${id};`);
    this.texts.delete(id);
  }

  get newest(): number {
    return this.stores.source.newestId();
  }

  /** Ids of the messages with every one of these texts, newest first, as a look at each of them finds them. */
  with(...parts: string[]): number[] {
    const holds = (texts: readonly string[], part: string): boolean =>
      texts.some((text) => folded(text).includes(folded(part)));
    return [...this.texts]
      .filter(([, texts]) => parts.every((part) => holds(texts, part)))
      .map(([id]) => id)
      .sort((a, b) => b - a);
  }
}

/** Ids that an index leaves to be read, newest first; null where it leaves all. */
export function idsLeft(index: SearchIndex, rows: SearchRows, ...texts: string[]): number[] | null {
  const found = index.find({ texts, before: rows.newest + 1, after: 0, most: Number.MAX_SAFE_INTEGER });
  if (found === null) return null;
  return found.ranges.flatMap(({ top, bottom }) => Array.from({ length: top - bottom }, (_, i) => top - 1 - i));
}
