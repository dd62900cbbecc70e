/**
 * What the store needs once its commits pause: the log's pages go into the main file, so that whoever copies or keeps
 * that file has the data, and the side file says how far it is. Under load that lasts, the side file is written at
 * least every ten seconds, and SQLite itself moves the log at 40 MB.
 */
import type { Timer, Timers } from '../ports.ts';
import type { Damage } from './damage.ts';
import type { Db } from './database.ts';
import { lastIds, storeId } from './identity.ts';
import { type LastIds, readSideFile, type SideFile, writeSideFile } from './side-file.ts';

/** Without a commit for so long, the store is idle. */
const IDLE_MS = 1_000;
/** So many looks that found no pause, and the side file is written all the same. */
const LOOKS = 10;

export class Upkeep {
  readonly #workspace: string;
  readonly #db: Db;
  readonly #timers: Timers;
  readonly #damage: Damage;
  #timer: Timer | null = null;
  #commits = 0;
  #seen = 0;
  #looks = 0;
  #written: SideFile | null;

  constructor(workspace: string, db: Db, timers: Timers, damage: Damage) {
    this.#workspace = workspace;
    this.#db = db;
    this.#timers = timers;
    this.#damage = damage;
    this.#written = readSideFile(workspace);
    this.note();
  }

  /** Hears of each commit. */
  committed(): void {
    this.#commits += 1;
    if (this.#timer === null) this.#plan();
  }

  /** The store is to be closed. */
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
    const isIdle = this.#seen === this.#commits;
    this.#looks += 1;
    if (isIdle) this.#checkpoint();
    if (isIdle || this.#looks >= LOOKS) this.note();
    if (!isIdle) this.#plan();
  }

  /** Never waits for another program that reads the file: the next pause comes. */
  #checkpoint(): void {
    try {
      const timeout = this.#db.pragma('busy_timeout', { simple: true }) as number;
      this.#db.pragma('busy_timeout = 0');
      this.#db.pragma('wal_checkpoint(TRUNCATE)');
      this.#db.pragma(`busy_timeout = ${timeout}`);
    } catch {
      // A disk that is full: the log stays, and nothing of it is lost.
    }
  }

  /** A side file that cannot be written lags behind, as it may. */
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

  /** What cannot be read is as far as it was. */
  #lastIds(): LastIds | null {
    return this.#damage.around(() => lastIds(this.#db), this.#written);
  }
}
