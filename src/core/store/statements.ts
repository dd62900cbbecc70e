/**
 * Statements with named parameters, and the base classes of readers and writers. A module of the store extends one of
 * the two and keeps each statement beside the method that runs it.
 */
import type { RunResult } from 'better-sqlite3';
import type { Db } from './database.ts';
import { BulkCommand, SharedCommand } from './many-rows.ts';
import type { Changes } from './ports/changes.ts';
import { Prepared, type ReadDb } from './prepared.ts';

/** Nothing for a statement without parameters. */
type Given<P> = P extends undefined ? [] : [params: P];

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

  /**
   * `sql` is given the rows as VALUES or SELECT with the values of `names` in their order, as `column1`, `column2` and so
   * on. Rows mostly agree in the columns `common`.
   */
  protected bulk<P extends object>(
    names: ReadonlyArray<keyof P & string>,
    sql: (rows: string) => string,
    common: ReadonlyArray<keyof P & string> = [],
  ): BulkCommand<P> {
    return new BulkCommand(this.#db, names, sql, common);
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
