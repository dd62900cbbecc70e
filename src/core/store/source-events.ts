/** Counts of a source's track events. */
import type { EventCount, SourceEventStore } from './ports/source-events.ts';
import { Reads } from './statements.ts';

interface Stretch {
  readonly sourceId: number;
  readonly after: number;
  readonly upTo: number;
}

export class SqliteSourceEvents extends Reads implements SourceEventStore {
  readonly #counts = this.query<Stretch, EventCount>(
    `SELECT name, count(*) AS received, sum(reason IS 'event_off') AS off, max(received_at) AS lastAt
     FROM messages NOT INDEXED
     WHERE source_id = @sourceId AND id > @after AND id <= @upTo AND type = 'track' AND state <> 'rejected'
     GROUP BY name`,
  );

  counts(stretch: Stretch): EventCount[] {
    return this.#counts.all(stretch);
  }
}
