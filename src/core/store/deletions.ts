/** Deletion requests, their users and their notices. */
import type { MessageState, NoNoticeReason } from '../model/vocabulary.ts';
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import type { Changes } from './ports/changes.ts';
import type {
  DeletionRecord,
  DeletionSourceRecord,
  DeletionStore,
  DeletionUserRecord,
  ErasedCounts,
  NewDeletion,
  NoticeRecord,
  NoticeStanding,
  NoticeTally,
  OpenNotice,
  SearchRecord,
  UnsentNotice,
} from './ports/deletions.ts';
import { columns, insertInto, Writes } from './statements.ts';

const NAMES = [
  'id',
  'createdAt',
  'users',
  'sources',
  'erase',
  'suppress',
  'forget',
  'upTo',
  'upToRequest',
  'lookedAt',
  'erased',
  'erasedAt',
  'search',
  'finishedAt',
  'forgottenAt',
] as const;

type Json = 'sources' | 'erased' | 'search';
type Flag = 'erase' | 'suppress' | 'forget';
type Row = Omit<DeletionRecord, Json | Flag> &
  Readonly<Record<'sources' | 'erased', string> & Record<Flag, 0 | 1>> & { readonly search: string | null };

const NOTHING_ERASED: ErasedCounts = {
  messages: 0,
  attempts: 0,
  replays: 0,
  heldCalls: 0,
  receiverEntries: 0,
  memberships: 0,
  cutCalls: 0,
};

interface Id {
  readonly id: number;
}
interface UserPage extends Id {
  readonly after: number;
  readonly limit: number;
}

export class SqliteDeletions extends Writes implements DeletionStore {
  readonly #damage: Damage;

  constructor(db: Db, damage: Damage = untold()) {
    super(db);
    this.#damage = damage;
  }

