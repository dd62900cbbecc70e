/**
 * What the core needs from outside. Real implementations live in `adapters/`, simulated ones in `tests/helpers/`.
 * Nothing in the core reads a clock, sets a timer, draws a random number or opens a socket except through these.
 */
import type { AttemptResult } from './model/attempt.ts';
import type { Header } from './model/header.ts';
import type { WirePlace } from './model/wire-place.ts';

/** Time in milliseconds. */
export interface Clock {
  /** Epoch milliseconds, whole. May jump when the machine's clock is set. */
  wall(): number;
  /** Milliseconds from an arbitrary start, fractional, never backwards. */
  mono(): number;
}

/** A pending call; cancelling twice is harmless. */
export interface Timer {
  cancel(): void;
}

export interface Timers {
  /** Calls `run` once after `delayMs` of real time, never before. */
  after(delayMs: number, run: () => void): Timer;
  /** Calls `run` after the current turn of the event loop has taken its I/O. */
  soon(run: () => void): void;
}

/** A source of chance; one seed gives one sequence. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
}

export interface Ids {
  /** A new random UUID for messages that came without an id. */
  uuid(): string;
  /** `bytes` random bytes as lowercase hex, for keys and tokens. */
  hex(bytes: number): string;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Never given a secret, a payload or a header value. */
export interface Logger {
  log(level: LogLevel, event: string, fields?: Readonly<Record<string, string | number | boolean | null>>): void;
}

/** One POST to one webhook. */
export interface AttemptRequest {
  /** Full http or https URL. */
  readonly url: string;
  /** Everything but Host, Connection and Content-Length, in the order sent. */
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  /** Real milliseconds for the whole attempt: DNS, TCP, TLS, request, response headers and body, every redirect. */
  readonly limitMs: number;
  /** How many redirects are followed; none when left out. */
  readonly maxRedirects?: number;
  /** POST when left out; a redirect may turn it into GET. */
  readonly method?: 'POST' | 'GET';
  /** Called when a request goes to the wire: once, and once more for each redirect that is followed. */
  readonly onWire?: (request: WireRequest) => void;
}

/** One request as it goes to the wire. */
export interface WireRequest extends WirePlace {
  /** With the query. */
  readonly path: string;
  readonly bodyBytes: number;
}

/** Sends attempts. Never throws for what a receiver does: every ending is an {@link AttemptResult}. */
export interface Transport {
  send(request: AttemptRequest): Promise<AttemptResult>;
  /** Aborts what is open and closes every connection. */
  close(): Promise<void>;
}

/** Seals secrets at rest. `open` throws when the value was sealed with another key or was altered. */
export interface Sealer {
  seal(plain: string): Uint8Array;
  open(sealed: Uint8Array): string;
}

/** The store could not be written: disk full, read-only, locked or damaged. Nothing of what was asked is stored. */
export class StoreNotWritableError extends Error {
  readonly code = 'store_not_writable';
}

/** A page that had to be written or read for it is damaged. Trying again does not help, and it concerns this write alone. */
export class StoreDamagedError extends StoreNotWritableError {}

/** A full disk or a lock is temporary; a damaged page is not. */
export const isPassing = (error: unknown): boolean =>
  error instanceof StoreNotWritableError && !(error instanceof StoreDamagedError);

/** Reads a whole file; throws when it cannot. */
export type ReadFile = (path: string) => Uint8Array;

export interface Ports {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly ids: Ids;
  readonly transport: Transport;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly readFile: ReadFile;
}
