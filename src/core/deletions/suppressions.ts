/** Suppressed users: their calls are rejected by ingest (decisions, Audiences and deletions). */
import type { SuppressionView } from '../../contract/deletions.ts';
import type { Clock } from '../ports.ts';
import type { Changes, Writer } from '../store/ports/changes.ts';
import type { SuppressionStore, SuppressionWindow } from '../store/ports/suppressions.ts';

import { Leaving, type UserSet } from './leaving.ts';

export interface SuppressionsDeps {
  readonly store: SuppressionStore;
  readonly write: Writer['write'];
  readonly clock: Pick<Clock, 'wall'>;
  /** Called when what clients see has changed. */
  changed(): void;
}

export class Suppressions {
  readonly #deps: SuppressionsDeps;
  /** Every suppressed id, which ingest looks up for each call. */
  readonly #ids: Set<string>;
  readonly leaving = new Leaving();
  readonly #listeners: Array<() => void> = [];

  constructor(deps: SuppressionsDeps) {
    this.#deps = deps;
    this.#ids = new Set(deps.store.userIds());
  }

  /** `listener` runs when users are no longer suppressed. */
  onLifted(listener: () => void): void {
    this.#listeners.push(listener);
  }

  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** Suppressed users, and those whose erase is under way. */
  get silent(): UserSet {
    return this.leaving.with(this.#ids);
  }

  /**
   * Suppresses users with a transaction that may write more. Ingest rejects their calls at once, so that none is
   * prepared between now and the commit. When the write fails, they are not suppressed. Returns what `job` returns.
   */
  async addWith<T>(userIds: readonly string[], job: (changes: Changes) => T, rows: number): Promise<T> {
    const fresh = userIds.filter((userId) => !this.#ids.has(userId));
    for (const userId of fresh) this.#ids.add(userId);
    try {
      return await this.#deps.write(job, rows);
    } catch (error) {
      for (const userId of fresh) this.#ids.delete(userId);
      throw error;
    } finally {
      this.#deps.changed();
    }
  }

  /** In the transaction of {@link addWith}. Returns how many are new. */
  keep(userIds: readonly string[], requestId: number | null, changes: Changes): number {
    const since = this.#deps.clock.wall();
    return userIds.filter((userId) => this.#deps.store.add({ userId, since, requestId }, changes)).length;
  }

  suppress(userIds: readonly string[], requestId: number | null): Promise<number> {
    return this.addWith(userIds, (changes) => this.keep(userIds, requestId, changes), userIds.length);
  }

  /** Their calls are accepted again once this is stored. Resolves with how many were suppressed. */
  async lift(userIds: readonly string[]): Promise<number> {
    const { store, write, changed } = this.#deps;
    const lifted = await write(
      (changes) => userIds.filter((userId) => store.remove(userId, changes)).length,
      userIds.length,
    );
    for (const userId of userIds) this.#ids.delete(userId);
    changed();
    if (lifted > 0) for (const listener of this.#listeners) listener();
    return lifted;
  }

  window(window: SuppressionWindow): { rows: SuppressionView[]; total: number; nextAfter: string | null } {
    const { store } = this.#deps;
    const rows = store.window(window);
    const isLast = rows.length < window.limit;
    return { rows, total: store.count(window.search), nextAfter: isLast ? null : rows.at(-1)!.userId };
  }

  /** Users and hits by request. */
  totals(): ReturnType<SuppressionStore['totals']> {
    return this.#deps.store.totals();
  }

  /** Ingest has rejected calls of suppressed users. */
  hit(): void {
    this.#deps.changed();
  }
}
