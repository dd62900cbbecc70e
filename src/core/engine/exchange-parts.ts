/** Export and import: what an import stores goes the way of every message. */
import type { Suppressions } from '../deletions/suppressions.ts';
import { Exporter } from '../exchange/exporter.ts';
import type { Exchange } from '../exchange/handlers.ts';
import { Importer } from '../exchange/importer.ts';
import type { StoredRequest } from '../ingest/ports.ts';
import type { Retention } from '../retention/retention.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import type { EngineOptions } from './engine-options.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { StoreParts } from './store-parts.ts';

interface ExchangeNeeds {
  readonly base: StoreParts;
  readonly delivery: Pick<DeliveryParts, 'retryClock'>;
  readonly retention: Retention;
  readonly suppressions: Suppressions;
  /** Counts the messages of a committed request and hands them to delivery. */
  stored(request: StoredRequest): void;
  /** Port on which calls arrive. */
  port(): number;
}

export function createExchange(
  { version }: Pick<EngineOptions, 'version'>,
  { clock, ids }: EnginePorts,
  { base, delivery, retention, suppressions, stored, port }: ExchangeNeeds,
): Exchange {
  const { stores, write, workspace } = base;
  const exporter = new Exporter({
    lists: stores.lists,
    details: stores.details,
    replays: stores.replays,
    sourceName: (id) => workspace.sources.all.find((source) => source.id === id)?.name ?? null,
    secrets: () => workspace.secretsInClear(),
    clock,
    version,
    port,
    defaultMask: () => workspace.exports.view().mask,
  });
  const importer = new Importer({
    ingest: stores.ingest,
    write,
    clock,
    ids,
    clockNow: () => delivery.retryClock.now(),
    destination: () => {
      const { enabled, body } = workspace.destination.settings;
      return { enabled, body, webhookCount: workspace.webhooks.all.length };
    },
    suppressed: () => suppressions.ids,
    full: () => retention.full,
    stored,
  });
  return { exporter, importer };
}
