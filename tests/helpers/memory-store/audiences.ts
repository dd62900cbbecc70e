import { type AudienceUser, NO_USERS, recounted, type UserCounts } from '../../../src/core/model/audience-user.ts';
import type {
  AudienceStore,
  AudienceToSave,
  StoredAudience,
  UserWindow,
} from '../../../src/core/store/ports/audiences.ts';
import type { Tables } from './tables.ts';

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const keyOf = (audienceId: number, userId: string): string => `${audienceId} ${userId}`;

export class MemoryAudiences implements AudienceStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  all(): StoredAudience[] {
    return this.#tables.audiences.where(({ removed }) => !removed).map(({ removed: _, ...audience }) => audience);
  }

  save({ id, ...audience }: AudienceToSave): number {
    const others = this.all().filter((one) => one.id !== id);
    if (others.some((one) => one.kind === audience.kind && one.name === audience.name)) throw new Error('name taken');
    if (others.some((one) => one.property === audience.property)) throw new Error('property taken');
    const { audiences } = this.#tables;
    if (id === undefined) {
      const made = audiences.nextId();
      audiences.set(made, { ...audience, id: made, removed: false });
      return made;
    }
    const { kind: _, createdAt: __, ...changes } = audience;
    if (audiences.get(id)?.removed === false) audiences.update(id, changes);
    return id;
  }

  remove(id: number): boolean {
    if (this.#tables.audiences.get(id)?.removed !== false) return false;
    this.#tables.audiences.update(id, { removed: true });
    return true;
  }

  sweep(limit: number): boolean {
    const { audiences, audienceUsers, syncs, syncCalls } = this.#tables;
    const gone = audiences.where(({ removed }) => removed)[0];
    if (gone === undefined) return false;
    const users = audienceUsers.where(({ audienceId }) => audienceId === gone.id).slice(0, limit);
    for (const { userId } of users) audienceUsers.delete(keyOf(gone.id, userId));
    if (users.length > 0) return true;
    const sync = syncs.where(({ audienceId }) => audienceId === gone.id)[0];
    if (sync === undefined) {
      audiences.delete(gone.id);
      return true;
    }
    const calls = syncCalls.where(({ syncId }) => syncId === sync.id).slice(0, limit);
    for (const { position } of calls) syncCalls.delete(`${sync.id} ${position}`);
    if (calls.length === 0) syncs.delete(sync.id);
    return true;
  }

  user(audienceId: number, userId: string): AudienceUser | undefined {
    const row = this.#tables.audienceUsers.get(keyOf(audienceId, userId));
    return row && userOf(row);
  }

  putUser(audienceId: number, user: AudienceUser): void {
    this.#tables.audienceUsers.set(keyOf(audienceId, user.userId), { ...user, audienceId });
  }

  removeUser(audienceId: number, userId: string): void {
    this.#tables.audienceUsers.delete(keyOf(audienceId, userId));
  }

  users({ audienceId, after, limit, only }: UserWindow): AudienceUser[] {
    return this.#usersOf(audienceId)
      .filter(({ userId }) => after === null || byBytes(userId, after) > 0)
      .filter(({ value, sent }) => only === 'all' || (value !== null && value !== sent))
      .slice(0, limit);
  }

  #usersOf(audienceId: number): AudienceUser[] {
    return this.#tables.audienceUsers
      .where((row) => row.audienceId === audienceId)
      .map(userOf)
      .sort((a, b) => byBytes(a.userId, b.userId));
  }

  counts(audienceId: number): UserCounts {
    const kind = this.#tables.audiences.get(audienceId)?.kind ?? 'audience';
    return this.#usersOf(audienceId).reduce((counts, user) => recounted(kind, counts, null, user), NO_USERS);
  }

  callsByUser({ after, upTo }: { after: number; upTo: number }): Array<{ userId: string; calls: number }> {
    const calls = new Map<string, number>();
    for (const { id, userId, state } of this.#tables.messages.all())
      if (id > after && id <= upTo && userId !== null && state !== 'rejected')
        calls.set(userId, (calls.get(userId) ?? 0) + 1);
    return [...calls].map(([userId, n]) => ({ userId, calls: n }));
  }
}

const userOf = ({ audienceId: _, ...user }: AudienceUser & { readonly audienceId: number }): AudienceUser => user;
