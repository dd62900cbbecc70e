/** Clients that spoke TLS to the plain http port: counted for the interface, logged once a minute at most. */
import type { Clock, Logger } from '../ports.ts';

const LOG_EVERY_MS = 60_000;

/** Since the start. */
export interface TlsHelloCount {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly lastAt: number;
}

export class TlsHellos {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #changed: () => void;
  #seen: TlsHelloCount | null = null;
  #loggedAt = Number.NEGATIVE_INFINITY;

  /** `changed` is called for each. */
  constructor(clock: Clock, logger: Logger, changed: () => void) {
    this.#clock = clock;
    this.#logger = logger;
    this.#changed = changed;
  }

  /** Null until the first one. */
  get seen(): TlsHelloCount | null {
    return this.#seen;
  }

  heard(): void {
    const count = (this.#seen?.count ?? 0) + 1;
    this.#seen = { count, lastAt: this.#clock.wall() };
    const now = this.#clock.mono();
    if (now - this.#loggedAt >= LOG_EVERY_MS) {
      this.#loggedAt = now;
      this.#logger.log('warn', 'tls_on_http_port', { count });
    }
    this.#changed();
  }
}
