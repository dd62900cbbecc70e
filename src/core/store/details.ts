/** Everything that belongs to one message, and the list of attempts. */
import type { AttemptRecord, LineUpRecord, ReplayRecord, RequestRecord } from '../model/stored.ts';
import { NEW_ATTEMPT_NAMES } from './attempts.ts';
import { type Damage, untold } from './damage.ts';
import { unpackResult } from './packed-result.ts';
import type { DetailStore, ListedAttempt } from './ports/details.ts';
import type { ReadDb } from './prepared.ts';
import { REQUEST_NAMES, type RequestRow, requestRecord } from './request-row.ts';
import { columns, Reads } from './statements.ts';

const ATTEMPT = columns(['id', ...NEW_ATTEMPT_NAMES, 'outcome', 'status', 'durationMs'], 'a');
const ATTEMPTS = `SELECT ${ATTEMPT}, r.result FROM attempts a LEFT JOIN attempt_results r ON r.id = a.id`;
/**
 * An attempt stays open when a damaged page keeps its result away. What it belongs to says that it has ended: its replay,
 * or the round and the cell of its message, which the same transaction changes with it.
 */
const OUTCOME = `CASE WHEN a.replay_id IS NOT NULL
  THEN (SELECT 'interrupted' FROM replays p WHERE p.id = a.replay_id AND p.finished_at IS NOT NULL)
  ELSE (SELECT 'interrupted' FROM messages o
        WHERE o.id = a.message_id AND (o.round > a.round OR substr(o.cells, a.slot, 1) <> 's')) END`;
const OPEN_ATTEMPT = `${columns(['id', ...NEW_ATTEMPT_NAMES], 'a')}, ${OUTCOME}, NULL, NULL, NULL`;
const OPEN_ATTEMPTS = `SELECT ${OPEN_ATTEMPT} FROM open_attempts a`;

/** A page of attempts, each with the messageId of its message. */
const listed = (ended: string, open: string): string =>
  `SELECT ${ATTEMPT}, r.result, m.message_id AS message FROM ${ended}
   UNION ALL SELECT ${OPEN_ATTEMPT}, m.message_id FROM ${open} ORDER BY id LIMIT @limit`;
const REPLAY = ['id', 'messageId', 'createdAt', 'finishedAt', 'webhookIds', 'sent', 'signed'] as const;
const REPLAYS = `SELECT ${columns([...REPLAY, 'retryUntil', 'nextAt', 'ended'])} FROM replays`;

type RawReplay = Raw<Omit<ReplayRecord, 'signed'>, 'webhookIds'> & { readonly signed: 0 | 1 };

/** A row with the JSON of its column `K` as text. */
type Raw<T, K extends keyof T> = Omit<T, K> & Readonly<Record<K, string>>;
type RawAttempt = Omit<AttemptRecord, 'result'> & { readonly result: string | null };

interface Id {
  readonly id: number;
}
interface Page {
  readonly after: number;
  readonly messageId?: string | undefined;
  readonly limit: number;
}

export class SqliteDetails extends Reads implements DetailStore {
  readonly #damage: Damage;

  constructor(db: ReadDb, damage: Damage = untold()) {
    super(db);
    this.#damage = damage;
  }

  readonly #request = this.query<Id, RequestRow>(`SELECT ${columns(REQUEST_NAMES)} FROM requests WHERE id = @id`);

  request(id: number): RequestRecord | undefined {
    const row = this.#damage.around(() => this.#request.get({ id }), undefined);
    return row && requestRecord(row, this.#damage);
  }

  readonly #idsOf = this.column<{ messageId: string }, number>(
    'SELECT id FROM messages WHERE message_id = @messageId ORDER BY id',
  );

  idsOf(messageId: string): number[] {
    return this.#damage.around(() => this.#idsOf.all({ messageId }), []);
  }

  readonly #wire = this.column<Id, Uint8Array>('SELECT wire FROM message_bodies WHERE id = @id');

  wire(messageId: number): Uint8Array | null {
    return this.#damage.around(() => this.#wire.get({ id: messageId }), undefined) ?? null;
  }

