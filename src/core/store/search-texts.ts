/** Reads what a search can find, from a handle of its own: another thread uses it while the engine writes. */
import { isDamage } from './damage.ts';
import type { SearchedRequest, SearchedResponse, SearchSource, SearchTexts } from './ports/search.ts';
import type { ReadDb } from './prepared.ts';
import { Reads } from './statements.ts';

interface Range {
  readonly first: number;
  readonly last: number;
}

interface Row {
  readonly messageId: string;
  readonly name: string;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  readonly requestId: number;
  readonly position: number;
}

interface RequestRow extends Omit<SearchedRequest, 'positions'> {
  readonly id: number;
}

/** An erased message whose row has to stay (`erasure.ts`) holds nothing. */
const HOLDS = "NOT (size = 0 AND name = '' AND user_id IS NULL AND message_id = 'erased-' || id)";

export class SqliteSearchTexts extends Reads implements SearchSource {
  readonly #close: () => void;

  constructor(db: ReadDb, close: () => void) {
    super(db);
    this.#close = close;
  }

  close(): void {
    this.#close();
  }

  readonly #storeId = this.column<undefined, string>("SELECT value FROM settings WHERE key = 'store_id'");

  storeId(): string | null {
    return this.#storeId.get() ?? null;
  }

  readonly #oldest = this.column<undefined, number | null>('SELECT min(id) FROM messages');
  readonly #newest = this.column<undefined, number | null>('SELECT max(id) FROM messages');

  oldestId(): number {
    return this.#oldest.get() ?? 0;
  }

  newestId(): number {
    return this.#newest.get() ?? 0;
  }

  readonly #rows = this.query<Range, Row>(
    `SELECT message_id AS messageId, name, user_id AS userId, anonymous_id AS anonymousId, request_id AS requestId, position
     FROM messages NOT INDEXED WHERE id >= @first AND id <= @last AND ${HOLDS}`,
  );
  readonly #bodies = this.column<Range, Uint8Array>(
    'SELECT wire FROM message_bodies WHERE id >= @first AND id <= @last',
  );
  readonly #responsesOf = this.column<Range & { shortest: number }, Uint8Array>(
    `SELECT r.response_body FROM attempts a JOIN attempt_results r ON r.id = a.id
     WHERE a.message_id >= @first AND a.message_id <= @last AND length(r.response_body) >= @shortest`,
  );

  texts(first: number, last: number, shortest: number): SearchTexts | null {
    const range = { first, last };
    try {
      const rows = this.#rows.all(range);
      const ofRows = rows.flatMap(({ messageId, name, userId, anonymousId }) => [messageId, name, userId, anonymousId]);
      const texts = ofRows.filter((text): text is string => text !== null && text !== '');
      return {
        messages: rows.length,
        texts: [...texts, ...this.#bodies.all(range), ...this.#responsesOf.all({ ...range, shortest })],
        requests: this.#requestsOf(rows),
      };
    } catch (error) {
      if (!isDamage(error)) throw error;
      return null;
    }
  }

  readonly #requests = this.query<{ ids: string }, RequestRow>(
    'SELECT id, path, body, encoding, code FROM requests WHERE id IN (SELECT value FROM json_each(@ids))',
  );

  #requestsOf(rows: readonly Row[]): SearchedRequest[] {
    const positions = new Map<number, number[]>();
    for (const { requestId, position } of rows) {
      const known = positions.get(requestId);
      if (known === undefined) positions.set(requestId, [position]);
      else known.push(position);
    }
    return this.#requests
      .all({ ids: JSON.stringify([...positions.keys()]) })
      .map(({ id, ...request }) => ({ ...request, positions: positions.get(id)! }));
  }

  // A number of JavaScript arrives as a real one, which would not be divided to a whole one.
  readonly #counts = this.query<Range & { size: number }, { group: number; n: number }>(
    `SELECT id / CAST(@size AS INTEGER) AS "group", count(*) AS n FROM messages NOT INDEXED
     WHERE id >= @first AND id <= @last AND ${HOLDS} GROUP BY 1`,
  );

  counts(first: number, last: number, size: number): ReadonlyMap<number, number> {
    try {
      return new Map(this.#counts.all({ first, last, size }).map(({ group, n }) => [group, n]));
    } catch (error) {
      if (!isDamage(error)) throw error;
      return new Map();
    }
  }

  readonly #settled = this.column<undefined, number>(
    `SELECT coalesce((SELECT min(id) - 1 FROM open_attempts), (SELECT max(id) FROM attempts), 0)`,
  );

  newestSettled(): number {
    return this.#settled.get() ?? 0;
  }

  readonly #responses = this.query<{ after: number; upTo: number; shortest: number }, SearchedResponse>(
    `SELECT a.message_id AS messageId, r.response_body AS body
     FROM attempt_results r JOIN attempts a ON a.id = r.id
     WHERE r.id > @after AND r.id <= @upTo AND length(r.response_body) >= @shortest`,
  );

  responses(after: number, upTo: number, shortest: number): SearchedResponse[] {
    return this.#responses.all({ after, upTo, shortest });
  }

  readonly #tried = this.column<{ after: number; size: number }, number>(
    `SELECT message_id / CAST(@size AS INTEGER) FROM attempts WHERE id > @after
     UNION SELECT message_id / CAST(@size AS INTEGER) FROM open_attempts WHERE id > @after`,
  );

  groupsTried(after: number, size: number): number[] {
    return this.#tried.all({ after, size });
  }
}
