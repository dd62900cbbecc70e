/**
 * The worker of the lab: its two listeners, what it reports about the receivers, and questions to it.
 *
 * States of a listener: `off` (not wanted, or no worker), `starting`, `listening`, `port_in_use`, `failed`.
 */
import { ContractError } from '../../contract/errors.ts';
import type { ReceiverListenerView } from '../../contract/receivers.ts';
import type { Logger } from '../ports.ts';
import type { QuestionName, Questions } from './messages.ts';
import type { Receiver } from './program.ts';
import type { ReceiverState } from './receiver-set.ts';
import { ReceiversEndedError, ReceiversThread } from './receivers-thread.ts';
import type { Scheme } from './server.ts';

export type ReceiverPorts = Readonly<Record<Scheme, number>>;

export interface LabWorkerDeps {
  /** When absent, receivers are off. */
  readonly worker: string | URL | undefined;
  readonly logger: Logger;
  receivers(): readonly Receiver[];
  /** Null without a secret. */
  sharedSecret(): string | null;
  /** Called when the state of a listener or a receiver has changed. */
  changed(): void;
}

const SCHEMES = ['http', 'https'] as const;
const OFF_MESSAGE = 'Receivers are off for this start.';

export class LabWorker {
  readonly #deps: LabWorkerDeps;
  readonly #states = new Map<string, ReceiverState>();
  #listeners: Record<Scheme, ReceiverListenerView>;
  #thread: ReceiversThread | null = null;
  #secret: string | null = null;
  /** Requests to listen run one after the other. */
  #listening: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(deps: LabWorkerDeps, ports: ReceiverPorts) {
    this.#deps = deps;
    const view = (port: number): ReceiverListenerView =>
      deps.worker === undefined
        ? { state: 'off', port, message: OFF_MESSAGE, holder: null }
        : { state: 'starting', port, message: null, holder: null };
    this.#listeners = { http: view(ports.http), https: view(ports.https) };
  }

  get listeners(): Readonly<Record<Scheme, ReceiverListenerView>> {
    return this.#listeners;
  }

  /** What the worker has reported about a receiver, or undefined. */
  state(id: string): ReceiverState | undefined {
    return this.#states.get(id);
  }

  /** Sets the ports that `start` will ask for. */
  setPorts(ports: ReceiverPorts): void {
    for (const scheme of SCHEMES) this.#setListener(scheme, { ...this.#listeners[scheme], port: ports[scheme] });
  }

  /** Starts the worker if it does not run, and listens. Resolves when the ports have a state. Never rejects. */
  listen(ports: Partial<ReceiverPorts>): Promise<void> {
    const done = this.#listening.then(() => this.#listenNow(ports));
    this.#listening = done;
    return done;
  }

  async #listenNow(ports: Partial<ReceiverPorts>): Promise<void> {
    const { worker, logger } = this.#deps;
    if (worker === undefined || this.#stopped) return;
    this.#thread ??= this.#startThread(worker);
    for (const scheme of SCHEMES) {
      const port = ports[scheme];
      if (port === undefined) continue;
      this.#setListener(scheme, { state: 'starting', port, message: null, holder: null });
      try {
        this.#setListener(scheme, await this.#thread.ask('listen', { scheme, port }));
      } catch (error) {
        // If the worker has ended, `ended` has reported more.
        if (this.#thread === null) return;
        this.#setListener(scheme, { state: 'failed', port, message: (error as Error).message, holder: null });
      }
      const { state, port: taken } = this.#listeners[scheme];
      logger.log('info', 'receivers_listener', { scheme, state, port: taken });
    }
  }

  #startThread(worker: string | URL): ReceiversThread {
    const thread = new ReceiversThread(worker, {
      changed: (states) => {
        for (const state of states) this.#states.set(state.id, state);
        this.#deps.changed();
      },
      ended: (message) => this.#ended(thread, message),
    });
    // `ended` reports a worker that ends before it answers.
    thread.ask('configure', this.#deps.receivers()).catch(() => {});
    this.#secret = this.#deps.sharedSecret();
    thread.setSecret(this.#secret);
    return thread;
  }

  /** The memory of the worker is lost. A person may start it again. */
  #ended(thread: ReceiversThread, message: string): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#states.clear();
    this.#deps.logger.log('error', 'receivers_ended', { message });
    for (const scheme of SCHEMES) {
      const { port } = this.#listeners[scheme];
      this.#setListener(scheme, { state: 'failed', port, message: `The receivers ended. ${message}`, holder: null });
    }
  }

  #setListener(scheme: Scheme, view: ReceiverListenerView): void {
    this.#listeners = { ...this.#listeners, [scheme]: view };
    this.#deps.changed();
  }

  /** The set has changed; resolves once the worker serves the new one. */
  async configure(): Promise<void> {
    const receivers = this.#deps.receivers();
    const ids = new Set(receivers.map(({ id }) => id));
    for (const id of [...this.#states.keys()]) if (!ids.has(id)) this.#states.delete(id);
    this.#deps.changed();
    await this.#thread?.ask('configure', receivers).catch(() => {});
  }

  /** The shared secret may have changed. */
  applySecret(): void {
    const secret = this.#deps.sharedSecret();
    if (secret === this.#secret) return;
    this.#secret = secret;
    this.#thread?.setSecret(secret);
  }

  /** Error `receivers_off`. */
  async ask<N extends QuestionName>(name: N, argument: Questions[N][0]): Promise<Questions[N][1]> {
    if (this.#thread === null) throw new ContractError('receivers_off');
    try {
      return await this.#thread.ask(name, argument);
    } catch (error) {
      if (error instanceof ReceiversEndedError) throw new ContractError('receivers_off');
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const thread = this.#thread;
    this.#thread = null;
    await thread?.stop();
  }
}
