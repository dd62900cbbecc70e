/**
 * Removes the calls of old syncs, and the oldest syncs with their ledgers. A sync without its calls keeps its ledger,
 * which is frozen on the sync itself.
 */
import { AUDIENCE_LIMITS } from '../../contract/audiences.ts';
import type { Timers } from '../ports.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { SyncStore } from '../store/ports/syncs.ts';

/** So many of the newest syncs of an audience keep their calls. */
export const KEPT_WITH_CALLS = 50;
/** Calls of one transaction. */
const STEP_CALLS = 1_000;
/** Syncs of one transaction. */
const STEP_SYNCS = 200;
/** Syncs that are looked at in one turn. */
const LOOKED_AT = 100;

export interface PrunerDeps {
  readonly syncs: Pick<SyncStore, 'oldestNumber' | 'byNumber' | 'calls' | 'removeCalls' | 'removeOld'>;
  readonly write: Writer['write'];
  readonly timers: Pick<Timers, 'soon'>;
}

export class SyncPruner {
  readonly #deps: PrunerDeps;
  /** Up to this number the calls of an audience's syncs are gone. */
  readonly #pruned = new Map<number, number>();

  constructor(deps: PrunerDeps) {
    this.#deps = deps;
  }

  /** `newest` is the number of the audience's newest sync. Goes no further once `isOver`. */
  async prune(audienceId: number, newest: number, isOver: () => boolean): Promise<void> {
    await this.#pruneCalls(audienceId, newest - KEPT_WITH_CALLS, isOver);
    const { syncs, write } = this.#deps;
    const old = { audienceId, upTo: newest - AUDIENCE_LIMITS.syncs, limit: STEP_SYNCS };
    while (!isOver() && (syncs.oldestNumber(audienceId) ?? newest) <= old.upTo)
      if ((await write((changes) => syncs.removeOld(old, changes), STEP_SYNCS)) === 0) return;
  }

  async #pruneCalls(audienceId: number, upTo: number, isOver: () => boolean): Promise<void> {
    const { syncs, write, timers } = this.#deps;
    const first = this.#pruned.get(audienceId) ?? (syncs.oldestNumber(audienceId) ?? 1) - 1;
    for (let n = first + 1; n <= upTo; n += 1) {
      const id = this.#doneSync(audienceId, n);
      while (id !== null && !isOver() && this.#hasCalls(id))
        await write((changes) => syncs.removeCalls(id, STEP_CALLS, changes), STEP_CALLS);
      if (isOver()) return;
      this.#pruned.set(audienceId, n);
      if (n % LOOKED_AT === 0) await new Promise<void>((resolve) => timers.soon(resolve));
    }
  }

  /** Its id; null when it is not done, or gone. */
  #doneSync(audienceId: number, n: number): number | null {
    const sync = this.#deps.syncs.byNumber(audienceId, n);
    return sync?.state === 'done' ? sync.id : null;
  }

  #hasCalls(syncId: number): boolean {
    return this.#deps.syncs.calls({ syncId, after: 0, limit: 1, only: 'all' }).length > 0;
  }
}
