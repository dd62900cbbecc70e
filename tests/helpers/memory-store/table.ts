/** Rows in memory, with rollback of a transaction's writes. */

/** Undo functions for each write since the transaction began, newest last. */
export class Journal {
  readonly #undo: Array<() => void> = [];

  wrote(undo: () => void): void {
    this.#undo.push(undo);
  }

  commit(): void {
    this.#undo.length = 0;
  }

  rollBack(): void {
    while (this.#undo.length > 0) this.#undo.pop()!();
  }
}

export class Table<R> {
  readonly #journal: Journal;
  readonly #rows = new Map<number | string, R>();
  #lastId = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The next row id. A committed id is never reused. */
  nextId(): number {
    const id = this.#lastId + 1;
    this.#atLeast(id);
    return id;
  }

  #atLeast(id: number): void {
    const before = this.#lastId;
    this.#lastId = Math.max(before, id);
    this.#journal.wrote(() => {
      this.#lastId = before;
    });
  }

  get(key: number | string): R | undefined {
    return this.#rows.get(key);
  }

  set(key: number | string, row: R): void {
    this.#restoreOnUndo(key);
    this.#rows.set(key, row);
    if (typeof key === 'number') this.#atLeast(key);
  }

  /** The row as it is after the change; undefined when there is none. */
  update(key: number | string, change: Partial<R>): R | undefined {
    const row = this.#rows.get(key);
    if (row === undefined) return undefined;
    const changed = { ...row, ...change };
    this.set(key, changed);
    return changed;
  }

  /** False when there was none. */
  delete(key: number | string): boolean {
    this.#restoreOnUndo(key);
    return this.#rows.delete(key);
  }

  /** By key, ascending. */
  all(): R[] {
    return this.entries().map(([, row]) => row);
  }

  entries(): Array<[key: number | string, row: R]> {
    return [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  where(test: (row: R) => boolean): R[] {
    return this.all().filter(test);
  }

  #restoreOnUndo(key: number | string): void {
    const before = this.#rows.get(key);
    this.#journal.wrote(() => {
      if (before === undefined) this.#rows.delete(key);
      else this.#rows.set(key, before);
    });
  }
}
