/** What the judge reads of a store: committed rows of audiences, syncs, deletions, and the messages that they made. */
import Database from 'better-sqlite3';
import type { MessageState, Origin } from '../../../src/core/model/vocabulary.ts';
import type { Tables } from '../../helpers/memory-store/tables.ts';

export interface MessageFact {
  readonly id: number;
  readonly messageId: string;
  readonly origin: Origin;
  readonly userId: string | null;
  readonly sourceId: number | null;
  readonly state: MessageState;
  readonly reason: string | null;
  readonly received: number;
}

export interface SyncFact {
  readonly id: number;
  readonly audienceId: number;
  readonly n: number;
  readonly state: 'preparing' | 'running' | 'stopped' | 'done';
  readonly token: string;
  readonly startedBy: string;
  readonly expected: number | null;
  readonly sent: number;
  readonly delivered: number | null;
  readonly failed: number | null;
}

export interface CallFact {
  readonly position: number;
  readonly userId: string;
  readonly type: 'identify' | 'track';
  readonly value: string;
  readonly messageId: number | null;
  readonly outcome: 'delivered' | 'failed' | null;
}

export interface UserFact {
  readonly userId: string;
  readonly value: string | null;
  readonly sent: string | null;
}

export interface DeletionFact {
  readonly id: number;
  readonly createdAt: number;
  readonly erase: boolean;
  readonly finished: boolean;
  readonly upTo: number;
}

export interface NoticeFact {
  readonly userId: string;
  readonly sourceId: number;
  readonly calls: number;
  readonly reason: string | null;
  readonly messageId: number | null;
  readonly outcome: MessageState | null;
}

export interface AudienceRows {
  message(id: number): MessageFact | undefined;
  /** By id, above `after`. */
  messagesAfter(after: number): MessageFact[];
  wire(messageId: number): string | null;
  syncs(): SyncFact[];
  /** By position. */
  calls(syncId: number): CallFact[];
  users(audienceId: number): UserFact[];
  deletions(): DeletionFact[];
  deletionUsers(id: number): string[];
  notices(id: number): NoticeFact[];
  suppressed(): string[];
  close(): void;
}

const MESSAGE = `SELECT id, message_id AS messageId, origin, user_id AS userId, source_id AS sourceId, state, reason,
  received_at AS received FROM messages`;

const prepare = (db: Database.Database) => ({
  message: db.prepare(`${MESSAGE} WHERE id = ?`),
  after: db.prepare(`${MESSAGE} WHERE id > ? ORDER BY id`),
  wire: db.prepare('SELECT wire FROM message_bodies WHERE id = ?').pluck(),
  syncs: db.prepare(
    `SELECT id, audience_id AS audienceId, n, state, token, started_by AS startedBy, expected, sent, delivered, failed
     FROM syncs ORDER BY id`,
  ),
  calls: db.prepare(
    `SELECT position, user_id AS userId, type, value, message_id AS messageId, outcome
     FROM sync_calls WHERE sync_id = ? ORDER BY position`,
  ),
  users: db.prepare('SELECT user_id AS userId, value, sent FROM audience_users WHERE audience_id = ?'),
  deletions: db.prepare(
    `SELECT id, created_at AS createdAt, "erase", finished_at IS NOT NULL AS finished, up_to AS upTo
     FROM deletion_requests ORDER BY id`,
  ),
  deletionUsers: db.prepare('SELECT user_id FROM deletion_users WHERE request_id = ? ORDER BY position').pluck(),
  notices: db.prepare(
    `SELECT u.user_id AS userId, n.source_id AS sourceId, n.calls, n.reason, n.message_id AS messageId, n.outcome
     FROM deletion_notices n JOIN deletion_users u ON u.request_id = n.request_id AND u.position = n.position
     WHERE n.request_id = ?`,
  ),
  suppressed: db.prepare('SELECT user_id FROM suppressions').pluck(),
});

/** Over a connection of its own, which sees only what is committed. */
export class SqliteAudienceRows implements AudienceRows {
  readonly #db: Database.Database;
  readonly #queries: ReturnType<typeof prepare>;

  constructor(path: string) {
    this.#db = new Database(path, { readonly: true });
    this.#queries = prepare(this.#db);
  }

  message(id: number): MessageFact | undefined {
    return this.#queries.message.get(id) as MessageFact | undefined;
  }

  messagesAfter(after: number): MessageFact[] {
    return this.#queries.after.all(after) as MessageFact[];
  }

  wire(messageId: number): string | null {
    return (this.#queries.wire.get(messageId) as Buffer | undefined)?.toString('utf8') ?? null;
  }

  syncs(): SyncFact[] {
    return this.#queries.syncs.all() as SyncFact[];
  }

  calls(syncId: number): CallFact[] {
    return this.#queries.calls.all(syncId) as CallFact[];
  }

  users(audienceId: number): UserFact[] {
    return this.#queries.users.all(audienceId) as UserFact[];
  }

  deletions(): DeletionFact[] {
    const rows = this.#queries.deletions.all() as Array<
      Omit<DeletionFact, 'erase' | 'finished'> & { erase: number; finished: number }
    >;
    return rows.map((row) => ({ ...row, erase: row.erase === 1, finished: row.finished === 1 }));
  }

  deletionUsers(id: number): string[] {
    return this.#queries.deletionUsers.all(id) as string[];
  }

  notices(id: number): NoticeFact[] {
    return this.#queries.notices.all(id) as NoticeFact[];
  }

  suppressed(): string[] {
    return this.#queries.suppressed.all() as string[];
  }

  close(): void {
    this.#db.close();
  }
}

export class MemoryAudienceRows implements AudienceRows {
  readonly #all: Tables;

  constructor(tables: Tables) {
    this.#all = tables;
  }

  /** Throws inside a transaction. */
  get #tables(): Tables {
    if (!this.#all.journal.isClean) throw new Error('The judge reads what is not committed.');
    return this.#all;
  }

  message(id: number): MessageFact | undefined {
    const row = this.#tables.messages.get(id);
    return row && { ...row, received: row.receivedAt };
  }

  messagesAfter(after: number): MessageFact[] {
    return this.#tables.messages.where(({ id }) => id > after).map((row) => ({ ...row, received: row.receivedAt }));
  }

  wire(messageId: number): string | null {
    const body = this.#tables.bodies.get(messageId);
    return body === undefined ? null : Buffer.from(body.wire).toString('utf8');
  }

  syncs(): SyncFact[] {
    return this.#tables.syncs.all();
  }

  calls(syncId: number): CallFact[] {
    return this.#tables.syncCalls.where((call) => call.syncId === syncId).sort((a, b) => a.position - b.position);
  }

  users(audienceId: number): UserFact[] {
    return this.#tables.audienceUsers.where((user) => user.audienceId === audienceId);
  }

  deletions(): DeletionFact[] {
    return this.#tables.deletionRequests.all().map((row) => ({ ...row, finished: row.finishedAt !== null }));
  }

  deletionUsers(id: number): string[] {
    return this.#tables.deletionUsers
      .where(({ requestId }) => requestId === id)
      .sort((a, b) => a.position - b.position)
      .map(({ userId }) => userId!);
  }

  notices(id: number): NoticeFact[] {
    const users = this.deletionUsers(id);
    return this.#tables.deletionNotices
      .where(({ requestId }) => requestId === id)
      .map((row) => ({ ...row, userId: users[row.position - 1]! }));
  }

  suppressed(): string[] {
    return this.#tables.suppressions.all().map(({ userId }) => userId);
  }

  close(): void {}
}