  readonly #attemptsOf = this.query<Id, RawAttempt>(
    `${ATTEMPTS} WHERE a.message_id = @id UNION ALL ${OPEN_ATTEMPTS} WHERE a.message_id = @id ORDER BY id`,
  );

  attemptsOf(messageId: number): AttemptRecord[] {
    return this.#records(() => this.#attemptsOf.all({ id: messageId }));
  }

  readonly #attempt = this.query<Id, RawAttempt>(
    `${ATTEMPTS} WHERE a.id = @id UNION ALL ${OPEN_ATTEMPTS} WHERE a.id = @id`,
  );

  attempt(id: number): AttemptRecord | undefined {
    return this.#records(() => this.#attempt.all({ id }))[0];
  }

  #records<R extends RawAttempt>(read: () => R[]): Array<Omit<R, 'result'> & Pick<AttemptRecord, 'result'>> {
    return this.#damage.around(read, []).map((row) => ({
      ...row,
      result: this.#damage.parsed(row.result, null, 'the result of an attempt', unpackResult),
    }));
  }

  readonly #responseBody = this.column<Id, Uint8Array | null>(
    'SELECT response_body FROM attempt_results WHERE id = @id',
  );

  responseBody(attemptId: number): Uint8Array | null {
    return this.#damage.around(() => this.#responseBody.get({ id: attemptId }), null) ?? null;
  }

  readonly #replaysOf = this.query<Id, RawReplay>(`${REPLAYS} WHERE message_id = @id ORDER BY id`);

  replaysOf(messageId: number): ReplayRecord[] {
    return this.#damage.around(() => this.#replaysOf.all({ id: messageId }), []).map((row) => this.#replayRecord(row));
  }

  readonly #replay = this.query<Id, RawReplay>(`${REPLAYS} WHERE id = @id`);

  replay(id: number): ReplayRecord | undefined {
    const row = this.#replay.get({ id });
    return row && this.#replayRecord(row);
  }

  #replayRecord(row: RawReplay): ReplayRecord {
    const webhookIds = this.#damage.parsed(row.webhookIds, [], 'the webhooks of a replay');
    return { ...row, signed: row.signed === 1, webhookIds };
  }

  readonly #lineUps = this.query<{ first: number; last: number }, Raw<LineUpRecord, 'webhooks'>>(
    `SELECT after_attempt AS afterAttempt, webhooks FROM line_ups
     WHERE after_attempt < @last
       AND after_attempt >= coalesce((SELECT max(after_attempt) FROM line_ups WHERE after_attempt < @first), 0)
     ORDER BY after_attempt`,
  );

  lineUps(first: number, last: number): LineUpRecord[] {
    return this.#lineUps.all({ first, last }).map(({ afterAttempt, webhooks }) => ({
      afterAttempt,
      webhooks: (JSON.parse(webhooks) as Array<[id: number, slot: number, name: string, on: 0 | 1]>).map(
        ([id, slot, name, on]) => ({ id, slot, name, enabled: on === 1 }),
      ),
    }));
  }

  readonly #attemptsAfter = this.query<Page, RawAttempt & { message: string }>(
    listed(
      `attempts a LEFT JOIN attempt_results r ON r.id = a.id JOIN messages m ON m.id = a.message_id
       WHERE a.id > @after`,
      'open_attempts a JOIN messages m ON m.id = a.message_id WHERE a.id > @after',
    ),
  );
  readonly #attemptsOfMessageId = this.query<Page, RawAttempt & { message: string }>(
    listed(
      `messages m JOIN attempts a ON a.message_id = m.id LEFT JOIN attempt_results r ON r.id = a.id
       WHERE m.message_id = @messageId AND a.id > @after`,
      'messages m JOIN open_attempts a ON a.message_id = m.id WHERE m.message_id = @messageId AND a.id > @after',
    ),
  );

  attemptsAfter(page: Page): ListedAttempt[] {
    return this.#records(() =>
      page.messageId === undefined ? this.#attemptsAfter.all(page) : this.#attemptsOfMessageId.all(page),
    );
  }

  readonly #recent = this.query<{ limit: number }, RawAttempt>(`${ATTEMPTS} ORDER BY a.id DESC LIMIT @limit`);

  recentAttempts(limit: number): AttemptRecord[] {
    return this.#records(() => this.#recent.all({ limit }));
  }
}
