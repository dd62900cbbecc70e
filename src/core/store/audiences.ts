/** Audiences and their users in SQLite. */
import { type AudienceUser, NO_USERS, type UserCounts } from '../model/audience-user.ts';
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import type { AudienceStore, AudienceToSave, StoredAudience, UserWindow } from './ports/audiences.ts';
import type { Changes } from './ports/changes.ts';
import { columns, insertInto, replaceInto, Writes } from './statements.ts';

const AUDIENCE_NAMES = [
  'kind',
  'name',
  'property',
  'definition',
  'syncWhen',
  'everyMs',
  'nextSyncAt',
  'track',
  'createdAt',
] as const;
const USER_NAMES = ['userId', 'value', 'sent', 'since', 'label'] as const;
const USER = columns(USER_NAMES);
/** Users to whom the next sync sends something; the condition of their index. */
const PENDING = 'value IS NOT NULL AND value IS NOT sent';

type AudienceRow = Omit<StoredAudience, 'track'> & { readonly track: number };

interface Key {
  readonly audienceId: number;
  readonly userId: string;
}

export class SqliteAudiences extends Writes implements AudienceStore {
  readonly #damage: Damage;

  constructor(db: Db, damage: Damage = untold()) {
    super(db);
    this.#damage = damage;
  }

  readonly #all = this.query<undefined, AudienceRow>(
    `SELECT id, ${columns(AUDIENCE_NAMES)} FROM audiences WHERE removed = 0 ORDER BY id`,
  );

  all(): StoredAudience[] {
    return this.#damage.around(() => this.#all.all(), []).map((row) => ({ ...row, track: row.track === 1 }));
  }

  readonly #insert = this.command<Omit<AudienceRow, 'id'>>(insertInto('audiences', AUDIENCE_NAMES));
  readonly #update = this.command<AudienceRow>(
    `UPDATE audiences SET name = @name, property = @property, definition = @definition, sync_when = @syncWhen,
       every_ms = @everyMs, next_sync_at = @nextSyncAt, track = @track WHERE id = @id AND removed = 0`,
  );

  save({ id, ...audience }: AudienceToSave, changes: Changes): number {
    const row = { ...audience, track: Number(audience.track) };
    if (id === undefined) return Number(this.#insert.run(changes, row).lastInsertRowid);
    this.#update.run(changes, { ...row, id });
    return id;
  }

  readonly #remove = this.command<{ id: number }>(
    'UPDATE audiences SET removed = 1, next_sync_at = NULL WHERE id = @id AND removed = 0',
  );

  remove(id: number, changes: Changes): boolean {
    return this.#remove.run(changes, { id }).changes === 1;
  }

  readonly #removed = this.column<undefined, number>('SELECT id FROM audiences WHERE removed = 1 ORDER BY id LIMIT 1');
  readonly #sweepUsers = this.command<{ id: number; limit: number }>(
    `DELETE FROM audience_users WHERE audience_id = @id AND user_id IN
       (SELECT user_id FROM audience_users WHERE audience_id = @id LIMIT @limit)`,
  );
  readonly #firstSync = this.column<{ id: number }, number>(
    'SELECT id FROM syncs WHERE audience_id = @id ORDER BY n LIMIT 1',
  );
  readonly #sweepCalls = this.command<{ syncId: number; limit: number }>(
    `DELETE FROM sync_calls WHERE sync_id = @syncId AND position IN
       (SELECT position FROM sync_calls WHERE sync_id = @syncId LIMIT @limit)`,
  );
  readonly #sweepSync = this.command<{ syncId: number }>('DELETE FROM syncs WHERE id = @syncId');
  readonly #sweepAudience = this.command<{ id: number }>('DELETE FROM audiences WHERE id = @id');

  sweep(limit: number, changes: Changes): boolean {
    const id = this.#removed.get();
    if (id === undefined) return false;
    if (this.#sweepUsers.run(changes, { id, limit }).changes > 0) return true;
    const syncId = this.#firstSync.get({ id });
    if (syncId === undefined) this.#sweepAudience.run(changes, { id });
    else if (this.#sweepCalls.run(changes, { syncId, limit }).changes === 0) this.#sweepSync.run(changes, { syncId });
    return true;
  }

  readonly #user = this.query<Key, AudienceUser>(
    `SELECT ${USER} FROM audience_users WHERE audience_id = @audienceId AND user_id = @userId`,
  );

  user(audienceId: number, userId: string): AudienceUser | undefined {
    return this.#user.get({ audienceId, userId });
  }

  readonly #put = this.command<AudienceUser & { audienceId: number }>(
    replaceInto('audience_users', ['audienceId', 'userId'], ['audienceId', ...USER_NAMES]),
  );

  putUser(audienceId: number, user: AudienceUser, changes: Changes): void {
    this.#put.run(changes, { ...user, audienceId });
  }

  readonly #removeUser = this.command<Key>(
    'DELETE FROM audience_users WHERE audience_id = @audienceId AND user_id = @userId',
  );

  removeUser(audienceId: number, userId: string, changes: Changes): void {
    this.#removeUser.run(changes, { audienceId, userId });
  }

  readonly #users = this.query<Omit<UserWindow, 'only'>, AudienceUser>(
    `SELECT ${USER} FROM audience_users
     WHERE audience_id = @audienceId AND user_id > coalesce(@after, '') ORDER BY user_id LIMIT @limit`,
  );
  readonly #pending = this.query<Omit<UserWindow, 'only'>, AudienceUser>(
    `SELECT ${USER} FROM audience_users INDEXED BY audience_users_pending
     WHERE audience_id = @audienceId AND user_id > coalesce(@after, '') AND ${PENDING} ORDER BY user_id LIMIT @limit`,
  );

  users({ only, ...window }: UserWindow): AudienceUser[] {
    return (only === 'pending' ? this.#pending : this.#users).all(window);
  }

  readonly #counts = this.query<{ audienceId: number }, UserCounts>(
    `SELECT count(*) FILTER (WHERE value IS NOT NULL AND (kind = 'trait' OR value = 'true')) AS members,
       count(*) FILTER (WHERE ${PENDING} AND iif(kind = 'trait', sent IS NULL, value = 'true')) AS toAdd,
       count(*) FILTER (WHERE ${PENDING} AND kind = 'audience' AND value <> 'true') AS toRemove,
       count(*) FILTER (WHERE ${PENDING} AND kind = 'trait' AND sent IS NOT NULL) AS toChange
     FROM audience_users JOIN audiences ON id = audience_id WHERE audience_id = @audienceId`,
  );

  counts(audienceId: number): UserCounts {
    return this.#damage.around(() => this.#counts.get({ audienceId }), undefined) ?? NO_USERS;
  }

  readonly #callsByUser = this.query<{ after: number; upTo: number }, { userId: string; calls: number }>(
    `SELECT user_id AS userId, count(*) AS calls FROM messages NOT INDEXED
     WHERE id > @after AND id <= @upTo AND user_id IS NOT NULL AND state <> 'rejected' GROUP BY user_id`,
  );

  callsByUser(stretch: { readonly after: number; readonly upTo: number }): Array<{ userId: string; calls: number }> {
    return this.#callsByUser.all(stretch);
  }
}
