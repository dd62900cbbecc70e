/**
 * The client library of the second specification: it queues calls in memory and sends them in batches in the
 * background. A call opens no request and throws nothing, and the client loses nothing without reporting it.
 */
import { addCall, type Batch, emptyBatch, isTooMuch } from './batch.ts';
import { type CallContext, encodeCall } from './call.ts';
import { CallError, type CallErrorCode, type LossError, OptionError } from './errors.ts';
import { nextFlushAt } from './flush-rule.ts';
import { createLog, type Log } from './log.ts';
import { type Changeable, FIXED_OPTIONS, type Settings, settingsOf, withChange } from './options.ts';
import { Outbox } from './outbox.ts';
import {
  consoleLogger,
  isBrowser,
  type PageStage,
  systemClock,
  systemFetch,
  systemIds,
  systemTimers,
  watchPage,
} from './platform.ts';
import { Tally } from './tally.ts';
import { timestampOf } from './timestamp.ts';
import type {
  Alias,
  ClientOptions,
  Clock,
  Group,
  Identify,
  Ids,
  Kind,
  Outcome,
  Page,
  Screen,
  Stats,
  Timers,
  Track,
} from './types.ts';
import { USER_AGENT } from './version.ts';

const CLOSE_LIMIT_MAX_MS = 2 ** 31 - 1;

/**
 * Records calls for one source (client specification, sections 2.1 and 4.1).
 *
 * Every call method returns `null` when the call was queued, else a {@link CallError} that says what is wrong with
 * it; it never throws. A queued call is sent, or reported to `onError` once.
 */
export class Client {
  #settings: Settings;
  readonly #onError: ((loss: LossError) => void) | undefined;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #ids: Ids;
  readonly #log: Log;
  readonly #context: CallContext;
  readonly #outbox: Outbox;
  readonly #unwatch: () => void;

  /** Calls that wait for the next flush. */
  #open: Batch | null = null;
  #batches = 0;
  #lastFlushAt: number;
  #flushTimer: { cancel(): void } | null = null;
  #closing: Promise<Outcome> | null = null;
  readonly #tallies = new Set<Tally>();
  readonly #warned = new Set<CallErrorCode>();
  #accepted = 0;
  #refused = 0;
  #sent = 0;
  #lost = 0;
  #queuedBytes = 0;

