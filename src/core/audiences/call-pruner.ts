/** Removes the calls of old syncs. Their ledgers stay, because they are frozen on the sync itself. */
import type { Timers } from '../ports.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { SyncStore } from '../store/ports/syncs.ts';

/** So many of the newest syncs of an audience keep their calls. */
export const KEPT_SYNCS = 50;
/** Calls of one transaction. */
const STEP_ROWS = 1_000;
/** Syncs that are looked at in one turn. */
const LOOKED_AT = 100;

export interface PrunerDeps {
  readonly syncs: Pick<SyncStore, 'byNumber' | 'calls' | 'removeCalls'>;
  readonly write: Writer['write'];
  readonly timers: Pick<Timers, 'soon'>;
}

export class CallPruner {
  readonly #deps: PrunerDeps;
  /** Up to this number the calls of an audience's syncs are gone. */
  readonly #pruned = new Map<number, number>();

  constructor(deps: PrunerDeps) {
    this.#deps = deps;
  }

  /** `newest` is the number of the audience's newest sync. Goes no further once `isOver`. */
  async prune(audienceId: number, newest: number, isOver: () => boolean): Promise<void> {
    for (let n = (this.#pruned.get(audienceId) ?? 0) + 1; n <= newest - KEPT_SYNCS; n += 1) {
      await this.#pruneOne(audienceId, n, isOver);
      if (isOver()) return;
      this.#pruned.set(audienceId, n);
      if (n % LOOKED_AT === 0) await new Promise<void>((resolve) => this.#deps.timers.soon(resolve));
    }
  }

  async #pruneOne(audienceId: number, n: number, isOver: () => boolean): Promise<void> {
    const { syncs, write } = this.#deps;
    const sync = syncs.byNumber(audienceId, n);
    if (sync?.state !== 'done') return;
    const { id } = sync;
    while (!isOver() && syncs.calls({ syncId: id, after: 0, limit: 1, only: 'all' }).length > 0)
      await write((changes) => syncs.removeCalls(id, STEP_ROWS, changes), STEP_ROWS);
  }
}
