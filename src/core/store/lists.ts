/** Reads for lists and details. Small rows only; bodies are read one message at a time. */
import type { Db } from './database.ts';
import { loudReasons, type Mark } from './marks.ts';
import { RARE_STATE } from './migrations.ts';

export interface MessageRecord {
  id: number;
  message_id: string;
  source_id: number | null;
  request_id: number;
  position: number;
  origin: string;
  type: string;
  name: string;
  user_id: string | null;
  anonymous_id: string | null;
  state: string;
  reason: string | null;
  reason_detail: string | null;
  received_at: number;
  size: number;
  round: number;
  next_due_at: number | null;
  first_attempt_at: number | null;
  window_ends_at: number | null;
  finished_at: number | null;
  cells: string;
  repeats: number;
  replays: number;
  notes: string | null;
}

export interface AttemptRecord {
  id: number;
  message_id: number;
  replay_id: number | null;
  webhook_id: number;
  slot: number;
  webhook_name: string;
  url: string;
  round: number;
  started_at: number;
  clock_at: number;
  outcome: string | null;
  status: number | null;
  duration_ms: number | null;
  result: string | null;
}

export interface RequestRecord {
  id: number;
  received_at: number;
  method: string;
  path: string;
  headers: string;
  body: Uint8Array;
  encoding: string | null;
  decoded_bytes: number;
  write_key: string | null;
  source_id: number | null;
  status: number;
  code: string | null;
}

export interface ReplayRecord {
  id: number;
  message_id: number;
  created_at: number;
  finished_at: number | null;
  webhook_ids: string;
}

export interface ListFilter {
  readonly text?: string;
  readonly states?: readonly string[];
  readonly types?: readonly string[];
  readonly user?: string;
  readonly sourceId?: number;
  readonly is?: readonly Mark[];
  readonly note?: string;
  readonly reason?: string;
}

const DENSE = ['delivered', 'delivering', 'queued'];

const ATTEMPT_COLUMNS =
  'a.id, a.message_id, a.replay_id, a.webhook_id, a.slot, a.webhook_name, a.url, a.round, a.started_at, a.clock_at, a.outcome, a.status, a.duration_ms, r.result';
const ATTEMPTS = 'attempts a LEFT JOIN attempt_results r ON r.id = a.id';

/** How many rows one step of a scan looks at: without and with the bodies. */
const STEP_ROWS = 20_000;
const STEP_BODIES = 2_000;

