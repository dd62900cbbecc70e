/** Finds and erases the stored messages of users. */
import { interruptedCells } from '../model/moves.ts';
import { wordsOf } from '../model/result-words.ts';
import { type Cells, FINAL_STATES, type MessageState } from '../model/vocabulary.ts';
import { INTERRUPT_OPEN, REMOVE_OPEN } from './attempts.ts';
import { Cuts } from './cuts.ts';
import type { Db } from './database.ts';
import { NEWEST_ATTEMPT } from './newest-attempt.ts';
import { unpackResult } from './packed-result.ts';
import type { Changes } from './ports/changes.ts';
import type {
  CutRequest,
  ErasedMessage,
  ErasureStore,
  RequestBytes,
  SearchedMessage,
  SearchedReplay,
  SearchedResult,
  StoredRequestBytes,
  Stretch,
  UserCall,
} from './ports/erasure.ts';
import { MAX_CALLS } from './ports/ingest.ts';
import { isScrubDue, SCRUB_IS_DUE, scrub } from './scrub.ts';
import { columns, Writes } from './statements.ts';

interface Id {
  readonly id: number;
}

/** A message that is about to go. */
interface Doomed {
  readonly id: number;
  readonly userId: string | null;
  readonly requestId: number;
  readonly state: MessageState;
  readonly reason: string | null;
  readonly cells: Cells;
}

/** The newest rows, whose ids must not be used again. */
interface Newest {
  readonly message: number;
  readonly request: number;
  readonly attempt: number;
  readonly attemptOf: number | null;
  readonly replay: number;
  readonly replayOf: number | null;
}

const REQUEST = `${columns(['id', 'path', 'body', 'encoding'])},
  (write_key IS NULL AND source_id IS NOT NULL) AS isNotices`;

export class SqliteErasure extends Writes implements ErasureStore {
  readonly #db: Db;
  readonly #cuts: Cuts;

  constructor(db: Db) {
    super(db);
    this.#db = db;
    this.#cuts = new Cuts(db);
  }

  // Finding

