/** Settings of a workspace by key, and its secrets by name. */
import { tailOf } from '../model/secret-tail.ts';
import type { Sealer } from '../ports.ts';
import type { Db } from './database.ts';
import type { Changes } from './ports/changes.ts';
import type { SecretState, SecretStore, SettingStore } from './ports/workspace.ts';
import { Writes } from './statements.ts';

export class SqliteSettings extends Writes implements SettingStore {
  readonly #value = this.column<{ key: string }, string>('SELECT value FROM settings WHERE key = @key');

  get<T>(key: string): T | undefined {
    const text = this.#value.get({ key });
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  readonly #save = this.command<{ key: string; value: string }>(
    `INSERT INTO settings (key, value) VALUES (@key, @value)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );

  save(key: string, value: unknown, changes: Changes): void {
    this.#save.run(changes, { key, value: JSON.stringify(value) });
  }

  readonly #values = this.column<undefined, string>('SELECT value FROM settings');

  /** Throws where one cannot be read. */
  check(): void {
    for (const text of this.#values.all()) JSON.parse(text);
  }
}

export class SqliteSecrets extends Writes implements SecretStore {
  readonly #sealer: Sealer;

  constructor(db: Db, sealer: Sealer) {
    super(db);
    this.#sealer = sealer;
  }

  readonly #sealed = this.column<{ name: string }, Uint8Array>('SELECT sealed FROM secrets WHERE name = @name');

  get(name: string): SecretState {
    const sealed = this.#sealed.get({ name });
    if (sealed === undefined) return { state: 'none' };
    try {
      return { state: 'set', value: this.#sealer.open(sealed) };
    } catch {
      return { state: 'unreadable' };
    }
  }

  readonly #save = this.command<{ name: string; sealed: Uint8Array; last2: string; length: number }>(
    `INSERT INTO secrets (name, sealed, last2, length) VALUES (@name, @sealed, @last2, @length)
     ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, last2 = excluded.last2, length = excluded.length`,
  );
  readonly #remove = this.command<{ name: string }>('DELETE FROM secrets WHERE name = @name');

  save(name: string, value: string | null, changes: Changes): void {
    if (value === null) this.#remove.run(changes, { name });
    else {
      const { length } = value;
      this.#save.run(changes, { name, sealed: this.#sealer.seal(value), last2: tailOf(value), length });
    }
  }

  readonly #rows = this.query<undefined, object>('SELECT * FROM secrets');

  /** Throws where one cannot be read. */
  check(): void {
    this.#rows.all();
  }
}