const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, (c) => `\\${c}`)}%`;

/** A rejection of more than 2,500 calls has the reason of one over 500 KB, which alone is answered 400. */
const MARK_SQL: Readonly<Record<Mark, string>> = {
  silent: `${RARE_STATE} AND state = 'rejected' AND reason NOT IN (${loudReasons.map((reason) => `'${reason}'`).join(', ')})
    AND (reason <> 'batch_too_large' OR reason_detail LIKE '% calls')`,
  noted: 'notes IS NOT NULL',
  repeated: 'repeats > 0',
  replayed: 'replays > 0',
};

interface Where {
  readonly sql: string;
  readonly values: readonly (string | number)[];
  readonly bodies: boolean;
}

const marks = (n: number): string => Array.from({ length: n }, () => '?').join(', ');

function whereOf(filter: ListFilter): Where {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: string, ...more: (string | number)[]): void => {
    parts.push(sql);
    values.push(...more);
  };
  const states = filter.states ?? [];
  const rare = states.length > 0 && states.every((state) => !DENSE.includes(state));
  if (rare) add(RARE_STATE);
  if (states.length > 0) add(`state IN (${marks(states.length)})`, ...states);
  if (filter.types !== undefined && filter.types.length > 0)
    add(`type IN (${marks(filter.types.length)})`, ...filter.types);
  if (filter.sourceId !== undefined) add('source_id = ?', filter.sourceId);
  for (const mark of filter.is ?? []) add(MARK_SQL[mark]);
  if (filter.note) add("notes LIKE ? ESCAPE '\\'", `%"code":${likePattern(JSON.stringify(filter.note)).slice(1)}`);
  if (filter.reason) add('reason = ?', filter.reason);
  if (filter.user)
    add(
      "(user_id LIKE ? ESCAPE '\\' OR anonymous_id LIKE ? ESCAPE '\\')",
      likePattern(filter.user),
      likePattern(filter.user),
    );
  if (filter.text) {
    const like = likePattern(filter.text);
    add(
      `(name LIKE ? ESCAPE '\\' OR user_id LIKE ? ESCAPE '\\' OR anonymous_id LIKE ? ESCAPE '\\' OR message_id LIKE ? ESCAPE '\\'
        OR EXISTS (SELECT 1 FROM message_bodies b WHERE b.id = messages.id AND CAST(b.wire AS TEXT) LIKE ? ESCAPE '\\'))`,
      like,
      like,
      like,
      like,
      like,
    );
  }
  return { sql: parts.length === 0 ? 'TRUE' : parts.join(' AND '), values, bodies: Boolean(filter.text) };
}

export interface IdPage {
  readonly ids: number[];
  readonly scannedTo: number;
  readonly more: boolean;
}

export class ListStore {
  readonly #db: Db;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(db: Db) {
    this.#db = db;
    this.#statements = prepare(db);
  }

  /** Ascending from the row with `firstId`. */
  window(firstId: number, count: number): MessageRecord[] {
    return this.#statements.window.all(firstId, count) as MessageRecord[];
  }

  message(id: number): MessageRecord | undefined {
    return this.#statements.message.get(id) as MessageRecord | undefined;
  }

  messages(ids: Iterable<number>): MessageRecord[] {
    const found: MessageRecord[] = [];
    for (const id of ids) {
      const row = this.message(id);
      if (row !== undefined) found.push(row);
    }
    return found;
  }

  /**
   * Newest-first matching ids below `before`, down to but without `after`. Looks at bounded steps of rows until
   * `limit` ids are found, the range is done, or `keepGoing` says no.
   */
  ids(filter: ListFilter, before: number, after: number, limit: number, keepGoing: () => boolean): IdPage {
    const where = whereOf(filter);
    const query = this.#db
      .prepare(`SELECT id FROM messages WHERE id < ? AND id >= ? AND ${where.sql} ORDER BY id DESC LIMIT ?`)
      .pluck();
    const step = where.bodies ? STEP_BODIES : STEP_ROWS;
    const ids: number[] = [];
    let top = before;
    do {
      const bottom = Math.max(after + 1, top - step);
      const found = query.all(top, bottom, ...where.values, limit - ids.length) as number[];
      ids.push(...found);
      top = ids.length >= limit ? ids[ids.length - 1]! : bottom;
    } while (ids.length < limit && top > after + 1 && keepGoing());
    return { ids, scannedTo: top, more: top > after + 1 };
  }

  request(id: number): RequestRecord | undefined {
    return this.#statements.request.get(id) as RequestRecord | undefined;
  }

  wire(id: number): Uint8Array | null {
    return (this.#statements.wire.get(id) as Uint8Array | undefined) ?? null;
  }

  attemptsOf(messageId: number): AttemptRecord[] {
    return this.#statements.attemptsOf.all(messageId) as AttemptRecord[];
  }

  attempt(id: number): AttemptRecord | undefined {
    return this.#statements.attempt.get(id) as AttemptRecord | undefined;
  }

  responseBody(attemptId: number): Uint8Array | null {
    return (this.#statements.responseBody.get(attemptId) as Uint8Array | null | undefined) ?? null;
  }

  replaysOf(messageId: number): ReplayRecord[] {
    return this.#statements.replaysOf.all(messageId) as ReplayRecord[];
  }

  replay(id: number): ReplayRecord | undefined {
    return this.#statements.replay.get(id) as ReplayRecord | undefined;
  }

  /** Oldest first after `after`; of one message (by its messageId) or all. */
  attemptsAfter(
    after: number,
    messageId: string | undefined,
    limit: number,
  ): Array<AttemptRecord & { message: string }> {
    const rows =
      messageId === undefined
        ? this.#statements.attemptsAfter.all(after, limit)
        : this.#statements.attemptsOfMessageId.all(messageId, after, limit);
    return rows as Array<AttemptRecord & { message: string }>;
  }

  /** The newest finished attempts over all webhooks, newest first. */
  recentAttempts(limit: number): Array<{
    webhook_id: number;
    url: string;
    outcome: string;
    status: number | null;
    result: string | null;
    started_at: number;
  }> {
    return this.#statements.recent.all(limit) as never;
  }

  /** Requests of an unknown write key that are still held. */
  heldRequests(writeKey: string): RequestRecord[] {
    return this.#statements.held.all(writeKey) as RequestRecord[];
  }

  heldMessages(requestId: number): number[] {
    return this.#statements.heldMessages.all(requestId) as number[];
  }

  counts(): Array<{ state: string; n: number }> {
    return this.#statements.counts.all() as Array<{ state: string; n: number }>;
  }

  idRange(): { first: number; last: number } | null {
    const row = this.#statements.range.get() as { first: number | null; last: number | null };
    return row.first === null || row.last === null ? null : { first: row.first, last: row.last };
  }

  allIds(): IterableIterator<number> {
    return this.#statements.allIds.iterate() as IterableIterator<number>;
  }

  bytes(): number {
    return this.#statements.bytes.get() as number;
  }
}

function prepare(db: Db) {
  return {
    window: db.prepare('SELECT * FROM messages WHERE id >= ? ORDER BY id LIMIT ?'),
    message: db.prepare('SELECT * FROM messages WHERE id = ?'),
    request: db.prepare('SELECT * FROM requests WHERE id = ?'),
    wire: db.prepare('SELECT wire FROM message_bodies WHERE id = ?').pluck(),
    attemptsOf: db.prepare(`SELECT ${ATTEMPT_COLUMNS} FROM ${ATTEMPTS} WHERE a.message_id = ? ORDER BY a.id`),
    attempt: db.prepare(`SELECT ${ATTEMPT_COLUMNS} FROM ${ATTEMPTS} WHERE a.id = ?`),
    responseBody: db.prepare('SELECT response_body FROM attempt_results WHERE id = ?').pluck(),
    replaysOf: db.prepare('SELECT * FROM replays WHERE message_id = ? ORDER BY id'),
    replay: db.prepare('SELECT * FROM replays WHERE id = ?'),
    attemptsAfter: db.prepare(
      `SELECT ${ATTEMPT_COLUMNS}, m.message_id AS message FROM ${ATTEMPTS} JOIN messages m ON m.id = a.message_id
       WHERE a.id > ? ORDER BY a.id LIMIT ?`,
    ),
    attemptsOfMessageId: db.prepare(
      `SELECT ${ATTEMPT_COLUMNS}, m.message_id AS message FROM messages m JOIN attempts a ON a.message_id = m.id
       LEFT JOIN attempt_results r ON r.id = a.id
       WHERE m.message_id = ? AND a.id > ? ORDER BY a.id LIMIT ?`,
    ),
    recent: db.prepare(
      `SELECT a.webhook_id, a.url, a.outcome, a.status, r.result, a.started_at FROM ${ATTEMPTS}
       WHERE a.outcome IS NOT NULL ORDER BY a.id DESC LIMIT ?`,
    ),
    held: db.prepare(
      `SELECT DISTINCT r.* FROM messages m JOIN requests r ON r.id = m.request_id
       WHERE ${RARE_STATE} AND m.state = 'rejected' AND m.reason = 'unknown_source' AND r.write_key = ? ORDER BY r.id`,
    ),
    heldMessages: db
      .prepare(
        `SELECT id FROM messages WHERE ${RARE_STATE} AND state = 'rejected' AND request_id = ? AND reason = 'unknown_source'`,
      )
      .pluck(),
    counts: db.prepare('SELECT state, n FROM counters'),
    range: db.prepare('SELECT (SELECT min(id) FROM messages) AS first, (SELECT max(id) FROM messages) AS last'),
    allIds: db.prepare('SELECT id FROM messages ORDER BY id').pluck(),
    bytes: db
      .prepare(`SELECT (page_count - freelist_count) * page_size
         FROM pragma_page_count, pragma_freelist_count, pragma_page_size`)
      .pluck(),
  };
}
