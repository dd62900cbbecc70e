/**
 * Statements with named parameters, and the base classes of readers and writers. A module of the store extends one of
 * the two and keeps each statement beside the method that runs it.
 */
import type { RunResult, Statement } from 'better-sqlite3';
import type { Db } from './database.ts';
import type { Changes } from './ports/changes.ts';

/** What a reader needs from a handle, which may be opened for reading only. */
export type ReadDb = Pick<Db, 'prepare'>;

/** Nothing for a statement without parameters. */
type Given<P> = P extends undefined ? [] : [params: P];

const atOnce = new WeakSet<ReadDb>();

/** From now on prepares each statement of this handle when it is made. Tests look at all of them, run or not. */
export function prepareAtOnce(db: ReadDb): void {
  atOnce.add(db);
}

/**
 * A statement and the names of its parameters in order. They are bound by position: inserting a message's 17 values takes
 * 3.6 µs when the driver looks each up by name, and 2.4 µs with the list made here. It is prepared when it first runs:
 * a store has 250 statements, and preparing all of them took 12 of the 20 ms in which it opened.
 */
class Prepared {
  readonly #db: ReadDb;
  readonly #sql: string;
  readonly #names: string[] = [];
  readonly #isColumn: boolean;
  #statement: Statement<unknown[]> | null = null;

  /** `isColumn` makes each row the value of its first column. */
  constructor(db: ReadDb, sql: string, isColumn = false) {
    this.#db = db;
    this.#sql = sql.replace(/@(\w+)/g, (_, name: string) => {
      this.#names.push(name);
      return '?';
    });
    this.#isColumn = isColumn;
    if (atOnce.has(db)) this.#statement = this.#prepare();
  }

  get statement(): Statement<unknown[]> {
    this.#statement ??= this.#prepare();
    return this.#statement;
  }

  #prepare(): Statement<unknown[]> {
    const statement = this.#db.prepare(this.#sql);
    return this.#isColumn ? statement.pluck() : statement;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  valuesOf(given: [params?: object | undefined]): unknown[] {
    const params = given[0] as Readonly<Record<string, unknown>>;
    // A loop: with `map` a stored call costs 1 µs more of some 18.
    const values = new Array<unknown>(this.#names.length);
    for (let i = 0; i < values.length; i++) values[i] = params[this.#names[i]!];
    return values;
  }
}

/** A statement that reads rows `R`. */
export class Query<P extends object | undefined, R> {
  readonly #prepared: Prepared;

  constructor(prepared: Prepared) {
    this.#prepared = prepared;
  }

  get(...given: Given<P>): R | undefined {
    return this.#prepared.statement.get(...this.#prepared.valuesOf(given)) as R | undefined;
  }

  all(...given: Given<P>): R[] {
    return this.#prepared.statement.all(...this.#prepared.valuesOf(given)) as R[];
  }
}

/**
 * A statement that writes. It runs only inside a writer's transaction, because it requires that transaction's {@link
 * Changes}.
 */
export class Command<P extends object | undefined, R = never> {
  readonly #prepared: Prepared;

  constructor(prepared: Prepared) {
    this.#prepared = prepared;
  }

  run(_changes: Changes, ...given: Given<P>): RunResult {
    return this.#prepared.statement.run(...this.#prepared.valuesOf(given));
  }

  /** The rows that it returns. */
  all(_changes: Changes, ...given: Given<P>): R[] {
    return this.#prepared.statement.all(...this.#prepared.valuesOf(given)) as R[];
  }
}

/** A statement for many rows takes up to so many. Each number of them has a statement of its own. */
const MOST_ROWS = 32;

/**
 * A statement that writes many rows at once. To run a statement costs almost 1 µs before it does anything: eight rows
 * like those of attempts took 3.8 µs each with one statement, and 4.7 with eight.
 */
export class BulkCommand<P extends object> {
  readonly #db: Db;
  readonly #names: ReadonlyArray<keyof P & string>;
  readonly #sql: (rows: string) => string;
  readonly #prepared = new Map<number, Statement<unknown[]>>();

  constructor(db: Db, names: ReadonlyArray<keyof P & string>, sql: (rows: string) => string) {
    this.#db = db;
    this.#names = names;
    this.#sql = sql;
    if (atOnce.has(db)) this.#statement(1);
  }

  /** Returns the row ids that an INSERT of rows without ids gave them. Those of one statement follow each other. */
  run(_changes: Changes, rows: readonly P[]): number[] {
    const ids: number[] = [];
    while (ids.length < rows.length) {
      const length = Math.min(MOST_ROWS, rows.length - ids.length);
      const { lastInsertRowid } = this.#statement(length).run(...this.#values(rows, ids.length, length));
      for (let before = length - 1; before >= 0; before--) ids.push(Number(lastInsertRowid) - before);
    }
    return ids;
  }

