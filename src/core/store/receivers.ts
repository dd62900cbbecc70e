/** Receivers that the user made or edited. */
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import type { Changes } from './ports/changes.ts';
import type { ReceiverStore, StoredReceiver } from './ports/receivers.ts';
import { columns, Writes } from './statements.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly tls: number;
  readonly steps: string;
  readonly checkOn: number;
  readonly onMismatch: 'reject' | 'mark';
  readonly checkSecret: 'shared' | 'wrong';
  readonly createdAt: number;
}

const COLUMNS = columns(['id', 'name', 'tls', 'steps', 'checkOn', 'onMismatch', 'checkSecret', 'createdAt']);

export class SqliteReceivers extends Writes implements ReceiverStore {
  readonly #damage: Damage;

  constructor(db: Db, damage: Damage = untold()) {
    super(db);
    this.#damage = damage;
  }

  readonly #all = this.query<undefined, Row>(`SELECT ${COLUMNS} FROM receivers ORDER BY created_at, id`);

  all(): StoredReceiver[] {
    const rows = this.#damage.around(() => this.#all.all(), []);
    return rows.map(({ checkOn, onMismatch, checkSecret, ...row }) => ({
      ...row,
      tls: row.tls === 1,
      steps: this.#damage.parsed<unknown[]>(row.steps, [], 'the steps of a receiver'),
      check: { on: checkOn === 1, onMismatch, secret: checkSecret },
    }));
  }

  readonly #save = this.command<Row>(
    `INSERT INTO receivers (id, name, tls, steps, check_on, on_mismatch, check_secret, created_at)
     VALUES (@id, @name, @tls, @steps, @checkOn, @onMismatch, @checkSecret, @createdAt)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, tls = excluded.tls, steps = excluded.steps,
       check_on = excluded.check_on, on_mismatch = excluded.on_mismatch, check_secret = excluded.check_secret`,
  );

  save({ id, name, tls, steps, check, createdAt }: StoredReceiver, changes: Changes): void {
    const { on, onMismatch, secret: checkSecret } = check;
    const row = { id, name, tls: Number(tls), steps: JSON.stringify(steps), checkOn: Number(on) };
    this.#save.run(changes, { ...row, onMismatch, checkSecret, createdAt });
  }

  readonly #remove = this.command<{ id: string }>('DELETE FROM receivers WHERE id = @id');

  remove(id: string, changes: Changes): boolean {
    return this.#remove.run(changes, { id }).changes === 1;
  }
}
