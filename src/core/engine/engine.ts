/**
 * The one place that wires the parts. `start` takes the workspace, recovers what a crash left, listens;
 * `stop` undoes it in order. Stopping by a kill is as good: everything acknowledged is committed.
 */

import type { Channel } from '../../contract/channel.ts';
import type { Config } from '../../contract/config.ts';
import { serveContract } from '../../contract/serve.ts';
import { Authorities } from '../delivery/authorities.ts';
import { ClockKeeper } from '../delivery/clock-keeper.ts';
import type { Dispatcher, DispatcherDeps } from '../delivery/dispatcher.ts';
import { RetryClock, type RetryClockState } from '../delivery/retry-clock.ts';
import { AFTER_LIMIT_MS, type Sender } from '../delivery/sender.ts';
import { failpoint } from '../failpoint.ts';
import type { IngestObserver, IngestStore } from '../ingest/ports.ts';
import { Doors } from '../ingest/server.ts';
import { Metrics } from '../metrics/metrics.ts';
import { OverviewReader } from '../metrics/reader.ts';
import { type Ports, StoreDamagedError } from '../ports.ts';
import { ReceiversLab } from '../receivers/lab.ts';
import type { Replayer } from '../replay/replayer.ts';
import { Retention } from '../retention/retention.ts';
import { controlSocketPath } from '../serving/control-path.ts';
import { type ControlSocket, serveControlSocket } from '../serving/control-socket.ts';
import { EngineStatus } from '../serving/engine-status.ts';
import { Feed, type Pending, type Subscription } from '../serving/feed.ts';
import { createHandlers, type Surface } from '../serving/handlers.ts';
import { allParts, batchOf, type LiveReaders, workspaceInfo } from '../serving/live.ts';
import { RecentAttempts } from '../serving/recent-attempts.ts';
import { RequestCounts } from '../serving/request-counts.ts';
import { Counters } from '../serving/status.ts';
import { StoreSize } from '../serving/store-size.ts';
import { Tally } from '../serving/tally.ts';
import { sourceView } from '../serving/views.ts';
import { WebhookViews } from '../serving/webhook-views.ts';
import { startError } from '../store/database.ts';
import { freshlyDue } from '../store/deliveries.ts';
import type { Changes } from '../store/ports/changes.ts';
import { Ranks } from '../store/ranks.ts';
import { Stores } from '../store/stores.ts';
import { Workspace } from '../workspace/workspace.ts';
import { createDelivery } from './delivery-parts.ts';
import type { EngineInfo, StopWait } from './engine-thread.ts';

export interface EngineOptions {
  /** Absolute path of the workspace folder. */
  readonly workspace: string;
  readonly version: string;
  readonly shell: 'electron' | 'headless';
  readonly config?: Config;
  readonly ingestPort?: number;
  /** Turns the https listener on for this run; 0 takes any free one. */
  readonly httpsPort?: number;
  readonly acceptAnyKey?: boolean;
  readonly acceptStore?: boolean;
  readonly controlSocket?: boolean;
  /** Path of the receivers' worker; without it receivers are off. */
  readonly receiversWorker?: string | URL;
  /** Win over config and stored settings; 0 takes any free one. */
  readonly receiversPort?: number;
  readonly receiversHttpsPort?: number;
  /** Where the shell shows the interface: no webhook may lead there. */
  readonly uiPort?: number;
}

/** What the transport needs of the engine before there is one. */
export type PortsOf = (engine: { ownPorts(): number[]; authorities(): readonly string[] }) => Ports;

const HEARTBEAT_MS = 1_000;

export class Engine {
  readonly #options: EngineOptions;
  readonly ports: Ports;
  readonly epoch: string;
  readonly stores: Stores;
  readonly ranks = new Ranks();
  readonly #counters: Counters;
  readonly feed: Feed;
  readonly clock: ClockKeeper;
  readonly workspace: Workspace;
  readonly metrics: Metrics;
  readonly overview: OverviewReader;
  readonly #sender: Sender;
  readonly dispatcher: Dispatcher;
  readonly replayer: Replayer;
  readonly retention: Retention;
  readonly receivers: ReceiversLab;
  readonly webhookViews: WebhookViews;
  readonly requestCounts: RequestCounts;
  readonly storeSize: StoreSize;
  readonly status: EngineStatus;
  readonly #live: LiveReaders;
  readonly retryClock: RetryClock;
  readonly doors: Doors;
  /** Texts on the contract that were neither a call nor an answer. */
  readonly badTexts: Tally;
  #control: ControlSocket | null = null;
  #heartbeat: { cancel(): void } | null = null;
  #lastStatus = '';
  #stopped: Promise<void> | null = null;