  /**
   * `writeKey` is that of the source; it travels as the Basic user name. Throws an OptionError when it or an option
   * cannot be used.
   */
  constructor(writeKey: string, options: ClientOptions = {}) {
    this.#settings = settingsOf(writeKey, options);
    this.#onError = options.onError;
    this.#clock = options.clock ?? systemClock;
    this.#timers = options.timers ?? systemTimers;
    this.#ids = options.ids ?? systemIds;
    this.#log = createLog(options.logger ?? consoleLogger, () => this.#settings.verbose);
    const newId = (): string => this.#ids.uuid();
    this.#context = {
      newId,
      now: () => timestampOf(this.#clock.wall()),
      allowAnonymousPages: this.#settings.allowAnonymousPages,
    };
    this.#lastFlushAt = this.#clock.mono();
    this.#outbox = new Outbox({
      ...this.#settings,
      url: () => this.#settings.url,
      headers: headersOf(this.#settings.authorization),
      rules: this.#settings,
      fetch: options.fetch ?? systemFetch,
      timers: this.#timers,
      clock: this.#clock,
      isBrowser,
      newId,
      onSettled: (batch, loss) => this.#settled(batch, loss),
      debug: this.#log.debug,
    });
    this.#unwatch = watchPage((stage) => this.#leave(stage));
  }

  /**
   * How many queued messages cause a flush (client specification, section 2.1: `Size`, `FlushAt`). A new value applies
   * at once: if that many are queued, they are sent. Throws an OptionError, with nothing changed, for a value that the
   * constructor would refuse. So do the next four.
   */
  get size(): number {
    return this.#settings.size;
  }
  set size(size: number) {
    this.#change('size', { size });
  }

  /** Another name of `size`. */
  get flushAt(): number {
    return this.#settings.size;
  }
  set flushAt(size: number) {
    this.#change('flushAt', { size });
  }

  /** Milliseconds after the last flush when the queued messages are sent (`FlushAfter`). */
  get flushAfterMs(): number {
    return this.#settings.flushAfterMs;
  }
  set flushAfterMs(flushAfterMs: number) {
    this.#change('flushAfterMs', { flushAfterMs });
  }

  /** Another name of `flushAfterMs`, also in milliseconds. */
  get flushAfter(): number {
    return this.#settings.flushAfterMs;
  }
  set flushAfter(flushAfterMs: number) {
    this.#change('flushAfter', { flushAfterMs });
  }

  /** Where the next request goes, retries included. */
  get endpoint(): string {
    return this.#settings.endpoint;
  }
  set endpoint(endpoint: string) {
    this.#change('endpoint', { endpoint });
  }

  /** Logs as with DEBUG=analytics. */
  get verbose(): boolean {
    return this.#settings.verbose;
  }
  set verbose(verbose: boolean) {
    this.#change('verbose', { verbose });
  }

  #change(name: string, change: Partial<Changeable>): void {
    this.#settings = withChange(this.#settings, name, change);
    if (this.#open === null) return;
    if (this.#open.calls.length >= this.#settings.size) return this.#cut();
    this.#flushTimer?.cancel();
    this.#awaitFlush();
  }

  /** Says who the user is. Needs a userId or an anonymousId. */
  identify(message: Identify): CallError | null {
    return this.#call('identify', message);
  }

  /** Records what the user did. Needs `event`, and a userId or an anonymousId. */
  track(message: Track): CallError | null {
    return this.#call('track', message);
  }

  /** Records a page view. Needs a userId, see `allowAnonymousPages`; `traits` travel as `properties`. */
  page(message: Page): CallError | null {
    return this.#call('page', message);
  }

  /** Records a screen view of an app. Needs a userId or an anonymousId. Ours: version 2 has no screen call. */
  screen(message: Screen): CallError | null {
    return this.#call('screen', message);
  }

  /** Puts the user into a group. Needs `groupId`, and a userId or an anonymousId. */
  group(message: Group): CallError | null {
    return this.#call('group', message);
  }

  /** Joins an earlier id to a user. Needs `userId` and `previousId`. */
  alias(message: Alias): CallError | null {
    return this.#call('alias', message);
  }

  /**
   * Sends the queued messages without waiting for count or time. Resolves when all calls made before it have been sent
   * or lost, with their numbers; never rejects.
   */
  flush(): Promise<Outcome> {
    const tally = new Tally(this.#queued, this.#batches);
    this.#cut();
    if (tally.isDone) return tally.outcome;
    this.#tallies.add(tally);
    return tally.outcome;
  }

  /**
   * Refuses further calls and sends the queued messages. Resolves with the numbers when all of them have been sent or
   * lost; never rejects. Without `timeoutMs` that takes as long as the retries do. With it, messages that are not sent
   * after so many milliseconds are lost with the code `closed` (some of them may have arrived). A repeated call gives
   * the same result, and the shortest time applies.
   */
  close({ timeoutMs }: { readonly timeoutMs?: number } = {}): Promise<Outcome> {
    this.#closing ??= this.#close();
    if (timeoutMs !== undefined && this.#queued > 0) this.#limitClose(timeoutMs);
    return this.#closing;
  }

  /** Counts since the client was made. */
  get stats(): Stats {
    return {
      accepted: this.#accepted,
      refused: this.#refused,
      sent: this.#sent,
      lost: this.#lost,
      queued: this.#queued,
      queuedBytes: this.#queuedBytes,
    };
  }

  get #queued(): number {
    return this.#accepted - this.#sent - this.#lost;
  }

  #call(kind: Kind, message: unknown): CallError | null {
    if (this.#closing !== null) return this.#refuse(kind, new CallError('client_closed', 'The client was closed.'));
    const call = encodeCall(kind, message, this.#context);
    if (call instanceof CallError) return this.#refuse(kind, call);
    const { maxQueuedMessages, maxQueuedBytes, size } = this.#settings;
    if (this.#queued >= maxQueuedMessages || this.#queuedBytes + call.bytes > maxQueuedBytes) {
      return this.#refuse(kind, this.#full());
    }
    if (this.#open !== null && isTooMuch(this.#open, call.bytes)) this.#cut();
    this.#open ??= this.#newBatch();
    addCall(this.#open, call.json, call.bytes);
    this.#accepted += 1;
    this.#queuedBytes += call.bytes;
    const count = this.#open.calls.length;
    this.#log.debug(() => `queued ${kind}, ${call.bytes} bytes (${count} of ${size})`);
    if (count >= size) this.#cut();
    else if (count === 1) this.#awaitFlush();
    return null;
  }

  #newBatch(): Batch {
    this.#batches += 1;
    return emptyBatch(this.#ids.uuid(), this.#batches);
  }

  #refuse(kind: Kind, error: CallError): CallError {
    this.#refused += 1;
    const text = (): string => `${kind} refused (${error.code}): ${error.message}`;
    // The caller has the error. The log names each code once, for programs that ignore results.
    if (this.#warned.has(error.code)) this.#log.debug(text);
    else this.#log.warn(text());
    this.#warned.add(error.code);
    return error;
  }

  #full(): CallError {
    const { maxQueuedMessages, maxQueuedBytes } = this.#settings;
    const now = `${this.#queued} messages, ${this.#queuedBytes} bytes`;
    const text = `The queue is full (${now}; at most ${maxQueuedMessages} and ${maxQueuedBytes}).`;
    return new CallError('queue_full', text);
  }

  /** Makes a batch of the queued calls and hands it to the outbox. */
  #cut(): void {
    this.#flushTimer?.cancel();
    this.#flushTimer = null;
    this.#lastFlushAt = this.#clock.mono();
    if (this.#open === null) return;
    this.#outbox.add(this.#open);
    this.#open = null;
  }

  #awaitFlush(): void {
    const now = this.#clock.mono();
    const at = nextFlushAt(this.#lastFlushAt, now, this.#settings.flushAfterMs);
    this.#flushTimer = this.#timers.after(at - now, () => this.#cut());
  }

  #leave(stage: PageStage): void {
    this.#cut();
    this.#outbox.leave(stage);
  }

  #settled(batch: Batch, loss: LossError | null): void {
    const count = batch.calls.length;
    if (loss === null) this.#sent += count;
    else this.#lost += count;
    this.#queuedBytes -= batch.callBytes;
    for (const tally of [...this.#tallies]) {
      tally.add(batch, loss);
      if (tally.isDone) this.#tallies.delete(tally);
    }
    // Last, because onError may flush or close: that waits only for what is queued now.
    if (loss !== null) this.#report(loss);
  }

  #report(loss: LossError): void {
    if (this.#onError === undefined) {
      this.#log.warn(loss.message);
      return;
    }
    this.#log.debug(() => loss.message);
    try {
      this.#onError(loss);
    } catch (error) {
      this.#log.warn(`onError threw: ${String(error)}`);
    }
  }

  async #close(): Promise<Outcome> {
    const outcome = await this.flush();
    this.#unwatch();
    return outcome;
  }

  #limitClose(timeoutMs: number): void {
    const limit = Number.isNaN(timeoutMs) ? 0 : Math.min(Math.max(0, timeoutMs), CLOSE_LIMIT_MAX_MS);
    const timer = this.#timers.after(limit, () => this.#outbox.giveUp());
    void this.#closing?.then(() => timer.cancel());
  }
}

/** A page may not set its User-Agent, and a server would have to allow every other header first. */
function headersOf(authorization: string): Record<string, string> {
  const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
  return isBrowser ? headers : { 'User-Agent': USER_AGENT, ...headers };
}

for (const name of FIXED_OPTIONS)
  Object.defineProperty(Client.prototype, name, {
    set: () => {
      throw new OptionError(name, `${name} is given to the constructor and cannot be set afterwards.`);
    },
  });
