/** The listeners that calls come in on: the http one and, when asked for, the https one. */
import type { IncomingMessage } from 'node:http';
import type { Clock, Logger, Timers } from '../ports.ts';
import { HttpsIngest, type HttpsParts } from './https.ts';
import { createListener, type Listener } from './listener.ts';
import { type ListenerState, listeningState, notListening, stoppedState } from './listener-state.ts';
import type { OpenPorts } from './open-ports.ts';
import type { IngestRequest, IngestResponse } from './request.ts';

/** What stands before ingest and passes requests on to it. */
export interface RequestHandler {
  /** Never rejects. */
  handle(request: IngestRequest): Promise<IngestResponse>;
  /** True when it has taken the request over before its body is read. */
  takesHead(request: IncomingMessage): boolean;
  /** Lets go of every request that is held back. */
  release(): void;
}

export interface IngestServerDeps {
  readonly handler: RequestHandler;
  readonly openPorts: OpenPorts;
  /** The port to show until the first start. */
  readonly port: number;
  readonly https: Pick<HttpsParts, 'issue' | 'kept'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** A client spoke TLS to the plain http port. */
  onTlsHello(): void;
  /** A listener is in another state. */
  changed(): void;
}

export class IngestServer {
  readonly #deps: IngestServerDeps;
  readonly #http: Listener;
  readonly https: HttpsIngest;
  #listening: ListenerState;

  constructor(deps: IngestServerDeps) {
    this.#deps = deps;
    const { handler, clock, timers, logger } = deps;
    const listener = {
      handle: (request: IngestRequest) => handler.handle(request),
      takesHead: (request: IncomingMessage) => handler.takesHead(request),
      timers,
      logger,
    };
    this.#http = createListener({ ...listener, onTlsHello: () => deps.onTlsHello() });
    this.#listening = stoppedState(deps.port);
    this.https = new HttpsIngest({ ...listener, ...deps.https, clock, changed: () => this.#httpsChanged() });
  }

  /** The http listener as it is. */
  get listening(): ListenerState {
    return this.#listening;
  }

  /** Listens for http on `port`. A taken port is a state of the listener, not an error: everything else runs. */
  async listen(port: number): Promise<ListenerState> {
    const { logger, openPorts } = this.#deps;
    await this.#http.stop();
    openPorts.http = null;
    try {
      const bound = await this.#http.start(port);
      this.#listening = listeningState(bound);
      openPorts.http = bound.port;
    } catch (error) {
      this.#listening = notListening(error, port);
    }
    const { state } = this.#listening;
    logger.log('info', 'ingest_listener', { state, port: this.#listening.port });
    this.#deps.changed();
    return this.#listening;
  }

  #httpsChanged(): void {
    this.#deps.openPorts.https = this.https.port;
    this.#deps.changed();
  }

  /** No new calls; what is held back is let go. */
  async close(): Promise<void> {
    this.#deps.handler.release();
    await Promise.all([this.#http.stop(), this.https.stop()]);
  }
}