  /** Opens the workspace. Throws a StoreOpenError; then nothing is held. */
  constructor(options: EngineOptions, portsOf: PortsOf) {
    this.#options = options;
    this.ports = portsOf({
      ownPorts: () => this.ownPorts(),
      authorities: () => this.workspace?.authorities() ?? [],
    });
    const { ports } = this;
    const { clock, timers, ids, logger } = ports;
    this.epoch = ids.hex(8);
    const events = {
      committed: (changes: Changes) => this.#committed(changes),
      writable: (writable: boolean) => this.#writable(writable),
      damaged: () => this.feed?.touch('status'),
    };
    this.stores = new Stores(
      options.workspace,
      { clock, timers, sealer: ports.sealer, logger, events },
      { accept: options.acceptStore },
    );
    const { stores } = this;
    const write = <T>(job: (changes: Changes) => T, rows?: number): Promise<T> => stores.writer.write(job, rows);
    this.#counters = new Counters(stores.lists.counts());
    this.badTexts = new Tally(clock, logger, 'contract_bad_text', () => this.feed.touch('status'));
    this.#loadRanks();
    this.feed = new Feed(clock, timers);
    this.retryClock = new RetryClock(
      clock,
      stores.workspace.setting<RetryClockState>('clock'),
      stores.deliveries.newestReading() ?? undefined,
    );
    this.requestCounts = new RequestCounts(clock);
    this.storeSize = new StoreSize(clock, () => stores.retention.bytes());
    this.clock = this.#createClock(write);
    this.workspace = new Workspace({
      store: stores.workspace,
      write,
      clock,
      ids,
      ownPorts: () => this.ownPorts(),
      authorities: new Authorities(ports.readFile),
      changed: (part) => this.feed.touch(part),
    });
    this.metrics = new Metrics({ store: stores.metrics, write, clock, timers });
    const { sender, dispatcher, replayer } = createDelivery({
      ports,
      store: stores.deliveries,
      retryClock: this.retryClock,
      workspace: this.workspace,
      write,
      recorded: (...result) => this.#recorded(...result),
      moved: (event) => this.metrics.moved(event),
    });
    this.#sender = sender;
    this.dispatcher = dispatcher;
    this.replayer = replayer;
    this.retention = new Retention({
      store: stores.retention,
      write,
      limits: () => this.workspace.storageLimits,
      use: () => ({ messages: this.#counters.total(), bytes: this.storeSize.bytes() }),
      clock,
      timers,
      logger,
    });
    this.receivers = new ReceiversLab({
      store: stores.receivers(),
      ports: {
        read: () => stores.workspace.setting('receivers'),
        save: (kept) => stores.workspace.saveSetting('receivers', kept),
      },
      write,
      clock,
      logger,
      worker: options.receiversWorker,
      givenPorts: { http: options.receiversPort, https: options.receiversHttpsPort },
      sharedSecret: () => this.workspace.signingSecret() ?? null,
      secretHeaders: () => this.workspace.secretHeaders,
      changed: () => this.feed.touch('receivers'),
    });
    this.webhookViews = new WebhookViews(
      () => this.workspace.webhooks,
      new RecentAttempts(stores.details.recentAttempts(RecentAttempts.READ)),
    );
    this.overview = new OverviewReader({
      metrics: this.metrics,
      store: stores.metrics,
      clock,
      clockNow: () => this.retryClock.now(),
      status: () => this.status.view(),
      webhooks: () => this.webhookViews.all(),
      destination: () => {
        const { enabled, timeoutMs, retry } = this.workspace.destinationSettings;
        return { enabled, timeoutMs, windowMs: retry.windowMs };
      },
    });
    this.doors = new Doors({
      folder: options.workspace,
      ports,
      workspace: this.workspace,
      settings: stores.workspace,
      rowsOf: (messageId, sourceId) => stores.ingest.rowsOf(messageId, sourceId),
      store: this.#ingestStore(),
      observer: this.#observer(),
      write,
      statusChanged: () => this.feed.touch('status'),
      faultsChanged: () => this.feed.touch('faults'),
    });
    this.status = new EngineStatus({
      counters: this.#counters,
      requests: this.requestCounts,
      stores,
      storeSize: this.storeSize,
      workspace: this.workspace,
      dispatcher,
      retention: this.retention,
      retryClock: this.retryClock,
      listeners: this.doors,
      tlsHellos: this.doors.tlsHellos,
      badTexts: this.badTexts,
    });
    this.#live = {
      status: () => this.status.view(),
      clock: () => this.retryClock.state,
      sources: () => this.workspace.sources.map(sourceView),
      webhooks: () => this.webhookViews.all(),
      destination: () => this.workspace.destinationView(),
      ingest: () => this.workspace.ingestView(),
      receivers: () => this.receivers.view(),
      faults: () => this.doors.faults.view(),
    };
  }

  #createClock(write: ConstructorParameters<typeof ClockKeeper>[0]['write']): ClockKeeper {
    const { workspace: settings } = this.stores;
    return new ClockKeeper({
      clock: this.ports.clock,
      logger: this.ports.logger,
      retryClock: this.retryClock,
      save: (state) => settings.saveSetting('clock', state),
      write,
      persist: (job, rows) => this.dispatcher.guard.persist(job, rows),
      changed: () => {
        this.feed.touch('clock');
        this.feed.touch('status');
        this.dispatcher.refresh();
      },
    });
  }

