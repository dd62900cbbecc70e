import type { MessageState } from '../../../src/core/model/vocabulary.ts';
import type { Changes } from '../../../src/core/store/ports/changes.ts';
import type {
  DeletionRecord,
  DeletionStore,
  DeletionUserRecord,
  NewDeletion,
  NoticeRecord,
  NoticeStanding,
  NoticeTally,
  OpenNotice,
  UnsentNotice,
} from '../../../src/core/store/ports/deletions.ts';
import type { Tables } from './tables.ts';

const userKey = (id: number, position: number): string => `${id} ${String(position).padStart(9, '0')}`;
const noticeKey = (id: number, position: number, sourceId: number): string =>
  `${userKey(id, position)} ${String(sourceId).padStart(9, '0')}`;
const isUnsent = ({ reason, messageId, outcome }: NoticeRecord): boolean =>
  reason === null && messageId === null && outcome === null;

export class MemoryDeletions implements DeletionStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  add({ userIds, notices, ...deletion }: NewDeletion, _changes: Changes): number {
    const { deletionRequests, deletionUsers, deletionNotices } = this.#tables;
    const id = deletionRequests.nextId();
    const erased = {
      messages: 0,
      attempts: 0,
      replays: 0,
      heldCalls: 0,
      receiverEntries: 0,
      memberships: 0,
      cutCalls: 0,
    };
    const undone = { erasedAt: null, search: null, finishedAt: null, forgottenAt: null };
    deletionRequests.set(id, { ...deletion, id, users: userIds.length, erased, ...undone });
    for (const [i, userId] of userIds.entries())
      deletionUsers.set(userKey(id, i + 1), { requestId: id, position: i + 1, userId, erased: 0 });
    for (const notice of notices) {
      const row = { ...notice, requestId: id, messageId: null, outcome: null };
      deletionNotices.set(noticeKey(id, notice.position, notice.sourceId), row);
    }
    return id;
  }

  get(id: number): DeletionRecord | undefined {
    return this.#tables.deletionRequests.get(id);
  }

  list({ before, limit }: { before: number; limit: number }): DeletionRecord[] {
    return this.#tables.deletionRequests
      .where(({ id }) => id < before)
      .reverse()
      .slice(0, limit);
  }

  count(): number {
    return this.#tables.deletionRequests.all().length;
  }

  unfinished(): number[] {
    return this.#tables.deletionRequests.where(({ finishedAt }) => finishedAt === null).map(({ id }) => id);
  }

  unforgotten(): number[] {
    return this.#tables.deletionRequests
      .where(({ finishedAt, forget, forgottenAt }) => finishedAt !== null && forget && forgottenAt === null)
      .map(({ id }) => id);
  }

  users(page: Parameters<DeletionStore['users']>[0]): DeletionUserRecord[] {
    const { id, after, limit, failedOnly = false } = page;
    const failed = new Set(
      this.#noticesOf(id).flatMap(({ position, outcome }) =>
        outcome !== null && outcome !== 'delivered' ? [position] : [],
      ),
    );
    return this.#tables.deletionUsers
      .where((user) => user.requestId === id && user.position > after && (!failedOnly || failed.has(user.position)))
      .slice(0, limit)
      .map(({ position, userId, erased }) => ({ position, userId, erased }));
  }

  #noticesOf(id: number): NoticeRecord[] {
    return this.#tables.deletionNotices.where(({ requestId }) => requestId === id);
  }

  notices({ id, first, last }: { id: number; first: number; last: number }): NoticeRecord[] {
    return this.#noticesOf(id).filter(({ position }) => position >= first && position <= last);
  }

  tally(id: number): NoticeTally[] {
    const tallies = new Map<string, NoticeTally>();
    for (const { sourceId, reason, outcome, messageId } of this.#noticesOf(id)) {
      const state = outcome ?? this.#tables.messages.get(messageId ?? 0)?.state ?? null;
      const key = JSON.stringify([sourceId, reason, state]);
      tallies.set(key, { sourceId, reason, state, n: (tallies.get(key)?.n ?? 0) + 1 });
    }
    return [...tallies.values()];
  }

  unsent(id: number, limit: number): UnsentNotice[] {
    const unsent = this.#noticesOf(id).filter(isUnsent);
    const first = Math.min(...unsent.map(({ sourceId }) => sourceId));
    return unsent
      .filter(({ sourceId }) => sourceId === first)
      .slice(0, limit)
      .map(({ position, sourceId }) => {
        const { userId } = this.#tables.deletionUsers.get(userKey(id, position))!;
        return { position, sourceId, userId: userId! };
      });
  }

  sent(notice: Parameters<DeletionStore['sent']>[0], _changes: Changes): void {
    const { id, position, sourceId, messageId } = notice;
    this.#tables.deletionNotices.update(noticeKey(id, position, sourceId), { messageId });
  }

  open(): OpenNotice[] {
    return this.#tables.deletionNotices
      .where(({ messageId, outcome }) => messageId !== null && outcome === null)
      .map(({ requestId, sourceId, messageId }) => ({ requestId, sourceId, messageId: messageId! }))
      .sort((a, b) => a.messageId - b.messageId);
  }

  standings(messageIds: readonly number[]): NoticeStanding[] {
    return messageIds.flatMap((id) => {
      const row = this.#tables.messages.get(id);
      return row === undefined ? [] : [{ id, state: row.state, nextDueAt: row.nextDueAt }];
    });
  }

  end(messageId: number, outcome: MessageState, _changes: Changes): void {
    for (const notice of this.#tables.deletionNotices.where((one) => one.messageId === messageId))
      if (notice.outcome === null)
        this.#tables.deletionNotices.update(noticeKey(notice.requestId, notice.position, notice.sourceId), { outcome });
  }

  progress(id: number, progress: Parameters<DeletionStore['progress']>[1], _changes: Changes): void {
    this.#tables.deletionRequests.update(id, progress);
  }

  erasedOf({ id, position, messages }: Parameters<DeletionStore['erasedOf']>[0], _changes: Changes): void {
    const key = userKey(id, position);
    const before = this.#tables.deletionUsers.get(key)!.erased;
    this.#tables.deletionUsers.update(key, { erased: before + messages });
  }

  forget(id: number, at: number, _changes: Changes): number[] {
    const { deletionUsers, deletionRequests } = this.#tables;
    for (const { position } of deletionUsers.where(({ requestId }) => requestId === id))
      deletionUsers.update(userKey(id, position), { userId: null });
    deletionRequests.update(id, { forgottenAt: at });
    return this.#noticesOf(id)
      .flatMap(({ messageId }) => messageId ?? [])
      .sort((a, b) => a - b);
  }
}
