import type { EventCount, SourceEventStore } from '../../../src/core/store/ports/source-events.ts';
import type { Tables } from './tables.ts';

export class MemorySourceEvents implements SourceEventStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  counts({ sourceId, after, upTo }: Parameters<SourceEventStore['counts']>[0]): EventCount[] {
    const tracks = this.#tables.messages.where(
      (one) =>
        one.id > after &&
        one.id <= upTo &&
        one.sourceId === sourceId &&
        one.type === 'track' &&
        one.state !== 'rejected',
    );
    return [...Map.groupBy(tracks, ({ name }) => name)].map(([name, rows]) => ({
      name,
      received: rows.length,
      off: rows.filter(({ reason }) => reason === 'event_off').length,
      lastAt: Math.max(...rows.map(({ receivedAt }) => receivedAt)),
    }));
  }
}
