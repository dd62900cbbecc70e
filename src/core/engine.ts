/**
 * The one place that wires the parts. `start` takes the workspace, recovers what a crash left, listens;
 * `stop` undoes it in order. Stopping by a kill is as good: everything acknowledged is committed.
 */

import type { IncomingMessage } from 'node:http';
import { isAbsolute } from 'node:path';
import type { Channel } from '../contract/channel.ts';
import type { Config } from '../contract/config.ts';
import { serveContract } from '../contract/serve.ts';
import type { ListenerView } from '../contract/values.ts';
import { Authorities } from './authorities.ts';
import { ClockKeeper } from './clock-keeper.ts';
import { controlSocketPath } from './control-path.ts';
import { type ControlSocket, serveControlSocket } from './control-socket.ts';
import { Dispatcher, type DispatcherDeps } from './delivery/dispatcher.ts';
import type { RetryClock, RetryClockState } from './delivery/retry-clock.ts';
import { Sender } from './delivery/sender.ts';
import type { EngineInfo } from './engine-thread.ts';
import { failpoint } from './failpoint.ts';
import { Faults } from './faults/faults.ts';
import { Feed, type Subscription } from './feed.ts';
import { createHandlers } from './handlers.ts';
import { HttpsIngest } from './ingest/https.ts';
import { createIngest, type Ingest } from './ingest/ingest.ts';
import { createListener, type Listener } from './ingest/listener.ts';
import { listeningState, notListening, stoppedState } from './ingest/listener-state.ts';
import type { IngestObserver, IngestStore } from './ingest/ports.ts';
import type { IngestRequest } from './ingest/request.ts';
import { TlsHellos } from './ingest/tls-hellos.ts';
import { createLocalAuthority, type LocalAuthority } from './local-authority/authority.ts';
import { Metrics } from './metrics/metrics.ts';
import { OverviewReader } from './metrics/reader.ts';
import type { Ports } from './ports.ts';
import { ReceiversLab } from './receivers/lab.ts';
import { Replayer } from './replay/replayer.ts';
import { Retention } from './retention.ts';
import { Snapshots } from './snapshots.ts';
import { Counters } from './status.ts';
import { type Db, lockWorkspace, openStore, prepareFolder } from './store/database.ts';
import { DeliveryStore, freshlyDue } from './store/deliveries.ts';
import { ListStore } from './store/lists.ts';
import { MessageRows } from './store/message-rows.ts';
import { MetricsStore } from './store/metrics.ts';
import { PurgeStore } from './store/purge.ts';
import { Ranks } from './store/ranks.ts';
import { ReceiverStore } from './store/receivers.ts';
import { RequestStore } from './store/requests.ts';
import { WorkspaceStore } from './store/workspace.ts';
import { type Changes, GroupWriter } from './store/writer.ts';
import { Workspace } from './workspace.ts';
import { ConfigValueError } from './workspace-config.ts';

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
  readonly controlSocket?: boolean;
  /** Path of the receivers' worker; without it receivers are off. */
  readonly receiversWorker?: string | URL;
  /** Win over config and stored settings; 0 takes any free one. */
  readonly receiversPort?: number;
  readonly receiversHttpsPort?: number;
}

/** What the transport needs of the engine before there is one. */
export type PortsOf = (engine: { ownPorts(): number[]; authorities(): readonly string[] }) => Ports;

const HEARTBEAT_MS = 1_000;

/** Throws a ConfigValueError, before anything of the file is taken over. */
function checkIngestConfig({ browserSdk }: NonNullable<Config['ingest']> = {}): void {
  if (typeof browserSdk === 'string' && !isAbsolute(browserSdk))
    throw new ConfigValueError('ingest.browserSdk', 'Enter the absolute path of a folder.');
}

