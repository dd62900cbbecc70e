/**
 * The client library of the second specification: it queues calls in memory and sends them in batches in the
 * background. A call opens no request and throws nothing, and the client loses nothing without reporting it.
 */
import type { Batch } from './batch.ts';
import { type CallContext, encodeCall } from './call.ts';
import { Counts } from './counts.ts';
import { CallError, type CallErrorCode, type LossError, OptionError } from './errors.ts';
import { createLog, type Log } from './log.ts';
import { NextBatch } from './next-batch.ts';
import { type Changeable, FIXED_OPTIONS, type Settings, settingsOf, withChange } from './options.ts';
import { Outbox } from './outbox.ts';
import {
  consoleLogger,
  isBrowser,
  type PageStage,
  requestHeaders,
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
  Group,
  Identify,
  Kind,
  Outcome,
  Page,
  Screen,
  Stats,
  Timers,
  Track,
} from './types.ts';

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
  readonly #timers: Timers;
  readonly #log: Log;
  readonly #context: CallContext;
  readonly #next: NextBatch;
  readonly #outbox: Outbox;
  readonly #unwatch: () => void;

  #closing: Promise<Outcome> | null = null;
  readonly #counts = new Counts();
  readonly #tallies = new Set<Tally>();
  readonly #warned = new Set<CallErrorCode>();

  /**
   * `writeKey` is that of the source; it travels as the Basic user name. Throws an OptionError when it or an option
   * cannot be used.
   */
  constructor(writeKey: string, options: ClientOptions = {}) {
    this.#settings = settingsOf(writeKey, options);
    this.#onError = options.onError;
    const clock = options.clock ?? systemClock;
    const timers = options.timers ?? systemTimers;
    this.#timers = timers;
    this.#log = createLog(options.logger ?? consoleLogger, () => this.#settings.verbose);
    const newId = (): string => (options.ids ?? systemIds).uuid();
    this.#context = {
      newId,
      now: () => timestampOf(clock.wall()),
      allowAnonymousPages: this.#settings.allowAnonymousPages,
    };
    this.#outbox = new Outbox({
      ...this.#settings,
      url: () => this.#settings.url,
      headers: requestHeaders(this.#settings.authorization),
      rules: this.#settings,
      fetch: options.fetch ?? systemFetch,
      timers,
      clock,
      isBrowser,
      newId,
      onSettled: (batch, loss) => this.#settled(batch, loss),
      debug: this.#log.debug,
    });
    this.#next = new NextBatch({
      clock,
      timers,
      newId,
      settings: () => this.#settings,
      send: (batch) => this.#outbox.add(batch),
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
    this.#next.flushWhenDue();
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
    const tally = new Tally(this.#counts.queued, this.#next.order);
    this.#next.flush();
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
    if (timeoutMs !== undefined && this.#counts.queued > 0) this.#limitClose(timeoutMs);
    return this.#closing;
  }

  /** Counts since the client was made. */
  get stats(): Stats {
    return this.#counts.stats;
  }

  #call(kind: Kind, message: unknown): CallError | null {
    if (this.#closing !== null) return this.#refuse(kind, new CallError('client_closed', 'The client was closed.'));
    const call = encodeCall(kind, message, this.#context);
    if (call instanceof CallError) return this.#refuse(kind, call);
    const { maxQueuedMessages, maxQueuedBytes, size } = this.#settings;
    const { queued, queuedBytes } = this.#counts;
    if (queued >= maxQueuedMessages || queuedBytes + call.bytes > maxQueuedBytes) {
      return this.#refuse(kind, this.#full());
    }
    const waiting = this.#next.add(call.json, call.bytes);
    this.#counts.accept(call.bytes);
    this.#log.debug(() => `queued ${kind}, ${call.bytes} bytes (${waiting} of ${size})`);
    // The time of the next flush is the same for later calls.
    if (waiting === 1 || waiting >= size) this.#next.flushWhenDue();
    return null;
  }

  #refuse(kind: Kind, error: CallError): CallError {
    this.#counts.refuse();
    const text = (): string => `${kind} refused (${error.code}): ${error.message}`;
    // The caller has the error. The log names each code once, for programs that ignore results.
    if (this.#warned.has(error.code)) this.#log.debug(text);
    else this.#log.warn(text());
    this.#warned.add(error.code);
    return error;
  }

  #full(): CallError {
    const { maxQueuedMessages, maxQueuedBytes } = this.#settings;
    const { queued, queuedBytes } = this.#counts;
    const now = `${queued} messages, ${queuedBytes} bytes`;
    const text = `The queue is full (${now}; at most ${maxQueuedMessages} and ${maxQueuedBytes}).`;
    return new CallError('queue_full', text);
  }

  #leave(stage: PageStage): void {
    this.#next.flush();
    this.#outbox.leave(stage);
  }

  #settled(batch: Batch, loss: LossError | null): void {
    this.#counts.settle(batch, loss !== null);
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

for (const name of FIXED_OPTIONS)
  Object.defineProperty(Client.prototype, name, {
    set: () => {
      throw new OptionError(name, `${name} is given to the constructor and cannot be set afterwards.`);
    },
  });