  #values(rows: readonly P[], from: number, length: number): unknown[] {
    const values: unknown[] = [];
    for (let row = from; row < from + length; row++) for (const name of this.#names) values.push(rows[row]![name]);
    return values;
  }

  #statement(length: number): Statement<unknown[]> {
    let statement = this.#prepared.get(length);
    if (statement === undefined) {
      const row = `(${this.#names.map(() => '?').join(', ')})`;
      statement = this.#db.prepare(this.#sql(new Array(length).fill(row).join(', ')));
      this.#prepared.set(length, statement);
    }
    return statement;
  }
}

/** A statement that gives many rows the same values `P`, by their row ids. */
export class SharedCommand<P extends object> {
  readonly #db: Db;
  readonly #sql: string;
  readonly #prepared = new Map<number, Prepared>();

  constructor(db: Db, sql: string) {
    this.#db = db;
    this.#sql = sql;
    if (atOnce.has(db)) this.#for(1);
  }

  /** How many rows it found. */
  run(_changes: Changes, values: P, ids: readonly number[]): number {
    let found = 0;
    for (let from = 0; from < ids.length; from += MOST_ROWS) {
      const some = ids.slice(from, from + MOST_ROWS);
      const prepared = this.#for(some.length);
      found += prepared.statement.run(...prepared.valuesOf([values]), ...some).changes;
    }
    return found;
  }

  /** Whether it would write the same, whatever else is in the two. */
  writesTheSame(values: P, others: P): boolean {
    return this.#for(1).names.every((name) => values[name as keyof P] === others[name as keyof P]);
  }

  #for(length: number): Prepared {
    let prepared = this.#prepared.get(length);
    if (prepared === undefined) {
      const ids = new Array(length).fill('?').join(', ');
      prepared = new Prepared(this.#db, `${this.#sql} AND id IN (${ids})`);
      this.#prepared.set(length, prepared);
    }
    return prepared;
  }
}

/** A module that reads. */
export class Reads {
  readonly #db: ReadDb;

  constructor(db: ReadDb) {
    this.#db = db;
  }

  /** Rows `R` for parameters `P`, written `@name` in `sql`. */
  protected query<P extends object | undefined, R>(sql: string): Query<P, R> {
    return new Query(new Prepared(this.#db, sql));
  }

  /** The values `V` of the one column. */
  protected column<P extends object | undefined, V>(sql: string): Query<P, V> {
    return new Query(new Prepared(this.#db, sql, true));
  }
}

/** A module that writes too. */
export class Writes extends Reads {
  readonly #db: Db;

  constructor(db: Db) {
    super(db);
    this.#db = db;
  }

  /** `R` are the rows of its RETURNING. */
  protected command<P extends object | undefined, R = never>(sql: string): Command<P, R> {
    return new Command(new Prepared(this.#db, sql));
  }

  /** `sql` is given the rows as SQL writes them: `(?, ?), (?, ?)`, each with the values of `names` in their order. */
  protected bulk<P extends object>(
    names: ReadonlyArray<keyof P & string>,
    sql: (rows: string) => string,
  ): BulkCommand<P> {
    return new BulkCommand(this.#db, names, sql);
  }

  /** `sql` ends with a condition, to which the row ids are added. */
  protected shared<P extends object>(sql: string): SharedCommand<P> {
    return new SharedCommand(this.#db, sql);
  }
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The names of columns, separated by commas, of `table` where it is given. */
export const columnList = (names: readonly string[], table?: string): string =>
  names.map((name) => `${table === undefined ? '' : `${table}.`}${snake(name)}`).join(', ');

/** Columns under the names of the model: `message_id AS messageId, …`, of `table` where it is given. */
export const columns = (names: readonly string[], table?: string): string =>
  names.map((name) => `${table === undefined ? '' : `${table}.`}${snake(name)} AS ${name}`).join(', ');

/** `INSERT INTO table (message_id, …) VALUES (@messageId, …)`. */
export const insertInto = (table: string, names: readonly string[]): string =>
  `INSERT INTO ${table} (${columnList(names)}) VALUES (${names.map((name) => `@${name}`).join(', ')})`;

/** As {@link insertInto}, but replaces the other columns of a row with the same `keys`. */
export function replaceInto(table: string, keys: readonly string[], names: readonly string[]): string {
  const others = names.filter((name) => !keys.includes(name)).map(snake);
  return `${insertInto(table, names)} ON CONFLICT (${keys.map(snake).join(', ')})
    DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}
