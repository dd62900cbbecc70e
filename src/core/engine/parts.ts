/** The parts of an engine, each made after those that it needs. */
import { Authorities } from '../delivery/authorities.ts';
import { ClockKeeper } from '../delivery/clock-keeper.ts';
import { RetryClock, type RetryClockState } from '../delivery/retry-clock.ts';
import { OpenPorts } from '../ingest/open-ports.ts';
import { Metrics } from '../metrics/metrics.ts';
import { OverviewReader } from '../metrics/reader.ts';
import type { Ports, Transport } from '../ports.ts';
import { ReceiversLab } from '../receivers/lab.ts';
import { Retention } from '../retention/retention.ts';
import { EngineStatus } from '../serving/engine-status.ts';
import { Feed } from '../serving/feed.ts';
import { RecentAttempts } from '../serving/recent-attempts.ts';
import { RequestCounts } from '../serving/request-counts.ts';
import { Counters } from '../serving/status.ts';
import { StoreSize } from '../serving/store-size.ts';
import { Tally } from '../serving/tally.ts';
import { WebhookViews } from '../serving/webhook-views.ts';
import type { Writer } from '../store/ports/changes.ts';
import { Stores } from '../store/stores.ts';
import { Workspace } from '../workspace/workspace.ts';
import { createDelivery } from './delivery-parts.ts';
import type { EngineOptions } from './engine-options.ts';
import { createIngestParts } from './ingest-parts.ts';
import { loadedRanks } from './loaded-ranks.ts';
import { clockOwner } from './settings-owners.ts';

/** What the transport asks of the engine. */
export interface TransportNeeds {
  /** Ports of this engine and its shell: no attempt may lead there. */
  ownPorts(): readonly number[];
  /** PEM texts to trust beside the known authorities; the same array until they change. */
  authorities(): readonly string[];
}

/** What the engine takes from outside. The transport is made once there is what it needs. */
export interface EnginePorts extends Omit<Ports, 'transport'> {
  transport(needs: TransportNeeds): Transport;
}

export type EngineParts = ReturnType<typeof createParts>;

/** Opens the store. Throws a StoreOpenError; then nothing is held. */
export function createParts(options: EngineOptions, ports: EnginePorts) {
  const { clock, timers, ids, logger } = ports;
  const stores = new Stores(options.workspace, ports, { accept: options.acceptStore });
  const write: Writer['write'] = (job, rows) => stores.writer.write(job, rows);

  const feed = new Feed(clock, timers);
  const statusChanged = (): void => feed.touch('status');
  const counters = new Counters(stores.lists.counts());
  const ranks = loadedRanks(stores.lists, counters.total());
  stores.onCommitted((changes) => counters.committed(changes));
  stores.onCommitted((changes) => ranks.committed(changes));
  stores.onCommitted((changes) => feed.committed(changes));
  stores.onDamaged(statusChanged);

  const openPorts = new OpenPorts(options.uiPort);
  const workspace = new Workspace({
    store: stores.workspace,
    write,
    clock,
    ids,
    ownPorts: () => openPorts.all(),
    authorities: new Authorities(ports.readFile),
    changed: (part) => {
      feed.touch(part);
      statusChanged();
    },
  });

  const { settings } = stores.workspace;
  const stored = settings.get<RetryClockState>('clock');
  const retryClock = new RetryClock(clock, stored, stores.deliveries.newestReading() ?? undefined);
  const transport = ports.transport({
    ownPorts: () => openPorts.all(),
    authorities: () => workspace.destination.trusted(),
  });
  const metrics = new Metrics({ store: stores.metrics, write, clock, timers });
  const recentAttempts = new RecentAttempts(stores.details.recentAttempts(RecentAttempts.READ));
  const webhookViews = new WebhookViews(() => workspace.webhooks.all, recentAttempts);
  const { sender, dispatcher, replayer } = createDelivery({
    ports: { clock, timers, logger, transport },
    store: stores.deliveries,
    retryClock,
    destination: workspace.destination,
    write,
    recorded: (webhook, result, startedAt) => {
      metrics.recorded(webhook, result, startedAt, workspace.destination.settings.timeoutMs);
      webhookViews.recorded(webhook, result, startedAt);
      feed.touch('webhooks');
      statusChanged();
    },
    moved: (event) => metrics.moved(event),
  });
  const clockKeeper = new ClockKeeper({
    clock,
    logger,
    retryClock,
    save: (state, changes) => settings.save('clock', state, changes),
    write,
    persist: (job, rows) => dispatcher.guard.persist(job, rows),
    changed: () => {
      feed.touch('clock');
      statusChanged();
      dispatcher.refresh();
    },
  });

  const storeSize = new StoreSize(clock, () => stores.retention.bytes());
  const retention = new Retention({
    store: stores.retention,
    write,
    limits: () => workspace.storage.limits,
    use: () => ({ messages: counters.total(), bytes: storeSize.bytes() }),
    clock,
    timers,
    logger,
  });
  stores.onCommitted((changes) => retention.committed(changes));

  const receivers = new ReceiversLab({
    store: stores.receivers(),
    ports: {
      read: () => settings.get('receivers'),
      save: (kept, changes) => settings.save('receivers', kept, changes),
    },
    write,
    clock,
    logger,
    worker: options.receiversWorker,
    givenPorts: { http: options.receiversPort, https: options.receiversHttpsPort },
    sharedSecret: () => workspace.destination.signingSecret() ?? null,
    secretHeaders: () => workspace.webhooks.secretHeaders,
    changed: () => feed.touch('receivers'),
  });

  const requestCounts = new RequestCounts(clock);
  const calls = createIngestParts({
    folder: options.workspace,
    ports,
    stores,
    write,
    workspace,
    retention,
    retryClock,
    openPorts,
    metrics,
    dispatcher,
    requestCounts,
    feed,
  });

  const badTexts = new Tally(clock, logger, 'contract_bad_text', statusChanged);
  const status = new EngineStatus({
    counters,
    requests: requestCounts,
    stores,
    storeSize,
    workspace,
    dispatcher,
    retention,
    retryClock,
    listener: () => calls.server.listening,
    https: calls.httpsView,
    tlsHellos: calls.tlsHellos,
    badTexts,
  });
  const overview = new OverviewReader({
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
  return {
    ports,
    stores,
    write,
    feed,
    ranks,
    openPorts,
    workspace,
    retryClock,
    clockKeeper,
    transport,
    metrics,
    overview,
    sender,
    dispatcher,
    replayer,
    retention,
    receivers,
    webhookViews,
    badTexts,
    status,
    ...calls,
    /** In the order in which a config file has their parts. */
    owners: [...workspace.owners, ...calls.owners, receivers, clockOwner(clockKeeper, retryClock)],
  };
}
