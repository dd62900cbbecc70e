/** Suppressed users. */
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import type { Changes } from './ports/changes.ts';
import type { Suppression, SuppressionStore, SuppressionWindow } from './ports/suppressions.ts';
import { columns, Writes } from './statements.ts';

const COLUMNS = columns(['userId', 'since', 'requestId', 'hits', 'lastHitAt']);

export class SqliteSuppressions extends Writes implements SuppressionStore {
  readonly #damage: Damage;

  constructor(db: Db, damage: Damage = untold()) {
    super(db);
    this.#damage = damage;
  }

  readonly #ids = this.column<undefined, string>('SELECT user_id FROM suppressions ORDER BY user_id');

  userIds(): string[] {
    return this.#damage.around(() => this.#ids.all(), []);
  }

  readonly #window = this.query<{ after: string; search: string; limit: number }, Suppression>(
    `SELECT ${COLUMNS} FROM suppressions WHERE user_id > @after AND instr(user_id, @search) > 0
     ORDER BY user_id LIMIT @limit`,
  );

  window({ after = '', search = '', limit }: SuppressionWindow): Suppression[] {
    return this.#damage.around(() => this.#window.all({ after, search, limit }), []);
  }

  readonly #count = this.column<{ search: string }, number>(
    'SELECT count(*) FROM suppressions WHERE instr(user_id, @search) > 0',
  );

  count(search = ''): number {
    return this.#damage.around(() => this.#count.get({ search }), 0) ?? 0;
  }

  readonly #one = this.query<{ userId: string }, Suppression>(
    `SELECT ${COLUMNS} FROM suppressions WHERE user_id = @userId`,
  );

  get(userId: string): Suppression | undefined {
    return this.#one.get({ userId });
  }

  readonly #totals = this.query<undefined, { requestId: number | null; users: number; hits: number }>(
    `SELECT request_id AS requestId, count(*) AS users, sum(hits) AS hits FROM suppressions
     GROUP BY request_id ORDER BY request_id DESC`,
  );

  totals(): Array<{ requestId: number | null; users: number; hits: number }> {
    return this.#damage.around(() => this.#totals.all(), []);
  }

  readonly #add = this.command<{ userId: string; since: number; requestId: number | null }>(
    `INSERT INTO suppressions (user_id, since, request_id) VALUES (@userId, @since, @requestId)
     ON CONFLICT (user_id) DO NOTHING`,
  );

  add(suppression: Pick<Suppression, 'userId' | 'since' | 'requestId'>, changes: Changes): boolean {
    return this.#add.run(changes, suppression).changes === 1;
  }

  readonly #remove = this.command<{ userId: string }>('DELETE FROM suppressions WHERE user_id = @userId');

  remove(userId: string, changes: Changes): boolean {
    return this.#remove.run(changes, { userId }).changes === 1;
  }
}

/** What ingest writes. */
export class SuppressionHits extends Writes {
  readonly #hit = this.command<{ userId: string; at: number }>(
    'UPDATE suppressions SET hits = hits + 1, last_hit_at = @at WHERE user_id = @userId',
  );

  /** Counts a rejected call. */
  add(userId: string, at: number, changes: Changes): void {
    this.#hit.run(changes, { userId, at });
  }
}
