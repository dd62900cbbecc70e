/** The parts of an engine, each made after the parts that it needs. */

import { busyShare } from '../adapters/busy-share.ts';
import { Demo } from '../demo/demo.ts';
import { OverviewReader } from '../metrics/reader.ts';
import { ownThreadLink, threadLink } from '../people/link.ts';
import { People } from '../people/people.ts';
import { ReceiversLab } from '../receivers/lab.ts';
import * as searchLink from '../search/link.ts';
import { Search } from '../search/search.ts';
import { readForText } from '../search/warm-up.ts';
import { EngineStatus } from '../serving/engine-status.ts';
import { RequestCounts } from '../serving/request-counts.ts';
import { Tally } from '../serving/tally.ts';
import { createAudiences } from './audience-parts.ts';
import { createDeletionParts, createSuppressions } from './deletion-parts.ts';
import { createDeliveryParts, type DeliveryParts } from './delivery-parts.ts';
import type { EngineOptions } from './engine-options.ts';
import type { EnginePorts } from './engine-ports.ts';
import { createExchange } from './exchange-parts.ts';
import { createIngestParts } from './ingest-parts.ts';
import { createKeepingParts } from './keeping-parts.ts';
import { clockOwner } from './settings-owners.ts';
import { createStoreParts, type StoreParts } from './store-parts.ts';

export type EngineParts = ReturnType<typeof createParts>;

/** Opens the store. Throws a StoreOpenError; then nothing is held. */
export function createParts(options: EngineOptions, ports: EnginePorts) {
  const base = createStoreParts(options, ports);
  const receivers = createReceivers(options, ports, base);
  const delivery = createDeliveryParts(ports, base, (...sent) => receivers.noteSent(...sent));
  const keeping = createKeepingParts(ports, base);
  const people = createPeople(options, ports, base, delivery);
  const search = createSearch(options, ports, base);
  const requestCounts = new RequestCounts(ports.clock);
  const suppressions = createSuppressions(ports, base);
  const ingest = createIngestParts(options.workspace, ports, {
    ...base,
    ...delivery,
    ...keeping,
    requestCounts,
    suppressions,
    regulate: (regulation) => deletion.deletions.regulate(regulation),
  });
  const deletion = createDeletionParts(ports, {
    ...base,
    ...delivery,
    ...ingest,
    receivers,
    suppressions,
    people,
    search,
    audiences: () => audiences.erasing,
  });
  const badTexts = new Tally(ports.clock, ports.logger, 'contract_bad_text', base.statusChanged);
  const status = new EngineStatus({
    ...base,
    ...delivery,
    ...keeping,
    requests: requestCounts,
    listener: () => ingest.server.listening,
    https: ingest.httpsView,
    tlsHellos: ingest.tlsHellos,
    badTexts,
  });
  const audiences = createAudiences(ports, {
    base,
    delivery,
    status,
    people,
    suppressions,
    stored: (request) => ingest.observer.stored(request),
  });
  const exchange = createExchange(options, ports, {
    base,
    delivery,
    retention: keeping.retention,
    suppressions,
    stored: (request) => ingest.observer.stored(request),
    port: () => ingest.server.listening.port,
  });
  const overview = createOverview(ports, base, delivery, status);
  const demo = createDemo(options, ports, base);
  /** In the order of their parts in a config file. */
  const owners = [
    ...base.workspace.owners,
    ...ingest.owners,
    receivers,
    audiences.config,
    clockOwner(delivery.clockKeeper, delivery.retryClock),
  ];
  return {
    ports,
    ...base,
    ...delivery,
    ...keeping,
    ...ingest,
    ...deletion,
    suppressions,
    exchange,
    receivers,
    audiences,
    people,
    search,
    badTexts,
    status,
    overview,
    demo,
    owners,
  };
}

function createDemo(options: EngineOptions, { clock, timers, logger }: EnginePorts, base: StoreParts): Demo {
  const { stores, write, feed } = base;
  const { settings } = stores.workspace;
  const kept: ConstructorParameters<typeof Demo>[0]['kept'] = {
    read: () => settings.get('demo'),
    save: (value, changes) => settings.save('demo', value, changes),
  };
  return new Demo({ clock, timers, logger, write, kept, changed: () => feed.touch('demo') }, options.demo);
}

function createReceivers(options: EngineOptions, ports: EnginePorts, base: StoreParts): ReceiversLab {
  const { stores, write, workspace, feed } = base;
  return new ReceiversLab({
    store: stores.receivers,
    ports: {
      read: () => stores.workspace.settings.get('receivers'),
      save: (kept, changes) => stores.workspace.settings.save('receivers', kept, changes),
    },
    write,
    clock: ports.clock,
    logger: ports.logger,
    worker: options.receiversWorker,
    givenPorts: { http: options.receiversPort, https: options.receiversHttpsPort },
    sharedSecret: () => workspace.destination.signingSecret() ?? null,
    secretHeaders: () => workspace.webhooks.secretHeaders,
    changed: () => feed.touch('receivers'),
  });
}

function createPeople(
  { workspace, peopleWorker }: EngineOptions,
  { clock, timers, logger }: EnginePorts,
  { store, feed }: StoreParts,
  { retryClock, clockHistory }: DeliveryParts,
): People {
  const people = new People({
    open:
      peopleWorker === undefined
        ? ownThreadLink(() => store.openUserCalls(), clock, timers)
        : threadLink(peopleWorker, workspace),
    clock,
    timers,
    logger,
    clockNow: () => retryClock.now(),
    realDelay: (at) => retryClock.realDelay(at),
    clockHistory: () => clockHistory.stretches,
    changed: () => feed.touch('people'),
  });
  store.onCommitted((changes) => people.committed(changes));
  clockHistory.onChanged(() => people.clockChanged());
  return people;
}

function createSearch(
  { workspace, searchFrom }: EngineOptions,
  { clock, timers, logger }: EnginePorts,
  { store, stores, background, write, feed, counters }: StoreParts,
): Search {
  const { settings } = stores.workspace;
  const search = new Search({
    open:
      background === null
        ? searchLink.ownThreadLink(() => store.openSearch(), clock, timers)
        : searchLink.threadLink(background, workspace),
    timers,
    logger,
    write,
    kept: {
      read: () => settings.get<boolean>('search') ?? true,
      save: (enabled, changes) => settings.save('search', enabled, changes),
    },
    total: () => counters.total(),
    deleteFile: () => store.deleteSearch(),
    busyShare: background === null ? () => 0 : busyShare(),
    least: searchFrom,
    warmUp: () => readForText(stores.lists),
    changed: () => feed.touch('search'),
  });
  store.onCommitted((changes) => search.committed(changes));
  return search;
}

function createOverview(
  { clock }: EnginePorts,
  { stores, workspace }: StoreParts,
  { metrics, retryClock, webhookViews }: DeliveryParts,
  status: EngineStatus,
): OverviewReader {
  return new OverviewReader({
    metrics,
    store: stores.metrics,
    clock,
    clockNow: () => retryClock.now(),
    status: () => status.view(),
    webhooks: () => webhookViews.all(),
    destination: () => {
      const { enabled, timeoutMs, retry } = workspace.destination.settings;
      return { enabled, timeoutMs, windowMs: retry.windowMs };
    },
  });
}
