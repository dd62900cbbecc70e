/** Receivers that a person made or edited. Reads are few and small: the lab keeps them in memory. */
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';

/** A receiver as it is stored; `steps` is any JSON array, its meaning is the lab's. */
export interface StoredReceiver<S = unknown> {
  readonly id: string;
  readonly name: string;
  readonly tls: boolean;
  readonly steps: readonly S[];
  readonly check: {
    readonly on: boolean;
    readonly onMismatch: 'reject' | 'mark';
    readonly secret: 'shared' | 'wrong';
  };
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

interface Row {
  id: string;
  name: string;
  tls: number;
  steps: string;
  check_on: number;
  on_mismatch: 'reject' | 'mark';
  check_secret: 'shared' | 'wrong';
  created_at: number;
}

export class ReceiverStore<S = unknown> {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #damage: Damage;

  constructor(db: Db, damage: Damage = untold()) {
    this.#statements = prepare(db);
    this.#damage = damage;
  }

  /** Oldest first; none where they cannot be read. */
  all(): StoredReceiver<S>[] {
    const rows = this.#damage.around(() => this.#statements.all.all() as Row[], []);
    return this.#damage.soundJson(rows, 'steps', '[]').map((row) => ({
      id: row.id,
      name: row.name,
      tls: row.tls === 1,
      steps: JSON.parse(row.steps) as S[],
      check: { on: row.check_on === 1, onMismatch: row.on_mismatch, secret: row.check_secret },
      createdAt: row.created_at,
    }));
  }

  /** Inserts, or updates all but the time it was made. */
  save({ id, name, tls, steps, check, createdAt }: StoredReceiver<S>): void {
    const { on, onMismatch, secret } = check;
    this.#statements.save.run(id, name, Number(tls), JSON.stringify(steps), Number(on), onMismatch, secret, createdAt);
  }

  /** False when there was none. */
  remove(id: string): boolean {
    return this.#statements.remove.run(id).changes === 1;
  }
}

const prepare = (db: Db) => ({
  all: db.prepare('SELECT * FROM receivers ORDER BY created_at, id'),
  save: db.prepare(
    `INSERT INTO receivers (id, name, tls, steps, check_on, on_mismatch, check_secret, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, tls = excluded.tls, steps = excluded.steps,
       check_on = excluded.check_on, on_mismatch = excluded.on_mismatch, check_secret = excluded.check_secret`,
  ),
  remove: db.prepare('DELETE FROM receivers WHERE id = ?'),
});