export class Engine {
  readonly #options: EngineOptions;
  readonly ports: Ports;
  readonly epoch: string;
  readonly #lock: { release(): void };
  readonly #db: Db;
  readonly writer: GroupWriter;
  readonly lists: ListStore;
  readonly deliveries: DeliveryStore;
  readonly requests: RequestStore;
  readonly #workspaceStore: WorkspaceStore;
  readonly #metricsStore: MetricsStore;
  readonly metrics: Metrics;
  readonly overview: OverviewReader;
  readonly ranks = new Ranks();
  readonly #counters: Counters;
  readonly snapshots: Snapshots;
  readonly feed: Feed;
  readonly clock: ClockKeeper;
  readonly workspace: Workspace;
  readonly dispatcher: Dispatcher;
  readonly replayer: Replayer;
  readonly retention: Retention;
  readonly ingest: Ingest;
  readonly faults: Faults;
  readonly https: HttpsIngest;
  readonly authority: LocalAuthority;
  readonly tlsHellos: TlsHellos;
  readonly receivers: ReceiversLab;
  readonly #listener: Listener;
  #listening: ListenerView;
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
    const { clock, timers, ids, logger, sealer, transport } = this.ports;
    this.epoch = ids.hex(8);
    prepareFolder(options.workspace);
    this.#lock = lockWorkspace(options.workspace);
    try {
      this.#db = openStore(options.workspace);
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    this.writer = new GroupWriter(this.#db, timers, {
      committed: (changes) => this.#committed(changes),
      writable: (writable) => {
        logger.log(writable ? 'info' : 'error', writable ? 'store_writable' : 'store_not_writable');
        // A resume that failed with the store is made up for.
        if (writable) this.applyDelivery();
        this.feed.touchStatus();
      },
    });
    this.lists = new ListStore(this.#db);
    this.deliveries = new DeliveryStore(this.#db);
    this.requests = new RequestStore(this.#db, this.writer);
    this.#workspaceStore = new WorkspaceStore(this.#db, sealer);
    this.#metricsStore = new MetricsStore(this.#db);
    this.#counters = new Counters(this.lists.counts());
    this.#loadRanks();
    this.feed = new Feed(clock, timers, (pending, seq) => this.snapshots.batch(pending, seq));
    const write = <T>(job: (changes: Changes) => T, rows?: number): Promise<T> => this.writer.write(job, rows);
    this.clock = new ClockKeeper({
      clock,
      logger,
      read: () => this.#workspaceStore.setting<RetryClockState>('clock'),
      save: (state) => this.#workspaceStore.saveSetting('clock', state),
      shownBefore: () => this.deliveries.newestReading(),
      write,
      persist: (job, rows) => this.dispatcher.guard.persist(job, rows),
      changed: () => {
        this.feed.touch('clock');
        this.dispatcher.refresh();
      },
    });
    this.workspace = new Workspace({
      store: this.#workspaceStore,
      write,
      clock,
      ids,
      ownPorts: () => this.ownPorts(),
      authorities: new Authorities(this.ports.readFile),
    });
    const sender = new Sender(transport, clock, {
      secret: () => this.workspace.signingSecret(),
      rules: () => this.workspace.destinationSettings,
    });
    this.metrics = new Metrics({
      store: this.#metricsStore,
      write: (job, rows) => this.writer.write(job, rows),
      clock,
      timers,
    });
    const recorded: DispatcherDeps['recorded'] = (webhook, result, startedAt) => {
      this.metrics.recorded(webhook.id, result, startedAt, this.workspace.destinationSettings.timeoutMs);
      this.snapshots.recorded(webhook.id, result, startedAt);
      this.feed.touch('webhooks');
    };
    this.dispatcher = new Dispatcher({
      store: this.deliveries,
      write,
      sender,
      clock,
      retryClock: this.retryClock,
      timers,
      logger,
      rules: () => this.workspace.destinationSettings,
      recorded,
      moved: (event) => this.metrics.moved(event),
    });
    this.replayer = new Replayer({
      persist: (job, rows) => this.dispatcher.guard.persist(job, rows),
      store: this.deliveries,
      write,
      sender,
      clock,
      clockNow: () => this.retryClock.now(),
      recorded,
    });
    this.retention = new Retention({
      store: new PurgeStore(this.#db),
      write,
      limits: () => this.workspace.storageLimits,
      use: () => ({ messages: this.#counters.total(), bytes: this.snapshots.storeBytes() }),
      clock,
      timers,
      logger,
    });
    this.receivers = new ReceiversLab({
      store: new ReceiverStore(this.#db),
      ports: {
        read: () => this.#workspaceStore.setting('receivers'),
        save: (kept) => this.#workspaceStore.saveSetting('receivers', kept),
      },
      write,
      clock,
      logger,
      worker: options.receiversWorker,
      givenPorts: { http: options.receiversPort, https: options.receiversHttpsPort },
      sharedSecret: () => this.workspace.signingSecret() ?? null,
      changed: () => this.feed.touch('receivers'),
    });
    this.snapshots = new Snapshots(this, this.#counters, {
      folder: options.workspace,
      version: options.version,
      shell: options.shell,
    });
    this.overview = new OverviewReader({
      metrics: this.metrics,
      store: this.#metricsStore,
      clock,
      clockNow: () => this.retryClock.now(),
      status: () => this.snapshots.status(),
      webhooks: () => this.workspace.webhooks.map(({ id }) => this.snapshots.webhook(id)),
      destination: () => {
        const { enabled, timeoutMs, retry } = this.workspace.destinationSettings;
        return { enabled, timeoutMs, windowMs: retry.windowMs };
      },
    });
    this.ingest = createIngest({
      store: this.#ingestStore(),
      workspace: this.workspace,
      observer: this.#observer(),
      clock,
      ids,
      logger,
      httpsPort: () => this.https.port,
      browserSdkFolder: () => this.#workspaceStore.setting<string | null>('browser_sdk') ?? null,
    });
    this.tlsHellos = new TlsHellos(clock, logger, () => this.feed.touchStatus());
    const messageRows = new MessageRows(this.#db);
    this.faults = new Faults({
      handle: (request) => this.ingest.handle(request),
      clock,
      timers,
      random: this.ports.random,
      stored: this.#workspaceStore.setting('faults'),
      save: (settings) => this.writer.write(() => this.#workspaceStore.saveSetting('faults', settings)),
      rowsOf: (messageId, writeKey) => messageRows.of(messageId, this.workspace.sourceByKey(writeKey ?? '')?.id),
      changed: () => this.feed.touch('faults'),
    });
    const door = {
      handle: (request: IngestRequest) => this.faults.handle(request),
      takesHead: (request: IncomingMessage) => this.faults.takesHead(request),
      timers,
      logger,
    };
    this.#listener = createListener({ ...door, onTlsHello: () => this.tlsHellos.heard() });
    this.#listening = stoppedState(this.workspace.ingestPort);
    this.authority = createLocalAuthority({ folder: options.workspace, sealer, clock, logger });
    this.https = new HttpsIngest({
      ...door,
      clock,
      issue: () => this.authority.issue(),
      kept: {
        read: () => this.#workspaceStore.setting('https'),
        save: (settings) => this.writer.write(() => this.#workspaceStore.saveSetting('https', settings)),
      },
      changed: () => this.feed.touchStatus(),
    });
  }

  get retryClock(): RetryClock {
    return this.clock.clock;
  }

  get listening(): ListenerView {
    return this.#listening;
  }

  /** Ports that this engine listens on. */
  ownPorts(): number[] {
    const http = this.#listening?.state === 'listening' ? [this.#listening.port] : [];
    const https = this.https?.port ?? null;
    return https === null ? http : [...http, https];
  }

  async start(): Promise<EngineInfo> {
    const { config, acceptAnyKey, ingestPort } = this.#options;
    const { clock, logger, timers } = this.ports;
    checkIngestConfig(config?.ingest);
    if (config !== undefined) await this.workspace.applyConfig(config);
    if (config?.receivers !== undefined) await this.receivers.applyConfig(config.receivers);
    await this.#takeIngestConfig(config?.ingest);
    if (config?.ingest?.faults !== undefined) await this.faults.applyConfig(config.ingest.faults);
    await this.clock.takeConfig(config?.clock);
    if (acceptAnyKey !== undefined) this.workspace.setAcceptAnyKey(acceptAnyKey);
    await this.workspace.ensureSource();
    const interrupted = await this.writer.write((changes) => {
      this.clock.keep(changes);
      failpoint('recovering');
      const dueAt = this.retryClock.now();
      const open = this.deliveries.recover(dueAt, clock.wall(), changes);
      this.metrics.recovered(this.#metricsStore.recovered(changes.messages, dueAt));
      return open;
    });
    if (interrupted > 0) logger.log('warn', 'attempts_interrupted', { attempts: interrupted });
    this.retention.start();
    await this.listen(ingestPort ?? this.workspace.ingestPort);
    if (this.#options.httpsPort !== undefined) await this.https.open(this.#options.httpsPort);
    this.applyDelivery();
    if (this.#options.controlSocket !== false)
      this.#control = await serveControlSocket(controlSocketPath(this.#options.workspace), (channel) =>
        channel.onClose(this.connect(channel)),
      );
    const beat = (): void => {
      this.#statusBeat();
      this.#heartbeat = timers.after(HEARTBEAT_MS, beat);
    };
    beat();
    // The receivers come up beside a running engine and cannot hold its start back.
    timers.soon(() => void this.receivers.start());
    // Likewise the certificate of the https listener, which takes some time to make.
    if (this.#options.httpsPort === undefined && this.https.state.enabled) timers.soon(() => void this.https.open());
    return { listener: this.#listening, https: this.https.state, workspace: this.#options.workspace };
  }

  /** Stops in order: no new calls, no new attempts, everything recorded, the store closed. Harmless when repeated. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    failpoint('stopping');
    this.#heartbeat?.cancel();
    this.faults.release();
    await Promise.all([this.#listener.stop(), this.https.stop()]);
    this.retention.stop();
    await this.dispatcher.stop(() => this.ports.transport.close());
    await this.replayer.settled();
    await this.receivers.stop();
    await this.#control?.close();
    this.feed.close();
    this.metrics.close();
    this.writer.flush();
    this.#db.close();
    this.#lock.release();
  }

  /** Serves the contract on a channel; returns what to call when the channel has closed. */
  connect(channel: Channel): () => void {
    let subscription: Subscription | null = null;
    const peer = serveContract(
      channel,
      createHandlers(this, {
        hello: (since) => {
          subscription?.close();
          const subscribed = this.feed.subscribe(peer, since?.epoch === this.epoch ? since.seq : null);
          subscription = subscribed.subscription;
          return this.snapshots.hello(this.epoch, this.feed.seq, since !== undefined && !subscribed.resumed);
        },
        setHidden: (hidden) => subscription?.setHidden(hidden),
      }),
      (error) =>
        this.ports.logger.log('error', 'contract_bug', {
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    );
    return () => {
      subscription?.close();
      peer.close();
    };
  }

  /** Listens on `port`; a taken port is a state of the listener, not an error: everything else runs. */
  async listen(port: number): Promise<ListenerView> {
    await this.#listener.stop();
    try {
      const bound = await this.#listener.start(port);
      this.#listening = listeningState(bound);
      this.workspace.setPort(bound.port);
    } catch (error) {
      this.#listening = notListening(error, port);
    }
    this.ports.logger.log('info', 'ingest_listener', { state: this.#listening.state, port: this.#listening.port });
    this.feed.touchStatus();
    return this.#listening;
  }

  async #takeIngestConfig({ https, browserSdk }: NonNullable<Config['ingest']> = {}): Promise<void> {
    if (https !== undefined) await this.https.keep(https);
    if (browserSdk !== undefined)
      await this.writer.write(() => this.#workspaceStore.saveSetting('browser_sdk', browserSdk));
  }

  /** Delivery takes over webhooks and settings as they are now. */
  applyDelivery(): void {
    this.receivers.applySecret();
    const on = this.workspace.destinationSettings.enabled;
    const webhooks = this.workspace.webhooks.map((webhook) => ({ ...webhook, enabled: webhook.enabled && on }));
    this.dispatcher.hold(!this.workspace.secretsReadable || this.workspace.destinationSettings.paused);
    this.dispatcher.setWebhooks(webhooks);
    if (!webhooks.some((webhook) => webhook.enabled)) return;
    void this.writer
      .write((changes) => this.deliveries.resumePaused(this.retryClock.now(), changes))
      .then(
        () => this.dispatcher.refresh(),
        () => {},
      );
  }

  #committed(changes: Changes): void {
    this.#counters.committed(changes);
    for (const id of changes.inserted) this.ranks.append(id);
    this.ranks.removeAll(changes.removed);
    this.feed.committed(changes);
    this.retention?.committed(changes);
  }

  /** Ids without gaps, the usual case, need no scan. */
  #loadRanks(): void {
    const range = this.lists.idRange();
    if (range === null) return;
    if (range.last - range.first + 1 === this.#counters.total()) this.ranks.appendRange(range.first, range.last);
    else for (const id of this.lists.allIds()) this.ranks.append(id);
  }

  /** Rates fall and due times pass without a commit. */
  #statusBeat(): void {
    const now = this.snapshots.fingerprint();
    if (now === this.#lastStatus) return;
    this.#lastStatus = now;
    this.feed.touchStatus();
  }

  /** Stores, and hands what is due to delivery in the same turn as its commit. */
  #ingestStore(): IngestStore {
    return {
      full: () => this.retention.full,
      storeRequest: async (request, messages, dedupe) => {
        const dueAt = this.retryClock.now();
        const stored = await this.requests.storeRequest(request, messages, dedupe, dueAt);
        this.metrics.stored(request.receivedAt, messages, stored);
        this.dispatcher.offer(freshlyDue(messages, stored, request.receivedAt, dueAt));
        return stored;
      },
    };
  }

  #observer(): IngestObserver {
    return {
      stored: (messages) => this.snapshots.received(messages.length),
      answered: ({ rejected }) => {
        this.snapshots.answered(rejected);
        this.feed.touchStatus();
      },
    };
  }
}