  readonly #insert = this.command<Omit<Row, 'id' | 'erased' | 'erasedAt' | 'search' | 'finishedAt' | 'forgottenAt'>>(
    insertInto('deletion_requests', [
      'createdAt',
      'users',
      'sources',
      'erase',
      'suppress',
      'forget',
      'upTo',
      'upToRequest',
      'lookedAt',
    ]),
  );
  readonly #insertUser = this.command<Id & { position: number; userId: string }>(
    'INSERT INTO deletion_users (request_id, position, user_id) VALUES (@id, @position, @userId)',
  );
  readonly #insertNotice = this.command<
    Id & { position: number; sourceId: number; calls: number; reason: NoNoticeReason | null }
  >(
    `INSERT INTO deletion_notices (request_id, position, source_id, calls, reason)
     VALUES (@id, @position, @sourceId, @calls, @reason)`,
  );

  add({ userIds, notices, ...deletion }: NewDeletion, changes: Changes): number {
    const { lastInsertRowid } = this.#insert.run(changes, {
      ...deletion,
      users: userIds.length,
      sources: JSON.stringify(deletion.sources),
      erase: deletion.erase ? 1 : 0,
      suppress: deletion.suppress ? 1 : 0,
      forget: deletion.forget ? 1 : 0,
    });
    const id = Number(lastInsertRowid);
    for (const [i, userId] of userIds.entries()) this.#insertUser.run(changes, { id, position: i + 1, userId });
    for (const notice of notices) this.#insertNotice.run(changes, { id, ...notice });
    return id;
  }

  readonly #one = this.query<Id, Row>(`SELECT ${columns(NAMES)} FROM deletion_requests WHERE id = @id`);

  get(id: number): DeletionRecord | undefined {
    const row = this.#damage.around(() => this.#one.get({ id }), undefined);
    return row && this.#record(row);
  }

  readonly #list = this.query<{ before: number; limit: number }, Row>(
    `SELECT ${columns(NAMES)} FROM deletion_requests WHERE id < @before ORDER BY id DESC LIMIT @limit`,
  );

  list(page: { readonly before: number; readonly limit: number }): DeletionRecord[] {
    return this.#damage.around(() => this.#list.all(page), []).map((row) => this.#record(row));
  }

  #record(row: Row): DeletionRecord {
    const parsed = <T>(text: string | null, whenDamaged: T, what: string): T =>
      this.#damage.parsed(text, whenDamaged, what);
    return {
      ...row,
      sources: parsed<DeletionSourceRecord[]>(row.sources, [], 'the sources of a deletion request'),
      erased: { ...NOTHING_ERASED, ...parsed<Partial<ErasedCounts>>(row.erased, {}, 'the counts of a deletion') },
      search: parsed<SearchRecord | null>(row.search, null, 'the search of a deletion'),
      erase: row.erase === 1,
      suppress: row.suppress === 1,
      forget: row.forget === 1,
    };
  }

  readonly #count = this.column<undefined, number>('SELECT count(*) FROM deletion_requests');

  count(): number {
    return this.#damage.around(() => this.#count.get(), 0) ?? 0;
  }

  readonly #unfinished = this.column<undefined, number>(
    'SELECT id FROM deletion_requests WHERE finished_at IS NULL ORDER BY id',
  );

  unfinished(): number[] {
    return this.#damage.around(() => this.#unfinished.all(), []);
  }

  readonly #unforgotten = this.column<undefined, number>(
    `SELECT id FROM deletion_requests
     WHERE finished_at IS NOT NULL AND forget = 1 AND forgotten_at IS NULL ORDER BY id`,
  );

  unforgotten(): number[] {
    return this.#damage.around(() => this.#unforgotten.all(), []);
  }

  readonly #users = this.query<UserPage, DeletionUserRecord>(
    `SELECT position, user_id AS userId, erased FROM deletion_users
     WHERE request_id = @id AND position > @after ORDER BY position LIMIT @limit`,
  );
  readonly #failedUsers = this.query<UserPage, DeletionUserRecord>(
    `SELECT position, user_id AS userId, erased FROM deletion_users u
     WHERE request_id = @id AND position > @after AND EXISTS
       (SELECT 1 FROM deletion_notices n
        WHERE n.request_id = u.request_id AND n.position = u.position AND n.outcome <> 'delivered')
     ORDER BY position LIMIT @limit`,
  );

  users({ failedOnly = false, ...page }: UserPage & { readonly failedOnly?: boolean }): DeletionUserRecord[] {
    return this.#damage.around(() => (failedOnly ? this.#failedUsers : this.#users).all(page), []);
  }

  readonly #notices = this.query<Id & { first: number; last: number }, NoticeRecord>(
    `SELECT ${columns(['requestId', 'position', 'sourceId', 'calls', 'reason', 'messageId', 'outcome'])}
     FROM deletion_notices WHERE request_id = @id AND position BETWEEN @first AND @last`,
  );

  notices(range: Id & { readonly first: number; readonly last: number }): NoticeRecord[] {
    return this.#damage.around(() => this.#notices.all(range), []);
  }

  readonly #tally = this.query<Id, NoticeTally>(
    `SELECT n.source_id AS sourceId, n.reason, coalesce(n.outcome, m.state) AS state, count(*) AS n
     FROM deletion_notices n LEFT JOIN messages m ON n.outcome IS NULL AND m.id = n.message_id
     WHERE n.request_id = @id GROUP BY 1, 2, 3`,
  );

  tally(id: number): NoticeTally[] {
    return this.#damage.around(() => this.#tally.all({ id }), []);
  }

  readonly #unsent = this.query<Id & { limit: number }, UnsentNotice>(
    `SELECT n.position, n.source_id AS sourceId, u.user_id AS userId
     FROM deletion_notices n JOIN deletion_users u ON u.request_id = n.request_id AND u.position = n.position
     WHERE n.request_id = @id AND n.reason IS NULL AND n.message_id IS NULL AND n.outcome IS NULL
       AND n.source_id = (SELECT min(source_id) FROM deletion_notices
         WHERE request_id = @id AND reason IS NULL AND message_id IS NULL AND outcome IS NULL)
     ORDER BY n.position LIMIT @limit`,
  );

  unsent(id: number, limit: number): UnsentNotice[] {
    return this.#unsent.all({ id, limit });
  }

  readonly #sent = this.command<Id & { position: number; sourceId: number; messageId: number }>(
    `UPDATE deletion_notices SET message_id = @messageId
     WHERE request_id = @id AND position = @position AND source_id = @sourceId`,
  );

  sent(
    notice: Id & { readonly position: number; readonly sourceId: number; readonly messageId: number },
    changes: Changes,
  ): void {
    this.#sent.run(changes, notice);
  }

  readonly #open = this.query<undefined, OpenNotice>(
    `SELECT request_id AS requestId, source_id AS sourceId, message_id AS messageId FROM deletion_notices
     WHERE message_id IS NOT NULL AND outcome IS NULL ORDER BY message_id`,
  );

  open(): OpenNotice[] {
    return this.#damage.around(() => this.#open.all(), []);
  }

  readonly #standings = this.query<{ ids: string }, NoticeStanding>(
    `SELECT id, state, next_due_at AS nextDueAt FROM messages WHERE id IN (SELECT value FROM json_each(@ids))`,
  );

  standings(messageIds: readonly number[]): NoticeStanding[] {
    return this.#damage.around(() => this.#standings.all({ ids: JSON.stringify(messageIds) }), []);
  }

  readonly #end = this.command<{ messageId: number; outcome: MessageState }>(
    'UPDATE deletion_notices SET outcome = @outcome WHERE message_id = @messageId AND outcome IS NULL',
  );

  end(messageId: number, outcome: MessageState, changes: Changes): void {
    this.#end.run(changes, { messageId, outcome });
  }

  readonly #progress = this.command<Pick<Row, 'id' | 'lookedAt' | 'erased' | 'erasedAt' | 'search' | 'finishedAt'>>(
    `UPDATE deletion_requests SET looked_at = @lookedAt, erased = @erased, erased_at = @erasedAt, search = @search,
       finished_at = @finishedAt
     WHERE id = @id`,
  );

  progress(id: number, progress: Parameters<DeletionStore['progress']>[1], changes: Changes): void {
    const before = this.get(id);
    if (before === undefined) return;
    const { lookedAt, erased, erasedAt, search, finishedAt } = { ...before, ...progress };
    const texts = { erased: JSON.stringify(erased), search: search === null ? null : JSON.stringify(search) };
    this.#progress.run(changes, { id, lookedAt, erasedAt, finishedAt, ...texts });
  }

  readonly #erasedOf = this.command<Id & { position: number; messages: number }>(
    'UPDATE deletion_users SET erased = erased + @messages WHERE request_id = @id AND position = @position',
  );

  erasedOf(user: Id & { readonly position: number; readonly messages: number }, changes: Changes): void {
    this.#erasedOf.run(changes, user);
  }

  readonly #messagesOf = this.column<Id, number>(
    'SELECT message_id FROM deletion_notices WHERE request_id = @id AND message_id IS NOT NULL ORDER BY message_id',
  );
  readonly #forgetUsers = this.command<Id>('UPDATE deletion_users SET user_id = NULL WHERE request_id = @id');
  readonly #forget = this.command<Id & { at: number }>(
    'UPDATE deletion_requests SET forgotten_at = @at WHERE id = @id',
  );

  forget(id: number, at: number, changes: Changes): number[] {
    const messages = this.#messagesOf.all({ id });
    this.#forgetUsers.run(changes, { id });
    this.#forget.run(changes, { id, at });
    return messages;
  }
}