  readonly #newest = this.query<undefined, Newest>(
    `SELECT coalesce((SELECT max(id) FROM messages), 0) AS message,
            coalesce((SELECT max(id) FROM requests), 0) AS request,
            ${NEWEST_ATTEMPT} AS attempt,
            coalesce((SELECT message_id FROM open_attempts WHERE id = ${NEWEST_ATTEMPT}),
              (SELECT message_id FROM attempts WHERE id = ${NEWEST_ATTEMPT})) AS attemptOf,
            coalesce((SELECT max(id) FROM replays), 0) AS replay,
            (SELECT message_id FROM replays ORDER BY id DESC LIMIT 1) AS replayOf`,
  );

  newest(): { message: number; request: number } {
    const { message, request } = this.#newest.get()!;
    return { message, request };
  }

  newestAttempt(): number {
    return this.#newest.get()!.attempt;
  }

  readonly #calls = this.query<Stretch, UserCall>(
    `SELECT ${columns(['id', 'userId', 'sourceId', 'requestId', 'origin', 'type', 'state', 'reason', 'replays'])}
     FROM messages NOT INDEXED
     WHERE id > @after AND id <= @upTo AND user_id IS NOT NULL ORDER BY id LIMIT @limit`,
  );

  calls(stretch: Stretch): UserCall[] {
    return this.#calls.all(stretch);
  }

  readonly #attemptsOf = this.column<{ ids: string }, number>(
    `SELECT (SELECT count(*) FROM attempts WHERE message_id IN (SELECT value FROM json_each(@ids)))
          + (SELECT count(*) FROM open_attempts WHERE message_id IN (SELECT value FROM json_each(@ids)))`,
  );

  attemptsOf(messageIds: readonly number[]): number {
    return this.#attemptsOf.get({ ids: JSON.stringify(messageIds) })!;
  }

  // Erasing

  readonly #doomed = this.query<Id, Doomed>(
    `SELECT ${columns(['id', 'userId', 'requestId', 'state', 'reason', 'cells'])} FROM messages WHERE id = @id`,
  );

  erase(messageIds: readonly number[], changes: Changes): ErasedMessage[] {
    const newest = this.#newest.get()!;
    const erased: ErasedMessage[] = [];
    const requests = new Map<number, number>();
    for (const id of messageIds) {
      const message = this.#doomed.get({ id });
      if (message === undefined || !FINAL_STATES.has(message.state)) continue;
      erased.push(this.#eraseOne(message, newest, changes));
      requests.set(message.requestId, id);
    }
    for (const [request, near] of requests) this.#eraseRequest(request, near, newest, changes);
    return erased;
  }

  readonly #results = this.command<Id>(
    'DELETE FROM attempt_results WHERE id IN (SELECT id FROM attempts WHERE message_id = @id)',
  );
  readonly #attempts = this.command<Id & { kept: number }>(
    'DELETE FROM attempts WHERE message_id = @id AND id <> @kept',
  );
  readonly #replays = this.command<Id & { kept: number }>('DELETE FROM replays WHERE message_id = @id AND id <> @kept');
  readonly #replayBodies = this.command<Id>('UPDATE replays SET body = NULL WHERE message_id = @id');
  readonly #body = this.command<Id>('DELETE FROM message_bodies WHERE id = @id');
  readonly #message = this.command<Id>('DELETE FROM messages WHERE id = @id');
  readonly #emptied = this.command<Id & { cells: Cells }>(
    `UPDATE messages SET message_id = 'erased-' || id, name = '', user_id = NULL, anonymous_id = NULL,
       reason_detail = NULL, size = 0, notes = NULL, cells = @cells
     WHERE id = @id`,
  );

  /** The answer to an open attempt comes too late: nothing is kept of it. */
  readonly #interrupted = this.command<Id>(`${INTERRUPT_OPEN} WHERE message_id = @id`);
  readonly #openAttempts = this.command<Id>(`${REMOVE_OPEN} WHERE message_id = @id`);

  #eraseOne({ id, userId, requestId, state, reason, cells }: Doomed, newest: Newest, changes: Changes): ErasedMessage {
    const attempts = this.#attemptsOf.get({ ids: `[${id}]` })!;
    this.#interrupted.run(changes, { id });
    this.#openAttempts.run(changes, { id });
    this.#results.run(changes, { id });
    this.#attempts.run(changes, { id, kept: newest.attempt });
    const replays = this.#replays.run(changes, { id, kept: newest.replay }).changes;
    this.#replayBodies.run(changes, { id });
    this.#body.run(changes, { id });
    const stays = id === newest.message || id === newest.attemptOf || id === newest.replayOf;
    if (stays) {
      this.#emptied.run(changes, { id, cells: interruptedCells(cells, null) });
      changes.emptiedMessage(id);
    } else {
      this.#message.run(changes, { id });
      changes.removedMessage(id, state);
    }
    const isHeld = state === 'rejected' && reason === 'unknown_source';
    return { id, userId, requestId, isHeld, attempts, replays: replays + (id === newest.replayOf ? 1 : 0) };
  }

  readonly #isUsed = this.column<{ request: number; first: number; last: number }, 1>(
    'SELECT 1 FROM messages WHERE id BETWEEN @first AND @last AND request_id = @request AND size > 0 LIMIT 1',
  );
  readonly #isReferred = this.column<{ request: number; first: number; last: number }, 1>(
    'SELECT 1 FROM messages WHERE id BETWEEN @first AND @last AND request_id = @request LIMIT 1',
  );
  readonly #request = this.command<Id>('DELETE FROM requests WHERE id = @id');
  readonly #emptiedRequest = this.command<Id>(
    `UPDATE requests SET path = CASE instr(path, '?') WHEN 0 THEN path ELSE substr(path, 1, instr(path, '?') - 1) END,
       headers = '[]', body = x'', encoding = NULL, fingerprint = NULL, first_message = NULL
     WHERE id = @id`,
  );

  /** A request goes with the last of its calls. Their ids are neighbours of `near`. */
  #eraseRequest(request: number, near: number, newest: Newest, changes: Changes): void {
    const around = { request, first: near - MAX_CALLS, last: near + MAX_CALLS };
    if (this.#isUsed.get(around) !== undefined) return;
    const stays = request === newest.request || this.#isReferred.get(around) !== undefined;
    (stays ? this.#emptiedRequest : this.#request).run(changes, { id: request });
  }

  // Requests of several users

  readonly #requests = this.query<Stretch, StoredRequestBytes>(
    `SELECT ${REQUEST} FROM requests WHERE id > @after AND id <= @upTo ORDER BY id LIMIT @limit`,
  );

  requests(stretch: Stretch): StoredRequestBytes[] {
    return this.#requests.all(stretch);
  }

  readonly #oneRequest = this.query<Id, StoredRequestBytes>(`SELECT ${REQUEST} FROM requests WHERE id = @id`);

  request(id: number): StoredRequestBytes | undefined {
    return this.#oneRequest.get({ id });
  }

  readonly #cut = this.command<RequestBytes>(
    `UPDATE requests SET path = @path, body = @body, encoding = @encoding, fingerprint = NULL, first_message = NULL
     WHERE id = @id`,
  );

  cut({ cutCalls, ...request }: CutRequest, changes: Changes): void {
    this.#cut.run(changes, request);
    if (cutCalls > 0) this.#cuts.add(request.id, cutCalls, changes);
  }

  cutCalls(requestId: number): number {
    return this.#cuts.of(requestId);
  }

  // Searching

  readonly #messages = this.query<Stretch, SearchedMessage>(
    `SELECT ${columns(['id', 'origin', 'type', 'userId', 'anonymousId', 'name'], 'm')}, b.wire
     FROM messages m LEFT JOIN message_bodies b ON b.id = m.id
     WHERE m.id > @after AND m.id <= @upTo ORDER BY m.id LIMIT @limit`,
  );

  messages(stretch: Stretch): SearchedMessage[] {
    return this.#messages.all(stretch);
  }

  readonly #replayed = this.query<Stretch, SearchedReplay>(
    `SELECT r.id, r.message_id AS messageId, m.origin, r.body
     FROM replays r JOIN messages m ON m.id = r.message_id
     WHERE r.id > @after AND r.id <= @upTo AND r.body IS NOT NULL ORDER BY r.id LIMIT @limit`,
  );

  replays(stretch: Stretch): SearchedReplay[] {
    return this.#replayed.all(stretch);
  }

  readonly #answers = this.query<Stretch, Omit<SearchedResult, 'words'> & { readonly result: string }>(
    `SELECT r.id, a.message_id AS messageId, m.origin, r.result, r.response_body AS body
     FROM attempt_results r JOIN attempts a ON a.id = r.id JOIN messages m ON m.id = a.message_id
     WHERE r.id > @after AND r.id <= @upTo ORDER BY r.id LIMIT @limit`,
  );

  results(stretch: Stretch): SearchedResult[] {
    return this.#answers.all(stretch).map(({ result, ...row }) => ({ ...row, words: readableWords(result) }));
  }

  // Free parts of the files

  overwrite(on: boolean): void {
    this.#db.pragma(`secure_delete = ${on ? 'ON' : 'OFF'}`);
  }

  readonly #soil = this.command<undefined>(SCRUB_IS_DUE);

  soil(changes: Changes): void {
    this.#soil.run(changes);
  }

  isSoiled(): boolean {
    return isScrubDue(this.#db);
  }

  clean(maxBytes: number): boolean {
    const pages = this.#db.pragma('page_count', { simple: true }) as number;
    const size = this.#db.pragma('page_size', { simple: true }) as number;
    if (pages * size <= maxBytes) scrub(this.#db);
    return !this.isSoiled();
  }
}

/** The text itself when it was overwritten. */
function readableWords(result: string): string {
  try {
    return wordsOf(unpackResult(result));
  } catch {
    return result;
  }
}
