/**
 * Upkeep when commits pause. It moves the log's pages into the main file, so that a copy of that file has the data, and
 * updates the side file. Under lasting load it writes the side file at least every ten seconds, and `log-passes.ts` moves
 * the log.
 */
import type { Timer, Timers } from '../ports.ts';
import type { Damage } from './damage.ts';
import type { Db } from './database.ts';
import { lastIds, storeId } from './identity.ts';
import type { LogPasses } from './log-passes.ts';
import { type LastIds, readSideFile, type SideFile, writeSideFile } from './side-file.ts';

/** After this long without a commit, the store is idle. */
const IDLE_MS = 1_000;
/** After this many checks without a pause, the side file is written anyway. */
const LOOKS = 10;

export class Upkeep {
  readonly #workspace: string;
  readonly #db: Db;
  readonly #timers: Timers;
  readonly #damage: Damage;
  readonly #passes: LogPasses;
  #timer: Timer | null = null;
  #commits = 0;
  #seen = 0;
  #looks = 0;
  #written: SideFile | null;

  constructor(workspace: string, db: Db, timers: Timers, damage: Damage, passes: LogPasses) {
    this.#workspace = workspace;
    this.#db = db;
    this.#timers = timers;
    this.#damage = damage;
    this.#passes = passes;
    this.#written = readSideFile(workspace);
    this.note();
  }

  /** Called after each commit. */
  committed(): void {
    this.#commits += 1;
    if (this.#timer === null) this.#plan();
  }

  /** Called before the store closes. */
  stop(): void {
    this.#timer?.cancel();
    this.#checkpoint();
    this.note();
  }

  #plan(): void {
    this.#seen = this.#commits;
    this.#timer = this.#timers.after(IDLE_MS, () => this.#rest());
  }

  #rest(): void {
    this.#timer = null;
    const isIdle = this.#seen === this.#commits && !this.#passes.isPassing;
    this.#looks += 1;
    if (isIdle) this.#checkpoint();
    else this.#passes.look();
    if (isIdle || this.#looks >= LOOKS) this.note();
    if (!isIdle) this.#plan();
  }

  /** Never waits for another program that reads the file. It tries again at the next pause. */
  #checkpoint(): void {
    try {
      const timeout = this.#db.pragma('busy_timeout', { simple: true }) as number;
      this.#db.pragma('busy_timeout = 0');
      try {
        this.#db.pragma('wal_checkpoint(TRUNCATE)');
      } finally {
        this.#db.pragma(`busy_timeout = ${timeout}`);
      }
    } catch {
      // The disk is full: the log stays, and nothing is lost.
    }
  }

  /** When the side file cannot be written it lags behind, which is harmless. */
  note(): void {
    this.#looks = 0;
    try {
      const { at } = this.#damage;
      const last = this.#lastIds();
      const store = storeId(this.#db);
      if (store === null || last === null) return;
      const side: SideFile = { store, ...last, ...(at !== null && { damagedAt: at }) };
      if (JSON.stringify(side) === JSON.stringify(this.#written)) return;
      writeSideFile(this.#workspace, side);
      this.#written = side;
    } catch {}
  }

  /** When the ids cannot be read, keeps the earlier ones. */
  #lastIds(): LastIds | null {
    return this.#damage.around(() => lastIds(this.#db), this.#written);
  }
}
