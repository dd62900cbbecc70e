/** The calls and their fields (client specification, section 2.2), and what the client tells. */
import type { LossError } from './errors.ts';

/** Anything that JSON can express. Dates become ISO 8601, NaN and infinities null, as JSON.stringify has it. */
export type Fields = Readonly<Record<string, unknown>>;

/** Destinations by their exact names; `All` is every other one (client specification, section 4.2). */
export type Integrations = Readonly<Record<string, boolean | Fields>>;

/** What every kind of call takes. `null` and empty text count as not given. */
export interface Common {
  /** Extra context such as `ip` or `locale`; not attributes of the user. */
  readonly context?: Fields | null;
  /** Left out, all destinations are enabled. */
  readonly integrations?: Integrations | null;
  /** When it happened: a date, or ISO 8601 text, which is sent as it is. Left out, the time of the call. */
  readonly timestamp?: Date | string | null;
  /** Under 100 characters; the server stores a repeated one once. Left out, a new UUID. */
  readonly messageId?: string | null;
}

/** Who it is: a userId, an anonymousId or both. */
export type Identity =
  | { readonly userId: string; readonly anonymousId?: string | null }
  | { readonly userId?: string | null; readonly anonymousId: string };

export type Identify = Common & Identity & { readonly traits?: Fields | null };

export type Track = Common & Identity & { readonly event: string; readonly properties?: Fields | null };

interface Viewed extends Common {
  readonly name?: string | null;
  readonly category?: string | null;
  /** Sent as `properties`; `url`, `title`, `referrer` and `path` are recognised by destinations. */
  readonly traits?: Fields | null;
  /** The same under its name on the wire. Give one of the two. */
  readonly properties?: Fields | null;
}

/** `userId` is required unless the client allows anonymous pages. */
export type Page = Viewed & Identity;

/** Ours: version 2 has no screen call. */
export type Screen = Viewed & Identity;

export type Group = Common & Identity & { readonly groupId: string; readonly traits?: Fields | null };

export interface Alias extends Common {
  /** The user's id from now on. */
  readonly userId: string;
  /** The id to alias from. */
  readonly previousId: string;
}

export type Kind = 'identify' | 'track' | 'page' | 'screen' | 'group' | 'alias';

/** What became of the messages that a `flush` or `close` waited for. */
export interface Outcome {
  /** Messages that the server accepted. */
  readonly sent: number;
  /** Messages that were lost; each of them was given to `onError` too. */
  readonly lost: number;
  readonly losses: readonly LossError[];
}

/** Counts since the client was made: `accepted` is always `sent + lost + queued`. */
export interface Stats {
  readonly accepted: number;
  /** Calls that came back with an error. */
  readonly refused: number;
  readonly sent: number;
  readonly lost: number;
  /** Accepted, but neither sent nor lost yet. */
  readonly queued: number;
  /** Of those, in bytes of UTF-8. */
  readonly queuedBytes: number;
}

/** Milliseconds. */
export interface Clock {
  /** Since the epoch; may jump. */
  wall(): number;
  /** From an arbitrary start, never backwards. */
  mono(): number;
}

export interface Timers {
  /** Calls `run` once after `delayMs`. */
  after(delayMs: number, run: () => void): { cancel(): void };
}

export interface Ids {
  /** A new random UUID. */
  uuid(): string;
}

/** What the client asks of a `fetch`. */
export interface FetchInit {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  redirect: 'manual';
  credentials: 'omit';
  keepalive: boolean;
}

/** What the client uses of an answer. */
export interface FetchAnswer {
  readonly status: number;
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
  readonly body?: ReadableStream<Uint8Array> | null;
}

export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

/** `debug` only while logging is on; `warn` for what went wrong. */
export type Logger = (level: 'debug' | 'warn', text: string) => void;

/** All options of a client. Times in milliseconds, sizes in bytes of UTF-8. */
export interface ClientOptions {
  /** Where to send: http or https. `/v1/batch` is added unless the address ends with a batch path. */
  readonly endpoint?: string;
  /** Messages queued before a flush, 1 to 2,500; 1 sends each message by itself. Default 20. */
  readonly size?: number;
  /** Another name of `size`. */
  readonly flushAt?: number;
  /** Milliseconds since the last flush after which what is queued is sent. Default 5,000. */
  readonly flushAfterMs?: number;
  /** Another name of `flushAfterMs`, in milliseconds too. */
  readonly flushAfter?: number;
  /** Accepted messages that are not sent yet; more are refused with `queue_full`. Default 10,000. */
  readonly maxQueuedMessages?: number;
  /** The same in bytes. Default 32 MiB. */
  readonly maxQueuedBytes?: number;
  /** Requests at once. With 1, the default, batches arrive in order. */
  readonly concurrency?: number;
  /** Milliseconds that one request may take. Default 10,000. */
  readonly timeoutMs?: number;
  /** Requests made for a batch before it is given up. Default 10. */
  readonly maxTries?: number;
  /** Milliseconds before the second try; doubles from there. Default 100. */
  readonly backoffMs?: number;
  /** Milliseconds that the doubling stops at. Default 10,000. */
  readonly backoffCapMs?: number;
  /** Milliseconds at most that a Retry-After is honoured for. Default 300,000. */
  readonly retryAfterCapMs?: number;
  /** Takes a page call with an anonymousId alone. Default false: the specification requires the userId. */
  readonly allowAnonymousPages?: boolean;
  /** Logs as with DEBUG=analytics. Default false. */
  readonly verbose?: boolean;
  /** Called once for accepted messages that were lost. */
  readonly onError?: (loss: LossError) => void;
  /** Instead of the console. */
  readonly logger?: Logger;
  /** For tests, as the next three are: the platform's when left out. */
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly ids?: Ids;
  readonly fetch?: Fetch;
}
