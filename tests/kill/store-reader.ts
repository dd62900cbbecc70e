/** Reads the store as a kill left it, while no engine runs. Never changes it. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { OPEN_APART_SINCE } from '../../src/core/store/migrations.ts';
import { OPEN_ATTEMPTS_VIEWS } from '../../src/core/store/schema/open-attempts.ts';

const FINAL = "('rejected', 'not_selected', 'delivered', 'failed', 'expired', 'stopped')";

export interface StoredReplay {
  readonly id: number;
  readonly finished: boolean;
}

export interface AfterKill {
  /** Messages that have become final since the last look. */
  readonly final: ReadonlyArray<{ readonly messageId: string; readonly state: string }>;
  /** Open attempts, which were in flight at the kill. */
  readonly open: ReadonlyArray<{ readonly messageId: string; readonly slot: number }>;
  readonly stored: number;
  /** The last two characters of the shared secret, or null. */
  readonly secret: string | null;
}

const NOTHING: AfterKill = { final: [], open: [], stored: 0, secret: null };

export class StoreReader {
  readonly #file: string;
  /** Every message below this id is final and was reported. */
  #below = 0;
  readonly #reported = new Set<number>();

  constructor(workspace: string) {
    this.#file = join(workspace, 'store.sqlite');
  }

  afterKill(): AfterKill {
    return this.#read((db) => {
      // Killed before the first store was made.
      if (db.pragma('user_version', { simple: true }) === 0) return NOTHING;
      const rows = db
        .prepare(`SELECT id, message_id, state FROM messages WHERE id >= ? AND state IN ${FINAL} ORDER BY id`)
        .all(this.#below) as Array<{ id: number; message_id: string; state: string }>;
      const fresh = rows.filter(({ id }) => !this.#reported.has(id));
      for (const { id } of fresh) this.#reported.add(id);
      const unfinished = db
        .prepare(`SELECT min(id) FROM messages WHERE id >= ? AND state NOT IN ${FINAL}`)
        .pluck()
        .get(this.#below) as number | null;
      this.#below = unfinished ?? (rows.at(-1)?.id ?? this.#below - 1) + 1;
      const open = db
        .prepare('SELECT m.message_id AS messageId, a.slot FROM open_attempts a JOIN messages m ON m.id = a.message_id')
        .all() as Array<{ messageId: string; slot: number }>;
      return {
        final: fresh.map(({ message_id, state }) => ({ messageId: message_id, state })),
        open,
        stored: db.prepare('SELECT count(*) FROM messages').pluck().get() as number,
        secret: (db.prepare('SELECT last2 FROM secrets').pluck().get() as string | undefined) ?? null,
      };
    });
  }

  /** How many messages are not final. May be called while an engine runs. */
  unfinished(): number {
    return this.#read(
      (db) => db.prepare(`SELECT count(*) FROM messages WHERE state NOT IN ${FINAL}`).pluck().get() as number,
    );
  }

  replays(): StoredReplay[] {
    return this.#read((db) => {
      const rows = db.prepare('SELECT id, finished_at IS NOT NULL AS finished FROM replays').all();
      return (rows as Array<{ id: number; finished: number }>).map(({ id, finished }) => ({
        id,
        finished: finished === 1,
      }));
    });
  }

  version(): number {
    return this.#read((db) => db.pragma('user_version', { simple: true }) as number);
  }

  integrity(): string {
    return this.#read((db) => db.pragma('integrity_check', { simple: true }) as string);
  }

  #read<T>(look: (db: Database.Database) => T): T {
    const db = new Database(this.#file, { readonly: true, fileMustExist: true, timeout: 2_000 });
    try {
      // A migration that a kill undid.
      const version = db.pragma('user_version', { simple: true }) as number;
      if (version > 0 && version < OPEN_APART_SINCE) db.exec(OPEN_ATTEMPTS_VIEWS);
      return look(db);
    } finally {
      db.close();
    }
  }
}
