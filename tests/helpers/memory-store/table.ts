/** Rows in memory, with rollback of a transaction's writes. */

/** Undo functions for each write since the transaction began, newest last. */
export class Journal {
  readonly #undo: Array<() => void> = [];
  #written: () => void = () => {};

  /** True when nothing is written that is not committed. */
  get isClean(): boolean {
    return this.#undo.length === 0;
  }

  wrote(undo: () => void): void {
    this.#undo.push(undo);
    this.#written();
  }

  /** Calls `written` after each write inside `run`. */
  watch(written: () => void, run: () => void): void {
    this.#written = written;
    try {
      run();
    } finally {
      this.#written = () => {};
    }
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
  #lastKey: number | string | null = null;
  /** True while the keys of the map ascend, as they do when every row is new. */
  #isOrdered = true;

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
    if (id <= before) return;
    this.#lastId = id;
    this.#journal.wrote(() => {
      this.#lastId = before;
    });
  }

  get(key: number | string): R | undefined {
    return this.#rows.get(key);
  }

  set(key: number | string, row: R): void {
    const before = this.#rows.get(key);
    this.#put(key, row);
    this.#wrote(key, before);
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
    const before = this.#rows.get(key);
    if (before === undefined) return false;
    this.#rows.delete(key);
    this.#wrote(key, before);
    return true;
  }

  /** By key, ascending. */
  all(): R[] {
    this.#order();
    return [...this.#rows.values()];
  }

  entries(): Array<[key: number | string, row: R]> {
    this.#order();
    return [...this.#rows];
  }

  where(test: (row: R) => boolean): R[] {
    return this.all().filter(test);
  }

  #put(key: number | string, row: R): void {
    if (!this.#rows.has(key)) {
      if (this.#lastKey !== null && key < this.#lastKey) this.#isOrdered = false;
      this.#lastKey = key;
    }
    this.#rows.set(key, row);
  }

  #order(): void {
    if (this.#isOrdered) return;
    const sorted = [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#rows.clear();
    for (const [key, row] of sorted) this.#rows.set(key, row);
    this.#lastKey = sorted.at(-1)?.[0] ?? null;
    this.#isOrdered = true;
  }

  #wrote(key: number | string, before: R | undefined): void {
    this.#journal.wrote(() => {
      if (before === undefined) this.#rows.delete(key);
      else this.#put(key, before);
    });
  }
}
