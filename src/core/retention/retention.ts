/**
 * Keeps the store within its limits: removes the oldest final messages in small steps, and knows when the store is
 * full.
 */
import {
  isFull,
  isOver,
  oldestKept,
  PURGE_STEP,
  type StorageLimits,
  type StorageUse,
  toRemove,
} from '../model/retention.ts';
import type { Clock, Logger, Timer, Timers } from '../ports.ts';
import type { Changes, Writer } from '../store/ports/changes.ts';
import type { PurgeStep, RetentionStore } from '../store/ports/retention.ts';

/** How often age and bytes are checked. The number of messages is checked after each commit. */
const LOOK_MS = 10_000;
/** How often a full store is checked, because messages may have become final. */
const FULL_LOOK_MS = 1_000;
/** The pause between two steps, so that requests come first. */
const STEP_MS = 2;
/** One call of {@link Retention.clear} works for this long, then returns how far it came. */
const CLEAR_MS = 1_000;

export interface RetentionDeps {
  readonly store: Pick<RetentionStore, 'purge' | 'oldestReceivedAt' | 'newestId'>;
  readonly write: Writer['write'];
  limits(): StorageLimits;
  use(): StorageUse;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

interface ClearRange {
  readonly after: number;
  readonly upTo: number;
}

export interface Cleared {
  readonly removed: number;
  readonly next: ClearRange | null;
}

export class Retention {
  readonly #deps: RetentionDeps;
  #timer: Timer | null = null;
  #working = false;
  #stopped = false;
  /** True when the last sweep found too many messages but none that is final. */
  #nothingToRemove = false;
  /** The last reason that was logged. */
  #loggedReason = '';

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (this.#isNeededNow()) void this.#sweep();
    else this.#plan();
  }

  #plan(): void {
    if (this.#stopped) return;
    const look = (): void => {
      if (!this.#working) this.start();
    };
    this.#timer?.cancel();
    this.#timer = this.#deps.timers.after(this.#nothingToRemove ? FULL_LOOK_MS : LOOK_MS, look);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Whether ingest must refuse requests. */
  get full(): boolean {
    return isFull(this.#deps.limits(), this.#deps.use(), this.#nothingToRemove);
  }

  /** Runs after each commit. */
  committed(changes: Changes): void {
    if (changes.inserted.length === 0 || this.#working || this.#nothingToRemove) return;
    if (isOver(this.#deps.limits(), this.#deps.use())) void this.#sweep();
  }

  /**
   * Removes final messages for a second, even when there is room: those with ids above `after` and up to `upTo`, by
   * default all. `next` says where to continue; null when there are no more.
   */
  async clear({ after = 0, upTo = this.#deps.store.newestId() }: Partial<ClearRange>): Promise<Cleared> {
    const { clock, logger, store, write } = this.#deps;
    const until = clock.mono() + CLEAR_MS;
    let removed = 0;
    let at: number | null = after;
    while (at !== null && !this.#stopped && clock.mono() < until) {
      const step: PurgeStep = { after: at, limit: PURGE_STEP, receivedBefore: Number.NEGATIVE_INFINITY, upTo };
      const purged = await write((changes) => store.purge(step, changes), PURGE_STEP);
      removed += purged.removed;
      at = purged.lookedAt;
      await this.#pause();
    }
    if (removed > 0) logger.log('info', 'storage_cleared', { messages: removed });
    return { removed, next: at === null ? null : { after: at, upTo } };
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#deps.timers.after(STEP_MS, resolve));
  }

  /** When the store cannot be read now, checks it again later. */
  #isNeededNow(): boolean {
    try {
      return this.#isNeeded();
    } catch (error) {
      this.#notPurged(error);
      return false;
    }
  }

  #isNeeded(): boolean {
    const { limits, use, store, clock } = this.#deps;
    const oldest = store.oldestReceivedAt();
    return isOver(limits(), use()) || (oldest !== null && oldest < oldestKept(limits(), clock.wall()));
  }

  /** Goes through the messages once, oldest first, until there is room and nothing is too old. */
  async #sweep(): Promise<void> {
    this.#working = true;
    try {
      let after: number | null = 0;
      let removed = 0;
      while (after !== null && !this.#stopped) {
        const limits = this.#deps.limits();
        const limit = toRemove(limits, this.#deps.use());
        const step: PurgeStep = { after, limit, receivedBefore: oldestKept(limits, this.#deps.clock.wall()) };
        const purged = await this.#deps.write((changes) => this.#deps.store.purge(step, changes), PURGE_STEP);
        removed += purged.removed;
        if (purged.removed === 0 && limit === 0) break;
        after = purged.lookedAt;
        await this.#pause();
      }
      this.#setNothingToRemove(after === null && isOver(this.#deps.limits(), this.#deps.use()));
      this.#loggedReason = '';
      if (removed > 0) this.#deps.logger.log('info', 'storage_purged', { messages: removed });
    } catch (error) {
      this.#notPurged(error);
    } finally {
      this.#working = false;
      this.#plan();
    }
  }

  /** Does not log the same reason twice in a row, because a damaged page stays damaged. */
  #notPurged(error: unknown): void {
    const { message } = error as Error;
    if (message !== this.#loggedReason) this.#deps.logger.log('warn', 'storage_not_purged', { error: message });
    this.#loggedReason = message;
  }

  #setNothingToRemove(nothing: boolean): void {
    if (nothing === this.#nothingToRemove) return;
    this.#nothingToRemove = nothing;
    this.#deps.logger.log(nothing ? 'warn' : 'info', nothing ? 'storage_full' : 'storage_has_room');
  }
}
