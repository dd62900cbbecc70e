/** The workspace's folder taken, its store opened, and one module for each family of tables. */
import type { Sealer, Timers } from '../ports.ts';
import { type Db, lockWorkspace, openStore, prepareFolder } from './database.ts';
import { DeliveryStore } from './deliveries.ts';
import { ListStore } from './lists.ts';
import { MessageRows } from './message-rows.ts';
import { MetricsStore } from './metrics.ts';
import { PurgeStore } from './purge.ts';
import { ReceiverStore } from './receivers.ts';
import { RequestStore } from './requests.ts';
import { WorkspaceStore } from './workspace.ts';
import { GroupWriter, type WriterEvents } from './writer.ts';

export class Stores {
  readonly #lock: { release(): void };
  readonly #db: Db;
  readonly writer: GroupWriter;
  readonly lists: ListStore;
  readonly deliveries: DeliveryStore;
  readonly requests: RequestStore;
  readonly workspace: WorkspaceStore;
  readonly metrics: MetricsStore;
  readonly purge: PurgeStore;
  readonly messageRows: MessageRows;

  /** Throws a StoreOpenError; then nothing is held. */
  constructor(folder: string, timers: Timers, sealer: Sealer, events: WriterEvents) {
    prepareFolder(folder);
    this.#lock = lockWorkspace(folder);
    try {
      this.#db = openStore(folder);
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    const db = this.#db;
    this.writer = new GroupWriter(db, timers, events);
    this.lists = new ListStore(db);
    this.deliveries = new DeliveryStore(db);
    this.requests = new RequestStore(db, this.writer);
    this.workspace = new WorkspaceStore(db, sealer);
    this.metrics = new MetricsStore(db);
    this.purge = new PurgeStore(db);
    this.messageRows = new MessageRows(db);
  }

  /** Receivers with programs of steps `S`. */
  receivers<S>(): ReceiverStore<S> {
    return new ReceiverStore<S>(this.#db);
  }

  /** Commits what is asked for, closes the store and lets the folder go. */
  close(): void {
    this.writer.flush();
    this.#db.close();
    this.#lock.release();
  }
}
