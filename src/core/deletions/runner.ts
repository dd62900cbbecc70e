/**
 * Carries requests out, one after the other and each to its end, also after a restart: stores its notices, erases, looks
 * for what is left, clears the files. Every step is one transaction, and the next one is read from the store, so nothing
 * is done twice and nothing is left out.
 */
import { failpoint } from '../failpoint.ts';
import type { Logger, Timer, Timers } from '../ports.ts';
import type { DeletionRecord } from '../store/ports/deletions.ts';
import type { DeletionsDeps } from './deps.ts';
import { Eraser, type Users } from './eraser.ts';
import { noticeRequest } from './notices.ts';
import type { Outcomes } from './outcomes.ts';
import { Search } from './search.ts';

/** Notices of one transaction. */
const NOTICES = 100;
/** The pause between two steps of an erase, so that requests come first. */
const STEP_MS = 2;
/** After this long, a step that failed is tried again. */
const AGAIN_MS = 1_000;
/** A larger store is rewritten by the next start: rewriting this much takes about a second. */
export const REWRITTEN_AT_ONCE = 32 * 1024 * 1024;

export class Runner {
  readonly #deps: DeletionsDeps;
  readonly #outcomes: Outcomes;
  readonly #eraser: Eraser;
  #running: Promise<void> | null = null;
  #again: Timer | null = null;
  #stopped = false;
  readonly #erased = new Map<number, () => void>();

