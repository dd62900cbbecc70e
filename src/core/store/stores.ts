/** The locked workspace folder, its open store, and one module per family of tables. */
import Database from 'better-sqlite3';
import type { Clock, Logger, Sealer, Timers } from '../ports.ts';
import { dueTimesAreSound } from './check.ts';
import { Damage } from './damage.ts';
import { type Db, lockWorkspace, type OpenStoreOptions, openStore, prepareFolder, startError } from './database.ts';
import { type DeliveryStores, deliveryStores } from './deliveries.ts';
import { SqliteDetails } from './details.ts';
import { SqliteHeld } from './held.ts';
import { SqliteIngest } from './ingest.ts';
import { SqliteLists } from './lists.ts';
import { SqliteMetrics } from './metrics.ts';
import type { Writer } from './ports/changes.ts';
import type { DetailStore } from './ports/details.ts';
import type { HeldStore, IngestStore } from './ports/ingest.ts';
import type { ListStore } from './ports/lists.ts';
import type { MetricsStore } from './ports/metrics.ts';
import type { ReceiverStore } from './ports/receivers.ts';
import type { RetentionStore } from './ports/retention.ts';
import type { SourceEventStore } from './ports/source-events.ts';
import type { WorkspaceStore } from './ports/workspace.ts';
import { SqliteReceivers } from './receivers.ts';
import { SqliteRetention } from './retention.ts';
import { isScrubDue } from './scrub.ts';
import { readSideFile } from './side-file.ts';
import { SqliteSourceEvents } from './source-events.ts';
import { Upkeep } from './upkeep.ts';
import { SqliteWorkspace } from './workspace.ts';
import { GroupWriter, type WriterEvents } from './writer.ts';

export interface StoresDeps {
  readonly clock: Pick<Clock, 'wall'>;
  readonly timers: Timers;
  readonly sealer: Sealer;
  readonly logger: Logger;
}

export class Stores {
  readonly #committedListeners: Array<WriterEvents['committed']> = [];
  readonly #writableListeners: Array<WriterEvents['writable']> = [];
  readonly #damagedListeners: Array<() => void> = [];
  readonly #lock: { release(): void };
  readonly #db: Db;
  readonly #upkeep: Upkeep;
  readonly damage: Damage;
  readonly writer: Writer;
  readonly lists: ListStore;
  readonly details: DetailStore;
  readonly deliveries: DeliveryStores;
  readonly ingest: IngestStore;
  readonly held: HeldStore;
  readonly workspace: WorkspaceStore;
  readonly metrics: MetricsStore;
  readonly retention: RetentionStore;
  readonly sourceEvents: SourceEventStore;

  /** Throws a StoreOpenError; then nothing is held. */
  constructor(folder: string, { clock, timers, sealer, logger }: StoresDeps, options: OpenStoreOptions = {}) {
    prepareFolder(folder);
    this.#lock = lockWorkspace(folder);
    const known = options.accept === true ? null : (readSideFile(folder)?.damagedAt ?? null);
    let db: Db | undefined;
    try {
      db = openStore(folder, options);
      this.#db = db;
      this.damage = new Damage({ clock, logger, changed: () => this.#damaged() }, known);
      const workspace = new SqliteWorkspace(db, sealer);
      this.workspace = workspace;
      this.lists = new SqliteLists(db, this.damage);
      this.details = new SqliteDetails(db, this.damage);
      readEssentials(db, workspace);
      this.deliveries = deliveryStores(db, (job, rows) => this.writer.write(job, rows), this.damage);
      this.#upkeep = new Upkeep(folder, db, timers, this.damage);
      if (!dueTimesAreSound(db, this.damage)) this.deliveries.recovery.distrustDueTimes();
    } catch (error) {
      db?.close();
      this.#lock.release();
      throw startError(folder, error);
    }
    this.writer = new GroupWriter(db, timers, {
      committed: (changes) => {
        this.#upkeep.committed();
        for (const listener of this.#committedListeners) listener(changes);
      },
      writable: (writable) => {
        for (const listener of this.#writableListeners) listener(writable);
      },
      damaged: (what) => this.damage.found(what),
    });
    this.ingest = new SqliteIngest(db, this.writer, this.damage);
    this.held = new SqliteHeld(db, this.damage);
    this.metrics = new SqliteMetrics(db, this.damage);
    this.retention = new SqliteRetention(db);
    this.sourceEvents = new SqliteSourceEvents(db);
  }

  /** True when secrets of an earlier version may still be in free parts of the files. */
  get unscrubbed(): boolean {
    return isScrubDue(this.#db);
  }

  /** `listener` runs after each commit, before the promises of its jobs resolve; in the order of joining. */
  onCommitted(listener: WriterEvents['committed']): void {
    this.#committedListeners.push(listener);
  }

  /** `listener` runs when writing stops or starts to work. */
  onWritable(listener: WriterEvents['writable']): void {
    this.#writableListeners.push(listener);
  }

  /** `listener` runs when the store is found to be damaged. */
  onDamaged(listener: () => void): void {
    this.#damagedListeners.push(listener);
  }

  /** Recorded for the next start. */
  #damaged(): void {
    this.#upkeep?.note();
    for (const listener of this.#damagedListeners) listener();
  }

  /** Receivers with programs of steps `S`. */
  receivers<S>(): ReceiverStore<S> {
    return new SqliteReceivers<S>(this.#db, this.damage);
  }

  /** Commits all requested writes, closes the store and unlocks the folder. */
  close(): void {
    this.writer.flush();
    this.#upkeep.stop();
    this.#db.close();
    this.#lock.release();
  }
}

/** Nothing can run without these, so damage here ends the start. */
function readEssentials(db: Db, workspace: SqliteWorkspace): void {
  for (const table of ['sources', 'webhooks', 'settings', 'secrets', 'counters']) {
    const found = db.pragma(`integrity_check(${table})`, { simple: true }) as string;
    if (found !== 'ok') throw new Database.SqliteError(found, 'SQLITE_CORRUPT');
  }
  workspace.check();
}