  /** Ports of this engine and its shell, where no webhook may lead to. */
  ownPorts(): number[] {
    const { uiPort } = this.#options;
    return [...(this.doors?.ports() ?? []), ...(uiPort === undefined ? [] : [uiPort])];
  }

  /** Rejects with a StoreOpenError when the store turns out to be damaged; {@link stop} undoes what was begun. */
  async start(): Promise<EngineInfo> {
    try {
      return await this.#start();
    } catch (error) {
      throw startError(this.#options.workspace, error);
    }
  }

  async #start(): Promise<EngineInfo> {
    const { config, acceptAnyKey, ingestPort, httpsPort, workspace: folder } = this.#options;
    const { doors, workspace } = this;
    doors.checkConfig(config?.ingest);
    const planned = doors.plannedPorts(config?.ingest, { http: ingestPort, https: httpsPort });
    if (config !== undefined) await workspace.applyConfig(config, planned);
    if (config?.receivers !== undefined) await this.receivers.applyConfig(config.receivers);
    await doors.takeConfig(config?.ingest);
    await this.#takeClock(config?.clock);
    if (acceptAnyKey !== undefined) workspace.setAcceptAnyKey(acceptAnyKey);
    await workspace.ensureSource();
    if (this.stores.unscrubbed) this.ports.logger.log('warn', 'store_not_scrubbed');
    await this.#recover();
    this.retention.start();
    await doors.listen(ingestPort ?? workspace.ingestPort);
    if (httpsPort !== undefined) await doors.https.open(httpsPort);
    this.applyDelivery();
    if (this.#options.controlSocket !== false)
      this.#control = await serveControlSocket(controlSocketPath(folder), (channel) =>
        channel.onClose(this.connect(channel)),
      );
    const beat = (): void => {
      this.#statusBeat();
      this.#heartbeat = this.ports.timers.after(HEARTBEAT_MS, beat);
    };
    beat();
    // The receivers come up beside a running engine and cannot hold its start back.
    this.ports.timers.soon(() => void this.receivers.start());
    // Likewise the certificate of the https listener, which takes some time to make.
    if (httpsPort === undefined && doors.https.state.enabled) this.ports.timers.soon(() => void doors.https.open());
    const { notSending } = this.status.view();
    return { listener: doors.listening, https: doors.https.state, workspace: folder, notSending };
  }

