/**
 * The engine over its parts. `start` applies the config, recovers from a crash and listens. `stop` undoes this in
 * order. A kill loses nothing more than a stop, because everything acknowledged is committed.
 */
import type { Channel } from '../../contract/channel.ts';
import { AFTER_LIMIT_MS } from '../delivery/sender.ts';
import { failpoint } from '../failpoint.ts';
import { controlSocketPath } from '../serving/control-path.ts';
import { type ControlSocket, serveControlSocket } from '../serving/control-socket.ts';
import type { Surface } from '../serving/handlers/webhooks.ts';
import { workspaceInfo } from '../serving/live.ts';
import { startError } from '../store/database.ts';
import { takeConfig } from '../workspace/settings-owner.ts';
import { applyDelivery } from './apply-delivery.ts';
import { serveClient } from './connection.ts';
import { demoBench } from './demo-parts.ts';
import type { EngineOptions } from './engine-options.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { EngineInfo, StopWait } from './engine-thread.ts';
import { Heartbeat } from './heartbeat.ts';
import { createParts, type EngineParts } from './parts.ts';
import { recover } from './recovery.ts';

export class Engine {
  readonly parts: EngineParts;
  readonly epoch: string;
  readonly #options: EngineOptions;
  readonly #heartbeat: Heartbeat;
  #control: ControlSocket | null = null;
  #stopped: Promise<void> | null = null;

  /** Opens the workspace. Throws a StoreOpenError; then nothing is held. */
  constructor(options: EngineOptions, ports: EnginePorts) {
    this.#options = options;
    this.epoch = ports.ids.hex(8);
    this.parts = createParts(options, ports);
    const { status, feed, store, demo } = this.parts;
    demo.connect(demoBench(this.parts));
    store.onWritable((writable) => this.#writable(writable));
    this.#heartbeat = new Heartbeat({
      timers: ports.timers,
      fingerprint: () => status.fingerprint(),
      changed: () => feed.touch('status'),
    });
  }

  /** Rejects with a StoreOpenError when the store turns out to be damaged. Call {@link stop} to undo what was begun. */
  async start(): Promise<EngineInfo> {
    try {
      return await this.#start();
    } catch (error) {
      throw startError(this.#options.workspace, error);
    }
  }

  async #start(): Promise<EngineInfo> {
    const { server, workspace, retention, audiences, deletions, status } = this.parts;
    await this.#takeSettings();
    await recover(this.parts);
    this.parts.bulkReplay.refresh();
    // Before retention, which may remove messages whose outcomes a crash kept from being written.
    await audiences.start();
    retention.start();
    deletions.start();
    await server.listen(this.#options.ingestPort ?? workspace.ingest.port);
    if (this.#options.httpsPort !== undefined) await server.https.open(this.#options.httpsPort);
    applyDelivery(this.parts);
    await this.#openControlSocket();
    this.#heartbeat.start();
    this.#startLater();
    const { listening, https } = server;
    const { notSending } = status.view();
    return { listener: listening, https: https.state, workspace: this.#options.workspace, notSending };
  }

  async #takeSettings(): Promise<void> {
    const { config, acceptAnyKey } = this.#options;
    const { owners, workspace, store, ports, demo } = this.parts;
    if (config !== undefined) await takeConfig(owners, config, this.#plannedPorts());
    if (acceptAnyKey !== undefined) workspace.ingest.acceptAnyKeyForNow(acceptAnyKey);
    await demo.prepare();
    await workspace.sources.ensureOne();
    if (store.unscrubbed) ports.logger.log('warn', 'store_not_scrubbed');
  }

  /** Ports on which calls will arrive. A port of 0 (any free one) is not known yet. */
  #plannedPorts(): number[] {
    const { config, ingestPort, httpsPort } = this.#options;
    const { server, workspace } = this.parts;
    const { enabled, port } = { ...server.https.kept, ...config?.ingest?.https };
    const http = ingestPort ?? config?.ingest?.port ?? workspace.ingest.port;
    const https = httpsPort ?? (enabled ? port : 0);
    return [http, https].filter((planned) => planned !== undefined && planned !== 0) as number[];
  }

  async #openControlSocket(): Promise<void> {
    const { workspace, controlSocket } = this.#options;
    if (controlSocket === false) return;
    this.#control = await serveControlSocket(controlSocketPath(workspace), (channel) =>
      channel.onClose(this.connect(channel)),
    );
  }

  /** Starts what may come up after the engine runs. Nothing waits for it, because making a certificate takes time. */
  #startLater(): void {
    const { receivers, server, demo, search } = this.parts;
    search.start(this.#options.acceptStore === true);
    this.#later(() => demo.start(receivers.start()));
    if (this.#options.httpsPort === undefined && server.https.kept.enabled) this.#later(() => void server.https.open());
  }

  /** In a later turn, unless the engine was told to stop before that. */
  #later(start: () => void): void {
    this.parts.ports.timers.soon(() => {
      if (this.#stopped === null) start();
    });
  }

  /**
   * Stops in order: refuses new calls, begins no attempts, ends those on the wire, records everything, closes the
   * store. Harmless when repeated. Calls `onWait` when there are open attempts to wait for.
   */
  stop(onWait: (waiting: StopWait) => void = () => {}): Promise<void> {
    this.#stopped ??= this.#stop(onWait);
    return this.#stopped;
  }

  async #stop(onWait: (waiting: StopWait) => void): Promise<void> {
    const { retention, deletions, dispatcher, server, replayer, receivers, people, search, feed, metrics, store } =
      this.parts;
    failpoint('stopping');
    this.#heartbeat.stop();
    retention.stop();
    this.parts.bulkReplay.close();
    replayer.close();
    await this.parts.demo.stop();
    await this.parts.audiences.stop();
    await deletions.stop();
    await Promise.all([dispatcher.stop(() => this.#endAttempts(onWait)), server.close()]);
    await replayer.settled();
    await receivers.stop();
    await people.stop();
    await search.stop();
    await this.#control?.close();
    feed.close();
    metrics.close();
    await store.endThreads();
    store.close();
  }

  /** Lets open attempts end by themselves within the time limit of an attempt, then interrupts the rest. */
  async #endAttempts(onWait: (waiting: StopWait) => void): Promise<void> {
    const { workspace, sender, transport, ports } = this.parts;
    const limitMs = workspace.destination.settings.timeoutMs + AFTER_LIMIT_MS;
    if (sender.open > 0) onWait({ attempts: sender.open, limitMs });
    await new Promise<void>((resolve) => {
      const limit = ports.timers.after(limitMs, resolve);
      void sender.close().then(() => {
        limit.cancel();
        resolve();
      });
    });
    await transport.close();
  }

  /**
   * Serves the contract on a channel. Returns a function to call when the channel has closed. Only a channel of the
   * interface gets what only the user may see.
   */
  connect(channel: Channel, surface: Surface = 'local_socket'): () => void {
    const { workspace: folder, version, shell, keyStorage = null } = this.#options;
    const info = workspaceInfo({ folder, version, shell, keyStorage });
    return serveClient({ parts: this.parts, epoch: this.epoch, info }, channel, surface);
  }

  #writable(writable: boolean): void {
    this.parts.ports.logger.log(writable ? 'info' : 'error', writable ? 'store_writable' : 'store_not_writable');
    // Repeats a resume that failed because the store failed.
    if (writable) applyDelivery(this.parts);
    this.parts.feed.touch('status');
  }
}
