import type { Changes } from '../../../src/core/store/ports/changes.ts';
import type { Suppression, SuppressionStore, SuppressionWindow } from '../../../src/core/store/ports/suppressions.ts';
import type { Tables } from './tables.ts';

/** In the order of their bytes. */
const byBytes = (a: Suppression, b: Suppression): number =>
  Buffer.compare(Buffer.from(a.userId), Buffer.from(b.userId));

export class MemorySuppressions implements SuppressionStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  #all(search = ''): Suppression[] {
    return this.#tables.suppressions.where(({ userId }) => userId.includes(search)).sort(byBytes);
  }

  userIds(): string[] {
    return this.#all().map(({ userId }) => userId);
  }

  window({ after = '', search, limit }: SuppressionWindow): Suppression[] {
    const isAfter = ({ userId }: Suppression): boolean => Buffer.compare(Buffer.from(userId), Buffer.from(after)) > 0;
    return this.#all(search).filter(isAfter).slice(0, limit);
  }

  count(search?: string): number {
    return this.#all(search).length;
  }

  get(userId: string): Suppression | undefined {
    return this.#tables.suppressions.get(userId);
  }

  totals(): Array<{ requestId: number | null; users: number; hits: number }> {
    const totals = new Map<number | null, { requestId: number | null; users: number; hits: number }>();
    for (const { requestId, hits } of this.#all()) {
      const before = totals.get(requestId) ?? { requestId, users: 0, hits: 0 };
      totals.set(requestId, { requestId, users: before.users + 1, hits: before.hits + hits });
    }
    return [...totals.values()].sort((a, b) => (b.requestId ?? 0) - (a.requestId ?? 0));
  }

  add({ userId, since, requestId }: Pick<Suppression, 'userId' | 'since' | 'requestId'>, _changes: Changes): boolean {
    if (this.get(userId) !== undefined) return false;
    this.#tables.suppressions.set(userId, { userId, since, requestId, hits: 0, lastHitAt: null });
    return true;
  }

  remove(userId: string, _changes: Changes): boolean {
    return this.#tables.suppressions.delete(userId);
  }

  hit(userId: string, at: number): void {
    const hits = (this.get(userId)?.hits ?? 0) + 1;
    this.#tables.suppressions.update(userId, { hits, lastHitAt: at });
  }
}