  constructor(deps: DeletionsDeps, outcomes: Outcomes) {
    this.#deps = deps;
    this.#outcomes = outcomes;
    this.#eraser = new Eraser({
      deletions: deps.deletions,
      store: deps.erasure,
      write: deps.write,
      stopMessage: (id) => deps.stopMessage(id),
    });
  }

  /** `done` runs when the erase of this request is over. */
  whenErased(id: number, done: () => void): void {
    this.#erased.set(id, done);
  }

  /** Goes on with what is not finished. Harmless when it runs already. */
  kick(): void {
    if (this.#stopped || this.#running !== null) return;
    this.#again?.cancel();
    this.#running = this.#runAll()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#running = null;
      });
  }

  /** Begins no further step. Resolves once the one under way is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#again?.cancel();
    await this.#running;
  }

  #failed(error: unknown): void {
    const { logger, timers }: { logger: Logger; timers: Timers } = this.#deps;
    // The next start takes it up again.
    if (this.#stopped) return;
    logger.log('warn', 'deletion_step_failed', { message: (error as Error).message });
    this.#again = timers.after(AGAIN_MS, () => this.kick());
  }

  async #runAll(): Promise<void> {
    const { deletions } = this.#deps;
    const next = (): number | undefined => deletions.unfinished()[0];
    for (let id = next(); id !== undefined && !this.#stopped; id = next()) await this.#run(id);
    for (const id of this.#stopped ? [] : deletions.unforgotten())
      if (!this.#outcomes.hasOpen(id)) await this.forget(id);
  }

  async #run(id: number): Promise<void> {
    while (!this.#stopped && (await this.#sendSome(id)));
    if (this.#deps.deletions.get(id)!.erase) await this.#erase(id);
    if (this.#stopped) return;
    await this.#deps.write((changes) =>
      this.#deps.deletions.progress(id, { finishedAt: this.#deps.clock.wall() }, changes),
    );
    this.#erased.get(id)?.();
    this.#erased.delete(id);
    this.#deps.changed();
  }

  // Notices

  /** Stores notices of one source and hands them to delivery. False when there is none left. */
  async #sendSome(id: number): Promise<boolean> {
    const { deletions, ingest, write, ids, clock } = this.#deps;
    const unsent = deletions.unsent(id, NOTICES);
    const first = unsent[0];
    if (first === undefined) return false;
    const deletion = deletions.get(id)!;
    const notices = unsent.map(({ userId }) => ({ userId, messageId: `deletion-${ids.uuid()}` }));
    const { request, messages } = noticeRequest({
      ...this.#sourceOf(deletion, first.sourceId),
      notices,
      createdAt: deletion.createdAt,
      now: clock.wall(),
      destination: this.#deps.destination(),
    });
    const arrived = { request, messages, dedupe: false, dueAt: this.#deps.clockNow() };
    const stored = await write(
      (changes) => {
        const rows = ingest.storeIn(arrived, changes);
        for (const [i, { position, sourceId }] of unsent.entries())
          deletions.sent({ id, position, sourceId, messageId: rows[i]!.id }, changes);
        failpoint('deletion_notices_written');
        return rows;
      },
      1 + 3 * unsent.length,
    );
    failpoint('deletion_notices_committed');
    for (const [i, row] of stored.entries()) this.#outcomes.stored(row.id, id, first.sourceId, messages[i]!.state);
    this.#deps.stored({ ...arrived, stored });
    this.#deps.changed();
    return true;
  }

  /** A source that was removed since keeps the name that it had. */
  #sourceOf({ sources }: DeletionRecord, sourceId: number) {
    const now = this.#deps.sources().find(({ id }) => id === sourceId);
    const then = sources.find((source) => source.sourceId === sourceId);
    return { sourceId, sourceName: now?.name ?? then?.name ?? '', sourceWebhooks: now?.webhooks ?? true };
  }

  // Erasing

  async #erase(id: number): Promise<void> {
    const { deletions, erasure } = this.#deps;
    const all = deletions.users({ id, after: 0, limit: Number.MAX_SAFE_INTEGER });
    const users = new Map(
      all.flatMap(({ userId, position }) => (userId === null ? [] : [[userId, position] as const])),
    );
    erasure.overwrite(true);
    try {
      await this.#eraseMessages(id, users);
      if (!this.#stopped) await this.#eraseElsewhere(id, users);
      if (!this.#stopped) await this.#search(id, users);
    } finally {
      erasure.overwrite(false);
    }
  }

  async #eraseMessages(id: number, users: Users): Promise<void> {
    const { deletions, timers, changed } = this.#deps;
    for (;;) {
      const deletion = deletions.get(id)!;
      if (this.#stopped || deletion.lookedAt >= deletion.upTo) return;
      const gotFurther = await this.#eraser.step(deletion, users);
      failpoint('deletion_step_committed');
      changed();
      await new Promise<void>((resolve) => timers.after(gotFurther ? STEP_MS : 10 * STEP_MS, resolve));
    }
  }

  /** Audiences and their syncs, and the logs of the receivers, which are in memory only. */
  async #eraseElsewhere(id: number, users: Users): Promise<void> {
    const { deletions, clock, write, receivers, audiences } = this.#deps;
    if (deletions.get(id)!.erasedAt !== null) return;
    const memberships = await audiences.erase(new Set(users.keys()));
    failpoint('deletion_audiences_erased');
    const receiverEntries = await receivers.erase([...users.keys()], true);
    await write((changes) => {
      this.#deps.erasure.soil(changes);
      const { erased } = deletions.get(id)!;
      const sums = {
        memberships: erased.memberships + memberships,
        receiverEntries: erased.receiverEntries + receiverEntries,
      };
      deletions.progress(id, { erased: { ...erased, ...sums }, erasedAt: clock.wall() }, changes);
    });
  }

  async #search(id: number, users: Users): Promise<void> {
    const { deletions, erasure, audiences, people, write, clock, timers, changed } = this.#deps;
    changed();
    const isStopped = (): boolean => this.#stopped;
    const deps = { deletions, store: erasure, audiences, people, write, timers, isStopped };
    const looked = await new Search(deps, deletions.get(id)!, users).run();
    if (looked === null) return;
    failpoint('deletion_searched');
    await this.#deps.index.forget();
    const files = this.#clean();
    failpoint('deletion_files_cleared');
    const { bytes, found } = looked;
    const search = { finishedAt: clock.wall(), bytes, found, messages: [...looked.messages], files };
    await write((changes) => deletions.progress(id, { search }, changes));
  }

  /** In a turn of its own, because it needs the store without a transaction. */
  #clean(): 'cleared' | 'next_start' {
    return this.#deps.erasure.clean(this.#deps.rewrittenAtOnce ?? REWRITTEN_AT_ONCE) ? 'cleared' : 'next_start';
  }

  // Forgetting

  /** Removes the ids of a finished request, the messages of its notices, and their bytes. */
  async forget(id: number): Promise<void> {
    const { deletions, erasure, write, clock, changed } = this.#deps;
    erasure.overwrite(true);
    try {
      await write((changes) => {
        const messages = deletions.forget(id, clock.wall(), changes);
        erasure.erase(messages, changes);
        erasure.soil(changes);
      });
    } finally {
      erasure.overwrite(false);
    }
    await this.#deps.index.forget();
    this.#clean();
    changed();
  }
}