  async #takeClock({ speed, paused }: NonNullable<Config['clock']> = {}): Promise<void> {
    const { state } = this.retryClock;
    if (speed !== undefined && speed !== state.speed) await this.clock.change((clock) => clock.setSpeed(speed));
    if (paused !== undefined && paused !== state.paused)
      await this.clock.change((clock) => (paused ? clock.pause() : clock.resume()));
  }

  /** What a crash left open is due at once. */
  async #recover(): Promise<void> {
    const { deliveries, metrics, writer } = this.stores;
    if (deliveries.isDistrusted) return this.#recoverApart();
    const recovering = writer.write((changes) => {
      this.clock.keep();
      failpoint('recovering');
      const dueAt = this.retryClock.now();
      const open = deliveries.recover(dueAt, this.ports.clock.wall(), changes);
      this.metrics.recovered(metrics.recovered(changes.messages, dueAt));
      return open;
    });
    const interrupted = await recovering.catch((error: unknown) => {
      if (!(error instanceof StoreDamagedError)) throw error;
      deliveries.distrust();
      return null;
    });
    if (interrupted === null) return this.#recoverApart();
    if (interrupted > 0) this.ports.logger.log('warn', 'attempts_interrupted', { attempts: interrupted });
  }

  /** In a damaged store each is recovered by a write of its own: one that cannot be written holds up none. */
  async #recoverApart(): Promise<void> {
    const { deliveries, writer } = this.stores;
    const now = this.retryClock.now();
    const at = this.ports.clock.wall();
    const { attempts, messages } = deliveries.leftOpen();
    await Promise.allSettled([
      writer.write(() => this.clock.keep()),
      ...attempts.map((id) => writer.write(() => deliveries.interruptOne(id))),
      ...messages.map((id) => writer.write((changes) => deliveries.recoverOne(id, now, at, changes))),
      writer.write(() => deliveries.finishOpenReplays(at)),
    ]);
  }

  /**
   * Stops in order: no new calls, no new attempts, those on the wire ended, everything recorded, the store closed.
   * Harmless when repeated. `told` hears what is waited for, if anything.
   */
  stop(told: (waiting: StopWait) => void = () => {}): Promise<void> {
    this.#stopped ??= this.#stop(told);
    return this.#stopped;
  }

  async #stop(told: (waiting: StopWait) => void): Promise<void> {
    failpoint('stopping');
    this.#heartbeat?.cancel();
    this.retention.stop();
    await Promise.all([this.dispatcher.stop(() => this.#endAttempts(told)), this.doors.close()]);
    await this.replayer.settled();
    await this.receivers.stop();
    await this.#control?.close();
    this.feed.close();
    this.metrics.close();
    this.stores.close();
  }

  /** Lets what is on the wire come to its end, within the limit of an attempt; what has none then is interrupted. */
  async #endAttempts(told: (waiting: StopWait) => void): Promise<void> {
    const limitMs = this.workspace.destinationSettings.timeoutMs + AFTER_LIMIT_MS;
    const attempts = this.#sender.open;
    if (attempts > 0) told({ attempts, limitMs });
    await new Promise<void>((resolve) => {
      const limit = this.ports.timers.after(limitMs, resolve);
      void this.#sender.close().then(() => {
        limit.cancel();
        resolve();
      });
    });
    await this.ports.transport.close();
  }

  /**
   * Serves the contract on a channel; returns what to call when the channel has closed. Only a channel of the
   * interface is given what a person alone may see.
   */
  connect(channel: Channel, surface: Surface = 'local_socket'): () => void {
    let subscription: Subscription | null = null;
    const peer = serveContract(
      channel,
      createHandlers(this, {
        hello: (since) => {
          subscription?.close();
          const reader = {
            take: (pending: Pending) => peer.changes(batchOf(pending, this.stores.lists, this.#live)),
          };
          const subscribed = this.feed.subscribe(reader, since?.epoch === this.epoch ? since.seq : null);
          subscription = subscribed.subscription;
          const { workspace: folder, version, shell } = this.#options;
          return {
            epoch: this.epoch,
            seq: this.feed.seq,
            reset: since !== undefined && !subscribed.resumed,
            workspace: workspaceInfo({ folder, version, shell }),
            parts: allParts(this.#live),
          };
        },
        setHidden: (hidden) => subscription?.setHidden(hidden),
        surface,
      }),
      (error) =>
        this.ports.logger.log('error', 'contract_bug', {
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
      (problem) => this.badTexts.add({ problem }),
    );
    return () => {
      subscription?.close();
      peer.close();
    };
  }

  /** Delivery takes over webhooks and settings as they are now. */
  applyDelivery(): void {
    this.receivers.applySecret();
    const { destinationSettings: destination, webhooks: all, secretsReadable } = this.workspace;
    const webhooks = all.map((webhook) => ({ ...webhook, enabled: webhook.enabled && destination.enabled }));
    this.dispatcher.hold(!secretsReadable || destination.paused);
    this.dispatcher.setWebhooks(webhooks);
    const { deliveries } = this.stores;
    const now = this.retryClock.now();
    const isOn = webhooks.some((webhook) => webhook.enabled);
    void (isOn ? this.#resumePaused(now) : Promise.resolve()).then(
      () => this.dispatcher.reconsider(),
      (error: unknown) => {
        if (!(error instanceof StoreDamagedError)) return;
        deliveries.distrust();
        this.applyDelivery();
      },
    );
  }

  /** All of it in one transaction; around damage, one message a transaction. */
  #resumePaused(now: number): Promise<unknown> {
    const { writer, deliveries } = this.stores;
    if (!deliveries.isDistrusted) return writer.write((changes) => deliveries.resumePaused(now, changes));
    const resumes = deliveries
      .pausedIds()
      .map((id) => writer.write((changes) => deliveries.resumeOne(id, now, changes)));
    return Promise.allSettled(resumes);
  }

  #recorded(...[webhook, result, startedAt]: Parameters<DispatcherDeps['recorded']>): void {
    this.metrics.recorded(webhook, result, startedAt, this.workspace.destinationSettings.timeoutMs);
    this.webhookViews.recorded(webhook, result, startedAt);
    this.feed.touch('webhooks');
    this.feed.touch('status');
  }

  #committed(changes: Changes): void {
    this.#counters.committed(changes);
    for (const id of changes.inserted) this.ranks.append(id);
    this.ranks.removeAll(changes.removed);
    this.feed.committed(changes);
    this.retention.committed(changes);
  }

  #writable(writable: boolean): void {
    this.ports.logger.log(writable ? 'info' : 'error', writable ? 'store_writable' : 'store_not_writable');
    // A resume that failed with the store is made up for.
    if (writable) this.applyDelivery();
    this.feed.touch('status');
  }

  /** Ids without gaps, the usual case, need no scan. */
  #loadRanks(): void {
    const { lists } = this.stores;
    const range = lists.idRange();
    if (range === null) return;
    if (range.last - range.first + 1 === this.#counters.total()) this.ranks.appendRange(range.first, range.last);
    else for (const id of lists.allIds()) this.ranks.append(id);
  }

  /** Rates fall and due times pass without a commit. */
  #statusBeat(): void {
    const now = this.status.fingerprint();
    if (now !== this.#lastStatus) this.feed.touch('status');
    this.#lastStatus = now;
  }

  /** Stores, and hands what is due to delivery in the same turn as its commit. */
  #ingestStore(): IngestStore {
    return {
      full: () => this.retention.full,
      trouble: () => {
        if (!this.stores.writer.writable) return 'store_not_writable';
        return this.stores.damage.known ? 'store_damaged' : null;
      },
      storeRequest: async (request, messages, dedupe) => {
        const dueAt = this.retryClock.now();
        const stored = await this.stores.ingest.storeRequest({ request, messages, dedupe, dueAt });
        this.metrics.stored(request.receivedAt, messages, stored);
        this.dispatcher.offer(freshlyDue(messages, stored, request.receivedAt, dueAt));
        return stored;
      },
    };
  }

  #observer(): IngestObserver {
    return {
      stored: (messages) => this.requestCounts.stored(messages.length),
      answered: ({ rejected }) => {
        this.requestCounts.answered(rejected);
        this.feed.touch('status');
      },
    };
  }
}
