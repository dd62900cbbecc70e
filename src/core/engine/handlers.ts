/** Every command of the contract over the parts of an engine. Each topic gets only what it needs. */
import type { Handlers } from '../../contract/channel.ts';
import { ContractError } from '../../contract/errors.ts';
import { createAudienceHandlers } from '../audiences/handlers.ts';
import { createDemoHandlers } from '../demo/handlers.ts';
import { createExchangeHandlers } from '../exchange/handlers.ts';
import { createFaultHandlers } from '../faults/handlers.ts';
import { createPeopleHandlers } from '../people/handlers.ts';
import { createReceiverHandlers } from '../receivers/handlers.ts';
import { createSearchHandlers } from '../search/handlers.ts';
import { actionHandlers } from '../serving/handlers/actions.ts';
import { appHandlers, type Connection } from '../serving/handlers/app.ts';
import { bulkReplayHandlers } from '../serving/handlers/bulk-replays.ts';
import { callHandlers } from '../serving/handlers/calls.ts';
import { clockHandlers } from '../serving/handlers/clock.ts';
import { configHandlers } from '../serving/handlers/config.ts';
import { deletionHandlers } from '../serving/handlers/deletions.ts';
import { destinationHandlers } from '../serving/handlers/destination.ts';
import { detailHandlers } from '../serving/handlers/details.ts';
import { failedReplayHandlers } from '../serving/handlers/failed-replays.ts';
import { ingestHandlers } from '../serving/handlers/ingest.ts';
import { listHandlers } from '../serving/handlers/lists.ts';
import { replayHandlers } from '../serving/handlers/replays.ts';
import { retryAllHandlers } from '../serving/handlers/retry-all.ts';
import { signatureHandlers } from '../serving/handlers/signature.ts';
import { sourceHandlers } from '../serving/handlers/sources.ts';
import { storageHandlers } from '../serving/handlers/storage.ts';
import { type Surface, webhookHandlers } from '../serving/handlers/webhooks.ts';
import type { TargetDeps } from '../serving/replay-asks.ts';
import { applyDelivery } from './apply-delivery.ts';
import type { EngineParts } from './parts.ts';

/** Arguments were checked at the edge. `surface` says who is at the other end of the connection. */
export function createHandlers(parts: EngineParts, connection: Connection, surface: Surface): Handlers {
  const { stores, write, workspace, retryClock, dispatcher, replayer, sender, status, overview, owners } = parts;
  const { clock, timers, ids } = parts.ports;
  const { lists, details, due, held, sourceEvents } = stores;
  const { sources, webhooks, destination, storage } = workspace;
  const replay = { ...replayTargets(parts), lists, details, due, replayer, clock };
  const apply = (): void => applyDelivery(parts);
  return {
    ...appHandlers(connection, status),
    ...listHandlers({ lists, details, ranks: parts.ranks, index: parts.search, clock, timers }),
    ...detailHandlers({ lists, details, erasure: stores.erasure, workspace, retryClock, clock }),
    ...actionHandlers({ lists, dispatcher }),
    ...retryAllHandlers({ lists, dispatcher, clock }),
    ...replayHandlers({ ...replay, replays: stores.replays, sender }),
    ...failedReplayHandlers({ ...replay, syncs: stores.syncs }),
    ...bulkReplayHandlers({ ...replay, bulkReplay: parts.bulkReplay, timers }),
    ...signatureHandlers({ lists, details, due, replays: stores.replays, workspace, clock, timers }),
    ...callHandlers({ ingest: parts.ingest, sources, held, write, metrics: parts.metrics, ids }),
    ...sourceHandlers({ sources, lists, events: sourceEvents, timers }),
    ...webhookHandlers({ webhooks, views: parts.webhookViews, applyDelivery: apply }, surface),
    ...destinationHandlers({ destination, ids, applyDelivery: apply }),
    ...clockHandlers({ clockKeeper: parts.clockKeeper, retryClock, due }),
    ...storageHandlers({ storage, retention: parts.retention, status }),
    'exports.save': (settings) => workspace.exports.save(settings),
    'filters.save': (all) => workspace.savedFilters.save(all),
    ...ingestHandlers({
      settings: workspace.ingest,
      server: parts.server,
      authority: parts.authority,
      status,
      httpsView: parts.httpsView,
      statusChanged: parts.statusChanged,
    }),
    ...configHandlers(owners),
    ...createExchangeHandlers(parts.exchange),
    ...createFaultHandlers(parts.faults),
    ...createPeopleHandlers(parts.people),
    ...createSearchHandlers(parts.search),
    ...createAudienceHandlers(parts.audiences),
    ...createReceiverHandlers(parts.receivers, webhookPlace(parts), { lists, details }),
    ...deletionHandlers({
      deletions: parts.deletions,
      store: stores.deletions,
      suppressions: parts.suppressions,
      ingest: parts.ingest,
      sources,
      lists,
      ids,
    }),
    ...createDemoHandlers(parts.demo, parts.ports.shell ?? null),
    'workspaces.list': async () => (await parts.ports.shell?.workspaces?.()) ?? [],
    'overview.get': ({ range }) => overview.get(range),
  };
}

/** What the receivers lab needs of webhooks. */
function webhookPlace(parts: EngineParts): Parameters<typeof createReceiverHandlers>[1] {
  const { workspace, webhookViews } = parts;
  return {
    webhooks: () => workspace.webhooks.all,
    addWebhook: async (name, url) => {
      const { id } = await workspace.webhooks.save({ name, url, headers: [], enabled: true });
      applyDelivery(parts);
      return webhookViews.of(id);
    },
    webhook: (id) => webhookViews.of(id),
  };
}

/** Where replays may go. */
function replayTargets({ dispatcher, workspace, openPorts, receivers }: EngineParts): TargetDeps {
  return {
    dispatcher,
    workspace,
    ownPorts: () => openPorts.all(),
    receiver: (id) => {
      const receiver = receivers.get(id);
      const url = receivers.urlOf(receiver);
      if (url === null) throw new ContractError('receivers_off');
      return { name: receiver.name, url };
    },
  };
}
