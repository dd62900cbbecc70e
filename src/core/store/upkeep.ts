/**
 * Upkeep when commits pause. It has the log's pages moved into the main file, so that a copy of that file has the data, and
 * updates the side file. Under lasting load it writes the side file at least every ten seconds. `log-passes.ts` moves a
 * long log.
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
    this.#emptyLog();
    this.note();
  }

  #plan(): void {
    this.#seen = this.#commits;
    this.#timer = this.#timers.after(IDLE_MS, () => this.#rest());
  }

  #rest(): void {
    this.#timer = null;
    this.#looks += 1;
    const isMoving = this.#passes.look();
    const isIdle = this.#seen === this.#commits && !isMoving;
    if (isIdle) this.#passes.move();
    if (isIdle || this.#looks >= LOOKS) this.note();
    if (!isIdle) this.#plan();
  }

  /** Moves the log and empties its file. Never waits for another program that reads it. */
  #emptyLog(): void {
    try {
      this.#db.pragma('busy_timeout = 0');
      this.#db.pragma('wal_checkpoint(TRUNCATE)');
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
