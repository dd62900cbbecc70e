/**
 * Wraps better-sqlite3 for the engine. Every statement passes the guard of the process that opened the database. The
 * guard can make it fail, or end the process before or after it. The rest is the real SQLite on a file.
 */
import Database from 'better-sqlite3';
import type { StatementGuard, StatementKind } from './world-store.ts';

/** The databases of one process. */
export class OpenDatabases {
  readonly #open = new Set<Database.Database>();

  add(db: Database.Database): void {
    this.#open.add(db);
  }

  /** What the system does when the process has ended. */
  closeAll(): void {
    for (const db of this.#open) if (db.open) db.close();
    this.#open.clear();
  }
}

const GUARD = Symbol('guard');
const KIND = Symbol('kind');
interface Guarded {
  [GUARD]?: StatementGuard;
  [KIND]?: StatementKind;
}

let opening: { guard: StatementGuard; databases: OpenDatabases } | null = null;

/** Databases first used during `run` belong to the guard. */
export function guarded<T>(guard: StatementGuard, databases: OpenDatabases, run: () => T): T {
  patchOnce();
  opening = { guard, databases };
  try {
    return run();
  } finally {
    opening = null;
  }
}

/** SQLite's own error, as the driver throws it. */
export const sqliteError = (code: string): Error => new Database.SqliteError(`simulated ${code}`, code);

/** Rolls back where SQLite does so by itself after some errors. */
function rollBack(db: Database.Database): void {
  if (db.inTransaction) native.exec.call(db, 'ROLLBACK');
}

const { prepare, exec, pragma } = Database.prototype as unknown as Record<
  'prepare' | 'exec' | 'pragma',
  (this: unknown, ...rest: unknown[]) => unknown
>;
const native = { prepare, exec, pragma };
let patched = false;

function patchOnce(): void {
  if (patched) return;
  patched = true;
  const database = Database.prototype as unknown as Record<string, unknown>;
  database.prepare = function (this: Guarded & object, sql: string) {
    claim(this);
    const statement = native.prepare.call(this, sql) as Guarded;
    if (this[GUARD] !== undefined) {
      statement[GUARD] = this[GUARD];
      statement[KIND] = kindOf(sql);
    }
    return statement;
  };
  database.exec = function (this: Guarded & object, sql: string) {
    claim(this);
    return pass(this[GUARD], kindOf(sql), this, () => native.exec.call(this, sql));
  };
  database.pragma = function (this: Guarded & object, ...rest: unknown[]) {
    claim(this);
    return native.pragma.call(this, ...rest);
  };
  patchStatements();
}

function patchStatements(): void {
  const probe = new Database(':memory:');
  const statement = Object.getPrototypeOf(native.prepare.call(probe, 'SELECT 1')) as Record<string, unknown>;
  probe.close();
  for (const name of ['run', 'get', 'all', 'iterate'] as const) {
    const original = statement[name] as (...rest: unknown[]) => unknown;
    statement[name] = function (this: Guarded & { database: object }, ...rest: unknown[]) {
      const guard = this[GUARD];
      if (guard === undefined) return original.apply(this, rest);
      const kind = this[KIND]!;
      guard.before(kind, () => rollBack(this.database as Database.Database));
      const value = original.apply(this, rest);
      guard.after(kind);
      return value;
    };
  }
}

function pass<T>(guard: StatementGuard | undefined, kind: StatementKind, db: object, run: () => T): T {
  guard?.before(kind, () => rollBack(db as Database.Database));
  const value = run();
  guard?.after(kind);
  return value;
}

function claim(db: Guarded & object): void {
  if (opening === null || db[GUARD] !== undefined) return;
  Object.defineProperty(db, GUARD, { value: opening.guard });
  opening.databases.add(db as Database.Database);
}

function kindOf(sql: string): StatementKind {
  const word = /^\s*([a-z]+)/i.exec(sql)?.[1]?.toUpperCase() ?? '';
  if (word === 'BEGIN') return 'begin';
  if (word === 'COMMIT') return 'commit';
  return word === 'SELECT' || word === 'ROLLBACK' || word === 'PRAGMA' ? 'read' : 'write';
}
