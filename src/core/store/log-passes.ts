/**
 * Keeps the log short under lasting load. SQLite itself moves a long log into the main file within a commit, and the
 * engine stands still for as long as the disk takes. Here another thread moves it, pass by pass. The engine's thread only
 * moves the few pages that were committed during the last pass. Then SQLite writes the log from its beginning again.
 */
import { statSync } from 'node:fs';
import type { Db } from './db.ts';
import type { Checkpointer, CheckpointPass, OpenCheckpointer } from './ports/store.ts';

/** Pages at which SQLite moves the log within a commit: without a checkpointer, and when it cannot keep up. */
export const MOVED_IN_COMMIT = 10_000;
const MOVED_IN_COMMIT_AT_WORST = 40_000;

/** A log whose file is smaller costs no pass, and a store whose log was never larger no thread. */
const WORTH_A_PASS_BYTES = 8 * 1024 * 1024;

/** SQLite writes a log of this many pages from its beginning again, once all of it is moved. */
const LONG_LOG = 8_000;

export class LogPasses {
  readonly #db: Db;
  readonly #path: string;
  #open: OpenCheckpointer | null;
  #checkpointer: Checkpointer | null = null;
  #isPassing = false;
  /** The pass under way only moves what was committed during the one before. */
  #isRest = false;
  #isStopped = false;

  /** `path` is the main file. Without `open`, SQLite moves the log within commits. */
  constructor(db: Db, path: string, open: OpenCheckpointer | undefined) {
    this.#db = db;
    this.#path = path;
    this.#open = open ?? null;
    if (open !== undefined) this.#moveInCommitAt(MOVED_IN_COMMIT_AT_WORST);
  }

  get isPassing(): boolean {
    return this.#isPassing;
  }

  /** Called from time to time while there are commits. */
  look(): void {
    if (this.#open === null || this.#isPassing || this.#isStopped || !this.#isWorthAPass()) return;
    this.#checkpointer ??= this.#open({
      passed: (pass) => this.#passed(pass),
      ended: () => this.#ended(),
    });
    this.#pass();
  }

  /** Resolves when the thread has closed the file. Harmless when repeated. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#checkpointer?.stop();
    this.#isPassing = false;
  }

  #isWorthAPass(): boolean {
    const log = statSync(`${this.#path}-wal`, { throwIfNoEntry: false });
    return (log?.size ?? 0) >= WORTH_A_PASS_BYTES;
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
    if (isLong && this.#isRest) this.#moveRest();
    this.#isRest = isLong && !this.#isRest;
    if (this.#isRest) this.#pass();
  }

  #moveRest(): void {
    try {
      this.#db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // The disk is full: the log stays, and nothing is lost.
    }
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
