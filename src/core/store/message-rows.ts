/** How often one messageId of a source is in the store: what tells a repeat that was counted from one that was stored. */
import type { Db } from './database.ts';

/** A lookup by index; counts no further than this. */
const MAX_ROWS = 100;

export class MessageRows {
  readonly #count: { get(messageId: string, sourceId: number | null, max: number): unknown };

  constructor(db: Db) {
    this.#count = db
      .prepare(
        `SELECT COUNT(*) FROM
           (SELECT 1 FROM messages WHERE message_id = ? AND source_id IS ? AND state <> 'rejected' LIMIT ?)`,
      )
      .pluck();
  }

  /** Rejected ones apart. */
  of(messageId: string, sourceId: number | undefined): number {
    return this.#count.get(messageId, sourceId ?? null, MAX_ROWS) as number;
  }
}
