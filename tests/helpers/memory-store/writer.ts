/** Transactions in memory. All writes requested in one turn of the event loop make one transaction. */
import { StoreNotWritableError, type Timers } from '../../../src/core/ports.ts';
import { Changes, type Writer } from '../../../src/core/store/ports/changes.ts';
import type { StoreEvents } from '../../../src/core/store/ports/store.ts';
import type { Journal } from './table.ts';

interface Job {
  run(changes: Changes): void;
  resolve(): void;
  reject(error: unknown): void;
}

export type WriterStep = 'begin' | 'write' | 'commit';

/** Stands between a writer and its tables. Both may throw; a `StoreNotWritableError` is what a full disk would be. */
export interface WriterGuard {
  before(step: WriterStep): void;
  after(step: WriterStep): void;
}

const FREE: WriterGuard = { before: () => {}, after: () => {} };

export class MemoryWriter implements Writer {
  readonly #journal: Journal;
  readonly #timers: Pick<Timers, 'soon'>;
  readonly #events: StoreEvents;
  readonly #guard: WriterGuard;
  #jobs: Job[] = [];
  #writable = true;

  constructor(journal: Journal, timers: Pick<Timers, 'soon'>, events: StoreEvents, guard: WriterGuard = FREE) {
    this.#journal = journal;
    this.#timers = timers;
    this.#events = events;
    this.#guard = guard;
  }

  get writable(): boolean {
    return this.#writable;
  }

  write<T>(job: (changes: Changes) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let value: T;
      const run = (changes: Changes): void => {
        value = job(changes);
      };
      this.#jobs.push({ run, resolve: () => resolve(value), reject });
      if (this.#jobs.length === 1) this.#timers.soon(() => this.flush());
    });
  }

  flush(): void {
    this.#transact(this.#jobs.splice(0));
  }

  /** When one of several jobs throws, each gets its own transaction. */
  #transact(jobs: readonly Job[]): void {
    if (jobs.length === 0) return;
    const changes = new Changes();
    try {
      this.#commit(jobs, changes);
    } catch (error) {
      this.#journal.rollBack();
      if (error instanceof StoreNotWritableError) return this.#failAll(jobs, error);
      if (jobs.length === 1) return jobs[0]!.reject(error);
      for (const job of jobs) this.#transact([job]);
      return;
    }
    try {
      this.#events.committed(changes);
    } finally {
      for (const job of jobs) job.resolve();
    }
  }

  #commit(jobs: readonly Job[], changes: Changes): void {
    const guard = this.#guard;
    guard.before('begin');
    const written = (): void => {
      guard.before('write');
      guard.after('write');
    };
    this.#journal.watch(written, () => {
      for (const job of jobs) job.run(changes);
    });
    guard.before('commit');
    this.#journal.commit();
    guard.after('commit');
    this.#setWritable(true);
  }

  #failAll(jobs: readonly Job[], error: StoreNotWritableError): void {
    this.#setWritable(false);
    for (const job of jobs) job.reject(error);
  }

  #setWritable(writable: boolean): void {
    if (writable === this.#writable) return;
    this.#writable = writable;
    this.#events.writable(writable);
  }
}
