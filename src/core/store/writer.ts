/**
 * The only writer. All writes requested in one turn of the event loop make one transaction, so that `synchronous=FULL`
 * costs one sync for all of them. A promise resolves after its commit.
 */
import Database from 'better-sqlite3';
import { failpoint } from '../failpoint.ts';
import { StoreDamagedError, StoreNotWritableError, type Timers } from '../ports.ts';
import { isDamage } from './damage.ts';
import type { Db } from './database.ts';
import { Changes, type Writer } from './ports/changes.ts';
import type { StoreEvents } from './ports/store.ts';

/** Above this many rows a new transaction begins, so that a commit stays short. */
const MAX_ROWS = 1000;

/** Writes all that was requested with it in one transaction, and gives a result for each of `all`, in their order. */
export interface Together<T, R> {
  run(all: readonly T[], changes: Changes): readonly R[];
}

interface Job<T = unknown, R = unknown> {
  readonly rows: number;
  readonly together: Together<T, R>;
  take(): T;
  keep(result: R): void;
  resolve(): void;
  reject(error: unknown): void;
}

const isUnwritable = (error: unknown): boolean =>
  error instanceof Database.SqliteError &&
  /^SQLITE_(FULL|IOERR|READONLY|BUSY|LOCKED|NOTADB|CANTOPEN|NOMEM)/.test(error.code);

export interface WriterEvents extends StoreEvents {
  /** Called when a damaged page is found. */
  damaged?(what: string): void;
}

export class GroupWriter implements Writer {
  readonly #db: Db;
  readonly #timers: Timers;
  readonly #events: WriterEvents;
  readonly #count: Database.Statement<[number, string]>;
  readonly #begin: Database.Statement<[]>;
  readonly #end: Database.Statement<[]>;
  readonly #total: Database.Statement<[]>;
  #queue: Job[] = [];
  #scheduled = false;
  #writable = true;

  constructor(db: Db, timers: Timers, events: WriterEvents) {
    this.#db = db;
    this.#timers = timers;
    this.#events = events;
    this.#count = db.prepare('UPDATE counters SET n = n + ? WHERE state = ?');
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#end = db.prepare('COMMIT');
    this.#total = db.prepare('SELECT total_changes()').pluck();
  }

  get writable(): boolean {
    return this.#writable;
  }

  write<T>(job: (changes: Changes) => T, rows = 1): Promise<T> {
    return this.writeTogether({ run: (_, changes) => [job(changes)] }, () => undefined, rows);
  }

  /**
   * As {@link write}, but one run writes everything that was requested with `together` for a transaction, in the place
   * of the first. `take` gives the part of this request. It is called in the transaction, and again when that is
   * repeated.
   */
  writeTogether<T, R>(together: Together<T, R>, take: () => T, rows: number): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      let result: R;
      const keep = (given: R): void => {
        result = given;
      };
      this.#request({ rows, together, take, keep, resolve: () => resolve(result), reject });
    });
  }

  #request<T, R>(job: Job<T, R>): void {
    this.#queue.push(job);
    if (!this.#scheduled) this.#schedule();
  }

  flush(): void {
    while (this.#queue.length > 0) this.#flushGroup(this.#take());
  }

  #schedule(): void {
    this.#scheduled = true;
    this.#timers.soon(() => {
      this.#scheduled = false;
      this.#flushGroup(this.#take());
      if (this.#queue.length > 0 && !this.#scheduled) this.#schedule();
    });
  }

  #take(): Job[] {
    let rows = 0;
    let n = 0;
    while (n < this.#queue.length && rows < MAX_ROWS) {
      rows += this.#queue[n]!.rows;
      n++;
    }
    const group = this.#queue.slice(0, n);
    this.#queue = this.#queue.slice(n);
    return group;
  }

  /** A job that throws undoes the whole transaction. Then each job runs in its own, so that only the culprit fails. */
  #flushGroup(group: readonly Job[]): void {
    if (group.length === 0) return;
    let changes: Changes;
    try {
      changes = this.#commit(group);
    } catch (error) {
      if (isUnwritable(error)) return this.#failAll(group, error);
      if (group.length === 1) return this.#failOne(group[0]!, error);
      for (const job of group) this.#flushGroup([job]);
      return;
    }
    // A committed job never runs again, whatever a listener does.
    try {
      this.#events.committed(changes);
    } finally {
      for (const job of group) job.resolve();
    }
  }

  #commit(group: readonly Job[]): Changes {
    const before = this.#writable ? 0 : (this.#total.get() as number);
    const changes = new Changes();
    this.#begin.run();
    try {
      for (const [together, jobs] of Map.groupBy(group, (job) => job.together)) runTogether(together, jobs, changes);
      this.#countMoves(changes);
      failpoint('before_commit');
      this.#end.run();
      failpoint('after_commit');
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
    // An empty transaction would succeed even on a full disk.
    if (!this.#writable && this.#total.get() !== before) this.#setWritable(true);
    return changes;
  }

  /** The only check of states: a state without a row in `counters` undoes the transaction. */
  #countMoves({ counts }: Changes): void {
    for (const [state, by] of counts)
      if (by !== 0 && this.#count.run(by, state).changes === 0) throw new Error(`There is no state ${state}.`);
  }

  #failOne(job: Job, error: unknown): void {
    if (!isDamage(error)) return job.reject(error);
    const { message } = error as Error;
    this.#events.damaged?.(message);
    job.reject(new StoreDamagedError(message, { cause: error }));
  }

  #failAll(group: readonly Job[], cause: unknown): void {
    this.#setWritable(false);
    const error = new StoreNotWritableError((cause as Error).message, { cause });
    for (const job of group) job.reject(error);
  }

  #setWritable(writable: boolean): void {
    if (writable === this.#writable) return;
    this.#writable = writable;
    this.#events.writable(writable);
  }
}

function runTogether(together: Together<unknown, unknown>, jobs: readonly Job[], changes: Changes): void {
  const results = together.run(
    jobs.map((job) => job.take()),
    changes,
  );
  for (const [i, job] of jobs.entries()) job.keep(results[i]);
}
