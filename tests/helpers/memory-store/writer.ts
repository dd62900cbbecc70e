/** Transactions in memory. All writes requested in one turn of the event loop make one transaction. */
import type { Timers } from '../../../src/core/ports.ts';
import { Changes, type Writer } from '../../../src/core/store/ports/changes.ts';
import type { Journal } from './table.ts';

interface Job {
  run(changes: Changes): void;
  resolve(): void;
  reject(error: unknown): void;
}

export class MemoryWriter implements Writer {
  readonly writable = true;
  readonly #journal: Journal;
  readonly #timers: Pick<Timers, 'soon'>;
  readonly #committed: (changes: Changes) => void;
  #jobs: Job[] = [];

  constructor(journal: Journal, timers: Pick<Timers, 'soon'>, committed: (changes: Changes) => void) {
    this.#journal = journal;
    this.#timers = timers;
    this.#committed = committed;
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
      for (const job of jobs) job.run(changes);
    } catch (error) {
      this.#journal.rollBack();
      if (jobs.length === 1) return jobs[0]!.reject(error);
      for (const job of jobs) this.#transact([job]);
      return;
    }
    this.#journal.commit();
    this.#committed(changes);
    for (const job of jobs) job.resolve();
  }
}
