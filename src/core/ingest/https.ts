/**
 * The optional https listener of ingest, for clients that speak nothing else: same handler, same limits, a port of
 * its own and a server certificate of the workspace's local authority that it renews by itself.
 */
import type { Clock, Timer } from '../ports.ts';
import { createListener, type Listener, type ListenerParts, type TlsIdentity } from './listener.ts';
import { type ListenerState, listeningState, notListening, stoppedState } from './listener-state.ts';

export const DEFAULT_HTTPS_PORT = 8768;

export interface HttpsSettings {
  readonly enabled: boolean;
  readonly port: number;
}

export const DEFAULT_HTTPS: HttpsSettings = { enabled: false, port: DEFAULT_HTTPS_PORT };

/** What is left out stays. */
export interface GivenHttps {
  readonly enabled?: boolean | undefined;
  readonly port?: number | undefined;
}

/** Why a client went away before the connection was secure. */
export type RefusalReason = 'authority_not_trusted' | 'plain_http' | 'handshake_failed';

/** Connections that came to nothing since the start. */
export interface Refusals {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly lastAt: number;
  readonly reason: RefusalReason;
}

export interface HttpsState extends ListenerState {
  readonly enabled: boolean;
  readonly refused: Refusals | null;
}

/** Those of the http listener, and what is special here. */
export interface HttpsParts extends Omit<ListenerParts, 'onTlsHello' | 'onTlsFailure'> {
  /** A new certificate for localhost; `validTo` in epoch milliseconds. Rejects when none can be made. */
  issue(): Promise<TlsIdentity & { readonly validTo: number }>;
  readonly clock: Clock;
  /** The stored settings. */
  readonly kept: { read(): Partial<HttpsSettings> | undefined; save(settings: HttpsSettings): Promise<void> };
  /** Its state is another one. */
  changed(): void;
}

const DAY_MS = 86_400_000;
/** A certificate with less left than this is replaced. */
const RENEW_MS = 30 * DAY_MS;
/** Looked at this often: a timer is never trusted over days. */
const LOOK_MS = 3_600_000;

/** What clients send when they do not accept the certificate (RFC 8446, section 6.2), and what older ones send. */
const NOT_TRUSTED =
  /ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|CERTIFICATE_EXPIRED|UNSUPPORTED_CERTIFICATE)/;

export class HttpsIngest {
  readonly #parts: HttpsParts;
  readonly #listener: Listener;
  #settings: HttpsSettings;
  #listening: ListenerState;
  #refused: Refusals | null = null;
  #validTo = 0;
  #look: Timer | null = null;
  /** One change after the other: two starts at once would fight for the port. */
  #turn: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(parts: HttpsParts) {
    this.#parts = parts;
    this.#settings = this.kept;
    this.#listening = stoppedState(this.#settings.port);
    this.#listener = createListener({ ...parts, onTlsFailure: (error) => this.#refusedBy(error) });
  }

  get state(): HttpsState {
    return { ...this.#listening, enabled: this.#settings.enabled, refused: this.#refused };
  }

  /** The port that it listens on now, or null. */
  get port(): number | null {
    return this.#listening.state === 'listening' ? this.#listening.port : null;
  }

  /** Listens as the stored settings say; a port given for this run turns it on and is not kept. */
  open(givenPort?: number): Promise<HttpsState> {
    return this.#inTurn(() =>
      this.#apply(givenPort === undefined ? this.#settings : { enabled: true, port: givenPort }),
    );
  }

  /** Takes over what is given, keeps it and listens or stops; also tries a port again. Rejects when nothing can be kept. */
  change(given: GivenHttps): Promise<HttpsState> {
    return this.#inTurn(async () => {
      await this.keep(given);
      return this.#apply(this.#settings);
    });
  }

  /** As stored: a port that was given for this run is not. */
  get kept(): HttpsSettings {
    return { ...DEFAULT_HTTPS, ...this.#parts.kept.read() };
  }

  /** Keeps what is given for the next time it listens. */
  async keep({ enabled = this.#settings.enabled, port = this.#settings.port }: GivenHttps): Promise<void> {
    await this.#parts.kept.save({ enabled, port });
    this.#settings = { enabled, port };
    if (this.#listening.state === 'stopped') this.#listening = stoppedState(port);
  }

  #inTurn(act: () => Promise<HttpsState>): Promise<HttpsState> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => {});
    return done;
  }

  async stop(): Promise<void> {
    this.#ended = true;
    await this.#turn;
    // After the turn: a start that was under way has set it.
    this.#look?.cancel();
    await this.#listener.stop();
  }

  async #apply(settings: HttpsSettings): Promise<HttpsState> {
    this.#look?.cancel();
    this.#settings = settings;
    await this.#listener.stop();
    this.#listening =
      settings.enabled && !this.#ended ? await this.#listen(settings.port) : stoppedState(settings.port);
    const { state, port } = this.#listening;
    this.#parts.logger.log('info', 'ingest_https_listener', { state, port });
    this.#parts.changed();
    return this.state;
  }

  async #listen(port: number): Promise<ListenerState> {
    let identity: TlsIdentity;
    try {
      identity = await this.#newIdentity();
    } catch (error) {
      const message = `No certificate could be made. ${(error as Error).message}`;
      return { state: 'failed', port, message, holder: null };
    }
    try {
      const bound = await this.#listener.start(port, identity);
      this.#lookLater();
      return listeningState(bound);
    } catch (error) {
      return notListening(error, port);
    }
  }

  async #newIdentity(): Promise<TlsIdentity> {
    const { cert, key, validTo } = await this.#parts.issue();
    this.#validTo = validTo;
    return { cert, key };
  }

  #lookLater(): void {
    this.#look = this.#parts.timers.after(LOOK_MS, () => {
      this.#turn = this.#turn.then(() => this.#renewIfDue());
    });
  }

  async #renewIfDue(): Promise<void> {
    if (this.#ended || this.port === null) return;
    if (this.#validTo - this.#parts.clock.wall() <= RENEW_MS) {
      try {
        this.#listener.renew(await this.#newIdentity());
        this.#parts.changed();
      } catch (error) {
        this.#parts.logger.log('error', 'certificate_not_renewed', { message: (error as Error).message });
      }
    }
    this.#lookLater();
  }

  #refusedBy(error: NodeJS.ErrnoException): void {
    const reason = refusalReason(error.code ?? '');
    if (reason === null) return;
    const lastAt = this.#parts.clock.wall();
    this.#refused = { count: (this.#refused?.count ?? 0) + 1, lastAt, reason };
    this.#parts.changed();
  }
}

/** Null for a client that just went away: browsers open connections that they may not use. */
export function refusalReason(code: string): RefusalReason | null {
  if (code === 'ECONNRESET' || code === 'ERR_TLS_HANDSHAKE_TIMEOUT') return null;
  if (code === 'ERR_SSL_HTTP_REQUEST') return 'plain_http';
  return NOT_TRUSTED.test(code) ? 'authority_not_trusted' : 'handshake_failed';
}
