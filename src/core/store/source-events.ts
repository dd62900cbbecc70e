/** What is stored of a source's track events, counted a stretch of the table at a time. */
import type { Db } from './database.ts';

export interface EventCount {
  readonly name: string;
  readonly received: number;
  readonly off: number;
  readonly lastAt: number;
}

export class SourceEventStore {
  readonly #counts: { all(sourceId: number, after: number, upTo: number): unknown[] };

  constructor(db: Db) {
    this.#counts = db.prepare(
      `SELECT name, count(*) AS received, sum(reason IS 'event_off') AS off, max(received_at) AS lastAt
       FROM messages NOT INDEXED
       WHERE source_id = ? AND id > ? AND id <= ? AND type = 'track' AND state <> 'rejected' GROUP BY name`,
    );
  }

  /** Of messages with ids above `after`, up to `upTo`. */
  counts(sourceId: number, after: number, upTo: number): EventCount[] {
    return this.#counts.all(sourceId, after, upTo) as EventCount[];
  }
}
