/** The locked workspace folder and its open store. */
import Database from 'better-sqlite3';
import { dueTimesAreSound } from './check.ts';
import { isAsLeft, noteAsLeft } from './clean-stop.ts';
import { Damage } from './damage.ts';
import { type Db, lockWorkspace, openStore, prepareFolder, startError, storePath } from './database.ts';
import { StoreListeners } from './listeners.ts';
import { LogPasses } from './log-passes.ts';
import type { SearchStores } from './ports/search.ts';
import type { OpenStore, Store, StoreEvents, StoreNeeds, StorePorts } from './ports/store.ts';
import type { UserCallStore } from './ports/user-calls.ts';
import { isScrubDue } from './scrub.ts';
import { deleteSearchFile, openSearch } from './search-file.ts';
import { readSideFile } from './side-file.ts';
import { sqlitePorts } from './sqlite-ports.ts';
import { Upkeep } from './upkeep.ts';
import { openUserCalls } from './user-calls.ts';
import type { SqliteWorkspace } from './workspace.ts';
import { GroupWriter } from './writer.ts';

export class Stores implements Store {
  readonly #listeners = new StoreListeners();
  readonly #workspace: string;
  readonly #lock: { release(): void };
  readonly #db: Db;
  readonly #passes: LogPasses;
  readonly #upkeep: Upkeep;
  readonly damage: Damage;
  readonly ports: StorePorts;

  /** Throws a StoreOpenError; then nothing is held. */
  constructor(needs: StoreNeeds) {
    const { workspace, accept = false, clock, timers, sealer, logger, receivedCalls, openCheckpointer } = needs;
    this.#workspace = workspace;
    prepareFolder(workspace);
    this.#lock = lockWorkspace(workspace);
    const known = accept ? null : (readSideFile(workspace)?.damagedAt ?? null);
    const needsNoCheck = isAsLeft(workspace, storePath(workspace));
    let db: Db | undefined;
    try {
      db = openStore(workspace, { accept });
      this.#db = db;
      this.damage = new Damage({ clock, logger, changed: () => this.#damaged() }, known);
      const writer = new GroupWriter(db, timers, {
        committed: (changes) => {
          this.#upkeep.committed();
          this.#listeners.committed(changes);
        },
        writable: (writable) => this.#listeners.writable(writable),
        damaged: (what) => this.damage.found(what),
      });
      const ports = sqlitePorts(db, { writer, sealer, receivedCalls, damage: this.damage });
      this.ports = ports;
      readEssentials(db, ports.workspace);
      this.#passes = new LogPasses(db, openCheckpointer);
      this.#upkeep = new Upkeep(workspace, db, timers, this.damage, this.#passes);
      if (!needsNoCheck && !dueTimesAreSound(db, this.damage)) ports.recovery.distrustDueTimes();
    } catch (error) {
      db?.close();
      this.#lock.release();
      throw startError(workspace, error);
    }
  }

  get unscrubbed(): boolean {
    return isScrubDue(this.#db);
  }

  onCommitted(listener: StoreEvents['committed']): void {
    this.#listeners.onCommitted(listener);
  }

  onWritable(listener: StoreEvents['writable']): void {
    this.#listeners.onWritable(listener);
  }

  onDamaged(listener: () => void): void {
    this.#listeners.onDamaged(listener);
  }

  openUserCalls(): UserCallStore {
    return openUserCalls(this.#workspace);
  }

  openSearch(): SearchStores {
    return openSearch(this.#workspace);
  }

  deleteSearch(): void {
    deleteSearchFile(this.#workspace);
  }

  /** Recorded for the next start. */
  #damaged(): void {
    this.#upkeep?.note();
    this.#listeners.damaged();
  }

  endThreads(): Promise<void> {
    return this.#passes.stop();
  }

  /** Also unlocks the folder. */
  close(): void {
    this.ports.writer.flush();
    this.#upkeep.stop();
    this.#db.close();
    noteAsLeft(this.#workspace, storePath(this.#workspace));
    this.#lock.release();
  }
}

/** Opens the store of a workspace folder, and locks the folder. */
export const openStores: OpenStore = (needs) => new Stores(needs);

/** Nothing can run without these, so damage here ends the start. */
function readEssentials(db: Db, workspace: SqliteWorkspace): void {
  for (const table of ['sources', 'webhooks', 'settings', 'secrets', 'counters']) {
    const found = db.pragma(`integrity_check(${table})`, { simple: true }) as string;
    if (found !== 'ok') throw new Database.SqliteError(found, 'SQLITE_CORRUPT');
  }
  workspace.check();
}
