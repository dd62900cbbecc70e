/** Where calls come in: ingest behind its faults, on the http listener and, when asked for, on the https one. */
import type { IncomingMessage } from 'node:http';
import { isAbsolute } from 'node:path';
import type { Config } from '../../contract/config.ts';
import type { HttpsView, ListenerView } from '../../contract/values.ts';
import { Faults } from '../faults/faults.ts';
import { createLocalAuthority, type LocalAuthority } from '../local-authority/authority.ts';
import type { Ports } from '../ports.ts';
import { Tally } from '../serving/tally.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { WorkspaceStore } from '../store/workspace.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { ConfigValueError } from '../workspace/workspace-config.ts';
import { HttpsIngest } from './https.ts';
import { createIngest, type Ingest } from './ingest.ts';
import { createListener, type Listener } from './listener.ts';
import { listeningState, notListening, stoppedState } from './listener-state.ts';
import type { IngestObserver, IngestStore } from './ports.ts';
import type { IngestRequest } from './request.ts';

export interface DoorsDeps {
  /** Absolute path of the workspace folder: the local authority lies there. */
  readonly folder: string;
  readonly ports: Pick<Ports, 'clock' | 'timers' | 'ids' | 'random' | 'sealer' | 'logger'>;
  readonly workspace: Workspace;
  readonly settings: Pick<WorkspaceStore, 'setting' | 'saveSetting'>;
  /** How many messages with this id are stored. */
  rowsOf(messageId: string, sourceId: number | undefined): number;
  readonly store: IngestStore;
  readonly observer: IngestObserver;
  write<T>(job: (changes: Changes) => T): Promise<T>;
  statusChanged(): void;
  faultsChanged(): void;
}

type IngestConfig = NonNullable<Config['ingest']>;

export class Doors {
  readonly #deps: DoorsDeps;
  readonly ingest: Ingest;
  readonly faults: Faults;
  readonly https: HttpsIngest;
  readonly authority: LocalAuthority;
  /** Clients that spoke TLS to the plain http port. */
  readonly tlsHellos: Tally;
  readonly #http: Listener;
  #listening: ListenerView;

  constructor(deps: DoorsDeps) {
    this.#deps = deps;
    const { workspace, settings, write } = deps;
    const { clock, timers, ids, random, sealer, logger } = deps.ports;
    this.ingest = createIngest({
      store: deps.store,
      workspace,
      observer: deps.observer,
      clock,
      ids,
      logger,
      httpsPort: () => this.https.port,
      browserSdkFolder: () => settings.setting<string | null>('browser_sdk') ?? null,
    });
    this.faults = new Faults({
      handle: (request) => this.ingest.handle(request),
      clock,
      timers,
      random,
      stored: settings.setting('faults'),
      save: (kept) => write(() => settings.saveSetting('faults', kept)),
      rowsOf: (messageId, writeKey) => deps.rowsOf(messageId, workspace.sourceByKey(writeKey ?? '')?.id),
      changed: deps.faultsChanged,
    });
    this.tlsHellos = new Tally(clock, logger, 'tls_on_http_port', deps.statusChanged);
    const door = {
      handle: (request: IngestRequest) => this.faults.handle(request),
      takesHead: (request: IncomingMessage) => this.faults.takesHead(request),
      timers,
      logger,
    };
    this.#http = createListener({ ...door, onTlsHello: () => this.tlsHellos.add() });
    this.#listening = stoppedState(workspace.ingestPort);
    this.authority = createLocalAuthority({ folder: deps.folder, sealer, clock, logger });
    this.https = new HttpsIngest({
      ...door,
      clock,
      issue: () => this.authority.issue(),
      kept: { read: () => settings.setting('https'), save: (kept) => write(() => settings.saveSetting('https', kept)) },
      changed: deps.statusChanged,
    });
  }

  /** The http listener as it is. */
  get listening(): ListenerView {
    return this.#listening;
  }

  httpsView(): HttpsView {
    return { ...this.https.state, authority: this.authority.known() };
  }

  /** Ports that calls come in on now. */
  ports(): number[] {
    const http = this.#listening.state === 'listening' ? [this.#listening.port] : [];
    return this.https.port === null ? http : [...http, this.https.port];
  }

  /** Ports that calls will come in on with this config and these of the command line; any free one (0) is not known yet. */
  plannedPorts(config: IngestConfig = {}, given: { readonly http?: number; readonly https?: number }): number[] {
    const { enabled, port } = { ...this.https.state, ...config.https };
    const http = given.http ?? config.port ?? this.#deps.workspace.ingestPort;
    const https = given.https ?? (enabled ? port : 0);
    return [http, https].filter((planned) => planned !== 0);
  }

  /** Throws a ConfigValueError; nothing is taken over yet. */
  checkConfig({ browserSdk }: IngestConfig = {}): void {
    if (typeof browserSdk === 'string' && !isAbsolute(browserSdk))
      throw new ConfigValueError('ingest.browserSdk', 'Enter the absolute path of a folder.');
  }

  async takeConfig({ https, browserSdk, faults }: IngestConfig = {}): Promise<void> {
    const { write, settings } = this.#deps;
    if (https !== undefined) await this.https.keep(https);
    if (browserSdk !== undefined) await write(() => settings.saveSetting('browser_sdk', browserSdk));
    if (faults !== undefined) await this.faults.applyConfig(faults);
  }

  /** Listens for http on `port`; a taken port is a state of the listener, not an error: everything else runs. */
  async listen(port: number): Promise<ListenerView> {
    await this.#http.stop();
    try {
      const bound = await this.#http.start(port);
      this.#listening = listeningState(bound);
      this.#deps.workspace.setPort(bound.port);
    } catch (error) {
      this.#listening = notListening(error, port);
    }
    const { state } = this.#listening;
    this.#deps.ports.logger.log('info', 'ingest_listener', { state, port: this.#listening.port });
    this.#deps.statusChanged();
    return this.#listening;
  }

  /** No new calls; what a fault held back is let go. */
  async close(): Promise<void> {
    this.faults.release();
    await Promise.all([this.#http.stop(), this.https.stop()]);
  }
}
