/** Reads for lists and details. Small rows only; bodies are read one message at a time. */
import { LOUD_REASONS, type Mark } from '../model/vocabulary.ts';
import { type Damage, isDamage, untold } from './damage.ts';
import type { Db } from './database.ts';
import { RARE_STATE } from './migrations.ts';
import { walk } from './walk.ts';

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

/** The webhooks in force after an attempt, until the next line-up. */
export interface LineUpRecord {
  after_attempt: number;
  /** JSON: `[[id, slot, name, 0 or 1], …]`, by slot. */
  webhooks: string;
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
  /** `503` or `5xx`. */
  readonly code?: string;
  readonly hook?: { readonly slot: number; readonly cell?: string };
}

const DENSE = ['delivered', 'delivering', 'queued'];

const ATTEMPT_COLUMNS =
  'a.id, a.message_id, a.replay_id, a.webhook_id, a.slot, a.webhook_name, a.url, a.round, a.started_at, a.clock_at, a.outcome, a.status, a.duration_ms, r.result';
const ATTEMPTS = 'attempts a LEFT JOIN attempt_results r ON r.id = a.id';

/** How many rows one step of a scan looks at: by themselves, and with their bodies or attempts. */
const STEP_ROWS = 20_000;
const STEP_DEAR = 2_000;
const stepOf = (where: Where): number => (where.dear ? STEP_DEAR : STEP_ROWS);

