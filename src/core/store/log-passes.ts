/**
 * Keeps the log short. SQLite itself moves a long log into the main file within a commit, and the engine stands still for
 * as long as the disk takes. Here another thread moves it, pass by pass. The engine's thread only moves the few pages that
 * were committed during the last pass. Then SQLite writes the log from its beginning again, over the old pages. Its file
 * keeps its length, because a commit that makes the file grow took twice as long to sync (docs/benchmarks.md).
 */
import type { Db } from './db.ts';
import type { Checkpointer, CheckpointPass, OpenCheckpointer } from './ports/store.ts';

/** Pages at which SQLite moves the log within a commit: without a checkpointer, and when it cannot keep up. */
export const MOVED_IN_COMMIT = 10_000;
const MOVED_IN_COMMIT_AT_WORST = 40_000;

/**
 * 192 MB. When SQLite starts to overwrite the log, it cuts a longer file to this. A migration may leave one. A log of
 * 40,000 pages (165 MB) is never cut.
 */
export const LONGEST_LOG_FILE = 192 << 20;

/** Pages (8 MB) that wait to be moved. Fewer cost no pass, and a store that never had so many no thread. */
const WORTH_A_PASS = 2_048;

/** SQLite writes a log of this many pages from its beginning again, once all of it is moved. */
const LONG_LOG = 8_000;

export class LogPasses {
  readonly #db: Db;
  #open: OpenCheckpointer | null;
  #checkpointer: Checkpointer | null = null;
  #isPassing = false;
  /** The pass under way only moves what was committed during the one before. */
  #isRest = false;
  #isStopped = false;

  /** Without `open`, SQLite moves the log within commits. */
  constructor(db: Db, open: OpenCheckpointer | undefined) {
    this.#db = db;
    this.#open = open ?? null;
    if (open !== undefined) this.#moveInCommitAt(MOVED_IN_COMMIT_AT_WORST);
  }

  /** Called from time to time while there are commits. True when the thread moves the log. */
  look(): boolean {
    if (this.#isPassing) return true;
    if (this.#open === null || this.#isStopped || this.#unmoved() < WORTH_A_PASS) return false;
    this.#checkpointer ??= this.#open({
      passed: (pass) => this.#passed(pass),
      ended: () => this.#ended(),
    });
    this.#pass();
    return true;
  }

  /** Moves what waits, in the engine's thread. Pages that a reader still needs stay, and so do all when the disk is full. */
  move(): void {
    try {
      this.#db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // The log stays, and nothing is lost.
    }
  }

  /** Resolves when the thread has closed the file. Harmless when repeated. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#checkpointer?.stop();
    this.#isPassing = false;
  }

  #unmoved(): number {
    try {
      const [{ log, checkpointed }] = this.#db.pragma('wal_checkpoint(NOOP)') as [
        { log: number; checkpointed: number },
      ];
      return log - checkpointed;
    } catch {
      return 0;
    }
  }

  #pass(): void {
    this.#isPassing = true;
    this.#checkpointer!.pass();
  }

  /** Null when the pass failed, as on a full disk. The next look tries again. */
  #passed(pass: CheckpointPass | null): void {
    this.#isPassing = false;
    if (this.#isStopped) return;
    const isLong = pass !== null && pass.log >= LONG_LOG;
    if (isLong && this.#isRest) this.move();
    this.#isRest = isLong && !this.#isRest;
    if (this.#isRest) this.#pass();
  }

  #ended(): void {
    this.#open = null;
    this.#checkpointer = null;
    this.#isPassing = false;
    this.#moveInCommitAt(MOVED_IN_COMMIT);
  }

  #moveInCommitAt(pages: number): void {
    this.#db.pragma(`wal_autocheckpoint = ${pages}`);
  }
}
