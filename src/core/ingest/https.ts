/**
 * The optional https listener of ingest, for clients that speak only https. It has the handler and the limits of the
 * http listener, a port of its own, and a server certificate from the workspace's local authority, which it renews.
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

/** A field that is left out keeps its value. */
export interface GivenHttps {
  readonly enabled?: boolean | undefined;
  readonly port?: number | undefined;
}

/** Why a client went away before the connection was secure. */
export type RefusalReason = 'authority_not_trusted' | 'plain_http' | 'handshake_failed';

/** Connections since the start that ended before they were secure. */
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

/** The parts of the http listener, and what only the https listener needs. */
export interface HttpsParts extends Omit<ListenerParts, 'onTlsHello' | 'onTlsFailure'> {
  /** Makes a new certificate for localhost; `validTo` is in epoch milliseconds. Rejects when it cannot. */
  issue(): Promise<TlsIdentity & { readonly validTo: number }>;
  readonly clock: Clock;
  /** The stored settings. */
  readonly kept: { read(): Partial<HttpsSettings> | undefined; save(settings: HttpsSettings): Promise<void> };
  /** Called when the state has changed. */
  changed(): void;
}

const DAY_MS = 86_400_000;
/** The listener replaces a certificate that is valid for less than this. */
const RENEW_MS = 30 * DAY_MS;
/** How often it checks: a timer cannot be trusted over days. */
const LOOK_MS = 3_600_000;

/** The alerts that clients send when they refuse the certificate (RFC 8446, section 6.2), older clients included. */
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
  /** Changes run one after the other: two starts at once would compete for the port. */
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

  /** Listens as the stored settings say. A port given for this run turns the listener on and is not stored. */
  open(givenPort?: number): Promise<HttpsState> {
    return this.#inTurn(() =>
      this.#apply(givenPort === undefined ? this.#settings : { enabled: true, port: givenPort }),
    );
  }

  /**
   * Stores the given settings, then listens or stops; this also tries a taken port again. Rejects when it cannot
   * store.
   */
  change(given: GivenHttps): Promise<HttpsState> {
    return this.#inTurn(async () => {
      await this.keep(given);
      return this.#apply(this.#settings);
    });
  }

  /** The stored settings, without a port that was given for this run. */
  get kept(): HttpsSettings {
    return { ...DEFAULT_HTTPS, ...this.#parts.kept.read() };
  }

  /** Stores the given settings for the next time it listens. */
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
    // Read after the wait: a start that was under way may have set it.
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

/** Null for a client that just left: browsers open connections that they may never use. */
export function refusalReason(code: string): RefusalReason | null {
  if (code === 'ECONNRESET' || code === 'ERR_TLS_HANDSHAKE_TIMEOUT') return null;
  if (code === 'ERR_SSL_HTTP_REQUEST') return 'plain_http';
  return NOT_TRUSTED.test(code) ? 'authority_not_trusted' : 'handshake_failed';
}