const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, (c) => `\\${c}`)}%`;

const DROPPED_SQL = `${RARE_STATE} AND state = 'rejected' AND reason NOT IN (${LOUD_REASONS.map((reason) => `'${reason}'`).join(', ')})`;
const MARK_SQL: Readonly<Record<Mark, string>> = {
  dropped: DROPPED_SQL,
  silent: DROPPED_SQL,
  noted: 'notes IS NOT NULL',
  repeated: 'repeats > 0',
  replayed: 'replays > 0',
};

interface Where {
  readonly sql: string;
  readonly values: readonly (string | number)[];
  /** Each row costs a look at its body or its attempts. */
  readonly dear: boolean;
}

/** `5xx` is 500 to 599. */
const statusRange = (code: string): [number, number] =>
  code.endsWith('xx') ? [Number(code[0]) * 100, Number(code[0]) * 100 + 99] : [Number(code), Number(code)];

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
  if (filter.hook?.cell !== undefined) add('substr(cells, ?, 1) = ?', filter.hook.slot, filter.hook.cell);
  else if (filter.hook !== undefined)
    add(
      'EXISTS (SELECT 1 FROM attempts t WHERE t.message_id = messages.id AND t.slot = ? AND t.replay_id IS NULL)',
      filter.hook.slot,
    );
  if (filter.code !== undefined)
    add(
      'EXISTS (SELECT 1 FROM attempts t WHERE t.message_id = messages.id AND t.status BETWEEN ? AND ?)',
      ...statusRange(filter.code),
    );
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
  const dear = Boolean(filter.text) || filter.code !== undefined || (filter.hook && filter.hook.cell === undefined);
  return { sql: parts.length === 0 ? 'TRUE' : parts.join(' AND '), values, dear: dear === true };
}

export interface IdPage {
  readonly ids: number[];
  readonly scannedTo: number;
  readonly more: boolean;
}

export interface Tally {
  readonly counts: Record<string, number>;
  readonly scannedTo: number;
  readonly more: boolean;
}

export class ListStore {
  readonly #db: Db;
  readonly #statements: ReturnType<typeof prepare>;

  readonly #damage: Damage;

  constructor(db: Db, damage: Damage = untold()) {
    this.#db = db;
    this.#damage = damage;
    this.#statements = prepare(db);
  }

  /** Ascending from the row with `firstId`. */
  window(firstId: number, count: number): MessageRecord[] {
    const read = (from: number, limit: number) => this.#statements.window.all(from, limit) as MessageRecord[];
    const rows = this.#damage.around(() => read(firstId, count), null);
    return this.#damage.soundJson(rows ?? this.#readable(read, firstId, count), 'notes', null);
  }

  /** At most `count` rows around what is damaged. */
  #readable<T extends { id: number }>(read: (from: number, limit: number) => T[], firstId: number, count: number): T[] {
    const found: T[] = [];
    const some = (from: number, limit: number): T[] => read(from, Math.min(limit, count));
    for (const rows of walk(some, () => {}, firstId - 1)) {
      found.push(...rows);
      if (found.length >= count) break;
    }
    return found.slice(0, count);
  }

  #soundOne<R extends object, K extends keyof R>(row: R | undefined, column: K, otherwise: R[K]): R | undefined {
    return row && this.#damage.soundJson([row], column, otherwise)[0];
  }

  /** Undefined too when its row is damaged. */
  message(id: number): MessageRecord | undefined {
    const read = () => this.#statements.message.get(id) as MessageRecord | undefined;
    return this.#soundOne(this.#damage.around(read, undefined), 'notes', null);
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
    const one = this.#db.prepare(`SELECT id FROM messages WHERE id = ? AND ${where.sql}`).pluck();
    const step = stepOf(where);
    const ids: number[] = [];
    let top = before;
    do {
      const bottom = Math.max(after + 1, top - step);
      const found = this.#around(
        // A range of one row would begin or end in the page beside it.
        (to, from, most) =>
          (to - from === 1 ? one.all(from, ...where.values) : query.all(to, from, ...where.values, most)) as number[],
        top,
        bottom,
        limit - ids.length,
      );
      ids.push(...found);
      top = ids.length >= limit ? ids[ids.length - 1]! : bottom;
    } while (ids.length < limit && top > after + 1 && keepGoing());
    return { ids, scannedTo: top, more: top > after + 1 };
  }

  /** How many match, by state, below `before` down to but without `after`; in steps as {@link ids}. */
  tally(filter: ListFilter, before: number, after: number, keepGoing: () => boolean): Tally {
    const where = whereOf(filter);
    const query = this.#db.prepare(
      `SELECT state, count(*) AS n FROM messages WHERE id < ? AND id >= ? AND ${where.sql} GROUP BY state`,
    );
    const counts: Record<string, number> = {};
    let top = before;
    do {
      const bottom = Math.max(after + 1, top - stepOf(where));
      for (const { state, n } of query.all(top, bottom, ...where.values) as Array<{ state: string; n: number }>)
        counts[state] = (counts[state] ?? 0) + n;
      top = bottom;
    } while (top > after + 1 && keepGoing());
    return { counts, scannedTo: top, more: top > after + 1 };
  }

  /** Newest first; where a row is damaged, the halves are read apart. */
  #around(
    read: (to: number, from: number, most: number) => number[],
    to: number,
    from: number,
    most: number,
  ): number[] {
    try {
      return read(to, from, most);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#damage.found((error as Error).message);
      if (to - from <= 1) return [];
      const middle = Math.floor((to + from) / 2);
      const upper = this.#around(read, to, middle, most);
      return upper.length >= most ? upper : [...upper, ...this.#around(read, middle, from, most - upper.length)];
    }
  }

  // What is damaged of a message is shown as if it were not kept; the rest of it is shown.

  request(id: number): RequestRecord | undefined {
    const read = () => this.#statements.request.get(id) as RequestRecord | undefined;
    return this.#soundOne(this.#damage.around(read, undefined), 'headers', '[]');
  }

  wire(id: number): Uint8Array | null {
    return this.#damage.around(() => this.#statements.wire.get(id) as Uint8Array | undefined, undefined) ?? null;
  }

  attemptsOf(messageId: number): AttemptRecord[] {
    const rows = this.#damage.around(() => this.#statements.attemptsOf.all(messageId) as AttemptRecord[], []);
    return this.#damage.soundJson(rows, 'result', null);
  }

  attempt(id: number): AttemptRecord | undefined {
    return this.#damage.around(() => this.#statements.attempt.get(id) as AttemptRecord | undefined, undefined);
  }

  /** Those with which the attempts from `first` to `last` were made, in order; those too old to be known are left out. */
  lineUps(first: number, last: number): LineUpRecord[] {
    return this.#statements.lineUps.all(last, first) as LineUpRecord[];
  }

  responseBody(attemptId: number): Uint8Array | null {
    const read = () => this.#statements.responseBody.get(attemptId) as Uint8Array | null | undefined;
    return this.#damage.around(read, null) ?? null;
  }

  replaysOf(messageId: number): ReplayRecord[] {
    const rows = this.#damage.around(() => this.#statements.replaysOf.all(messageId) as ReplayRecord[], []);
    return this.#damage.soundJson(rows, 'webhook_ids', '[]');
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
    webhook_name: string;
    url: string;
    outcome: string;
    status: number | null;
    result: string | null;
    started_at: number;
  }> {
    const read = () => this.#statements.recent.all(limit) as ReturnType<ListStore['recentAttempts']>;
    return this.#damage.soundJson(this.#damage.around(read, []), 'result', null);
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
    const none = { first: null, last: null };
    const row = this.#damage.around(
      () => this.#statements.range.get() as { first: number | null; last: number | null },
      none,
    );
    return row.first === null || row.last === null ? null : { first: row.first, last: row.last };
  }

  /** Ascending, as far as they can be read. */
  *allIds(): Generator<number> {
    const read = (from: number, limit: number) => this.#statements.idsFrom.all(from, limit) as { id: number }[];
    const first = this.idRange()?.first ?? 1;
    for (const rows of walk(read, () => this.#damage.found('a page of messages'), first - 1))
      for (const { id } of rows) yield id;
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
    lineUps: db.prepare(
      `SELECT after_attempt, webhooks FROM line_ups
       WHERE after_attempt < ?
         AND after_attempt >= coalesce((SELECT max(after_attempt) FROM line_ups WHERE after_attempt < ?), 0)
       ORDER BY after_attempt`,
    ),
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
      `SELECT a.webhook_id, a.webhook_name, a.url, a.outcome, a.status, r.result, a.started_at FROM ${ATTEMPTS}
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
    idsFrom: db.prepare('SELECT id FROM messages NOT INDEXED WHERE id >= ? ORDER BY id LIMIT ?'),
    bytes: db
      .prepare(`SELECT (page_count - freelist_count) * page_size
         FROM pragma_page_count, pragma_freelist_count, pragma_page_size`)
      .pluck(),
  };
}
