/** Store, writer, dispatcher and replayer on a real SQLite file, with simulated time and transport; can crash and start again. */

import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { Arrivals } from '../../src/core/delivery/arrivals.ts';
import { Dispatcher } from '../../src/core/delivery/dispatcher.ts';
import { freshlyDue } from '../../src/core/delivery/freshly-due.ts';
import type { MovedEvent } from '../../src/core/delivery/moved-event.ts';
import { RetryClock, type RetryClockState } from '../../src/core/delivery/retry-clock.ts';
import { Sender } from '../../src/core/delivery/sender.ts';
import type { DeliveryWebhook } from '../../src/core/delivery/webhooks.ts';
import { receivedCalls } from '../../src/core/ingest/received-call.ts';
import type { AttemptResult } from '../../src/core/model/attempt.ts';
import type { NewMessage, NewRequest, StoredMessage } from '../../src/core/model/records.ts';
import { type DeliveryRules, PROFILES, type RetryRules } from '../../src/core/model/rules.ts';
import type { AttemptRecord, MessageRecord } from '../../src/core/model/stored.ts';
import { DEFAULT_RETRY } from '../../src/core/model/vocabulary.ts';
import type { AttemptRequest, Timer, Timers } from '../../src/core/ports.ts';
import { Replayer } from '../../src/core/replay/replayer.ts';
import { type Db, openStore, prepareFolder, storePath } from '../../src/core/store/database.ts';
import { type DeliveryStores, deliveryStores } from '../../src/core/store/deliveries.ts';
import { SqliteDetails } from '../../src/core/store/details.ts';
import { SqliteHeld } from '../../src/core/store/held.ts';
import { SqliteIngest } from '../../src/core/store/ingest.ts';
import { SqliteLists } from '../../src/core/store/lists.ts';
import type { Changes } from '../../src/core/store/ports/changes.ts';
import { SqliteRetention } from '../../src/core/store/retention.ts';
import type { DeliveryWriter } from '../../src/core/store/rounds.ts';
import { GroupWriter } from '../../src/core/store/writer.ts';
import { type Write, writerOf } from './direct-writer.ts';
import { SimTime } from './sim-ports.ts';
import { SimTransport } from './sim-transport.ts';

export const urlOf = (slot: number): string => `http://w${slot}.test/`;

export const webhookOf = (slot: number, over: Partial<DeliveryWebhook> = {}): DeliveryWebhook => ({
  id: slot,
  slot,
  name: `Webhook ${slot}`,
  url: urlOf(slot),
  headers: [],
  enabled: true,
  ...over,
});

export const webhooksOf = (n: number): DeliveryWebhook[] => Array.from({ length: n }, (_, i) => webhookOf(i + 1));

export function newRequest(over: Partial<NewRequest> = {}): NewRequest {
  return {
    receivedAt: 0,
    method: 'POST',
    path: '/v1/track',
    headers: [],
    body: Buffer.from('{}'),
    encoding: null,
    decodedBytes: 2,
    writeKey: 'wk',
    sourceId: 1,
    status: 200,
    code: null,
    ...over,
  };
}

export function newMessage(messageId: string, over: Partial<NewMessage> = {}): NewMessage {
  const state = over.state ?? 'queued';
  return {
    messageId,
    position: 0,
    origin: 'sdk',
    type: 'track',
    name: 'Signed Up',
    userId: 'u1',
    anonymousId: null,
    state,
    reason: state === 'queued' ? null : state === 'rejected' ? 'unknown_type' : 'no_webhook',
    reasonDetail: null,
    size: 2,
    notes: [],
    wire: state === 'rejected' ? null : Buffer.from(JSON.stringify({ id: messageId })),
    ...over,
  };
}

/** Timers that stop when their owner dies, as those of a killed process do. */
class MortalTimers implements Timers {
  readonly #time: SimTime;
  #dead = false;

  constructor(time: SimTime) {
    this.#time = time;
  }

  after(delayMs: number, run: () => void): Timer {
    return this.#time.after(delayMs, () => {
      if (!this.#dead) run();
    });
  }

  soon(run: () => void): void {
    this.#time.soon(() => {
      if (!this.#dead) run();
    });
  }

  die(): void {
    this.#dead = true;
  }
}

export interface CoreOptions {
  readonly folder: string;
  readonly time?: SimTime;
  readonly rules?: Partial<RetryRules>;
  /** Rules that differ from the documented ones. */
  readonly delivery?: Partial<DeliveryRules>;
  readonly clock?: RetryClockState;
  readonly secret?: () => string | null;
  /** Stands between the dispatcher and the writer. */
  readonly around?: (write: Write) => Write;
  readonly onCommit?: (changes: Changes) => void;
}

/** The parts under test as an engine holds them, started by `start`. */
export class Core {
  readonly options: CoreOptions;
  readonly time: SimTime;
  readonly timers: MortalTimers;
  readonly db: Db;
  readonly writer: GroupWriter;
  readonly deliveries: DeliveryStores;
  readonly lists: SqliteLists;
  readonly details: SqliteDetails;
  readonly requests: SqliteIngest;
  readonly held: SqliteHeld;
  readonly retention: SqliteRetention;
  readonly retryClock: RetryClock;
  readonly transport: SimTransport;
  readonly dispatcher: Dispatcher;
  readonly arrivals: Arrivals;
  /** Whether messages may begin their first round in the transaction that stores them. */
  mayBegin = true;
  readonly replayer: Replayer;
  readonly logged: string[] = [];
  readonly recorded: Array<{ webhookId: number; result: AttemptResult }> = [];
  readonly rules: RetryRules;
  /** The current delivery rules. A test may change them. */
  delivery: DeliveryRules;
  readonly moved: MovedEvent[] = [];
  dead = false;

  constructor(options: CoreOptions) {
    this.options = options;
    this.time = options.time ?? new SimTime();
    this.timers = new MortalTimers(this.time);
    prepareFolder(options.folder);
    this.db = openStore(options.folder);
    // A kill loses nothing that a connection has written, and these tests make thousands of commits.
    this.db.pragma('synchronous = OFF');
    onTestFinished(() => {
      this.kill();
      this.db.close();
    });
    this.writer = new GroupWriter(this.db, this.timers, {
      committed: (changes) => options.onCommit?.(changes),
      writable: () => {},
    });
    this.deliveries = deliveryStores(this.db, this.#deliveryWriter(options.around));
    this.lists = new SqliteLists(this.db, receivedCalls);
    this.details = new SqliteDetails(this.db);
    this.requests = new SqliteIngest(this.db, this.writer);
    this.held = new SqliteHeld(this.db);
    this.retention = new SqliteRetention(this.db);
    this.retryClock = new RetryClock(this.time, options.clock, this.deliveries.due.newestReading() ?? undefined);
    this.transport = new SimTransport(this.time, this.timers);
    this.rules = { ...DEFAULT_RETRY, ...options.rules };
    this.delivery = { ...PROFILES.documented, ...options.delivery, retry: this.rules };
    const sender = new Sender(
      {
        send: (request: AttemptRequest) => (this.dead ? new Promise(() => {}) : this.transport.send(request)),
        close: () => this.transport.close(),
      },
      this.time,
      { secret: options.secret ?? (() => null), rules: () => this.delivery },
    );
    const recorded = (webhook: DeliveryWebhook, result: AttemptResult): void => {
      this.recorded.push({ webhookId: webhook.id, result });
    };
    this.dispatcher = new Dispatcher({
      stores: this.deliveries,
      sender,
      clock: this.time,
      retryClock: this.retryClock,
      timers: this.timers,
      logger: { log: (_level, event) => void this.logged.push(event) },
      rules: () => this.delivery,
      recorded,
      moved: (event) => void this.moved.push(event),
    });
    this.arrivals = new Arrivals({
      store: this.requests,
      dispatcher: this.dispatcher,
      mayBegin: () => this.mayBegin,
    });
    this.replayer = new Replayer({
      persist: (write) => this.dispatcher.guard.persist(write),
      store: this.deliveries.replays,
      sender,
      clock: this.time,
      timers: this.timers,
      retryClock: this.retryClock,
      rules: () => this.delivery,
      isTarget: () => true,
      recorded,
    });
  }

  /** After its death it writes nothing more. */
  #deliveryWriter(around: CoreOptions['around']): DeliveryWriter {
    const never = <T>(): Promise<T> => new Promise(() => {});
    const write: Write = (job, rows) => (this.dead ? never() : this.writer.write(job, rows));
    if (around !== undefined) return writerOf(around(write));
    return {
      write,
      writeTogether: (together, take, rows) => (this.dead ? never() : this.writer.writeTogether(together, take, rows)),
    };
  }

  /** Recovers from a crash and starts delivery, in the engine's order. */
  async start(webhooks: readonly DeliveryWebhook[]): Promise<this> {
    await this.done(
      this.writer.write((changes) =>
        this.deliveries.recovery.recover(this.retryClock.now(), this.time.wall(), changes),
      ),
    );
    await this.setWebhooks(webhooks);
    return this;
  }

  /** What the engine does after a change: releases delivery, takes over webhooks, resumes paused messages. */
  async setWebhooks(webhooks: readonly DeliveryWebhook[]): Promise<void> {
    this.dispatcher.hold(false);
    this.dispatcher.setWebhooks(webhooks);
    if (webhooks.some(({ enabled }) => enabled))
      await this.done(
        this.writer.write((changes) => this.deliveries.recovery.resumePaused(this.retryClock.now(), changes)),
      );
    this.dispatcher.reconsider();
    await this.time.settle();
  }

  /** Stores messages as the engine does: those that can begin their first round with it. */
  arrive(messages: readonly NewMessage[]): Promise<readonly StoredMessage[]> {
    return this.ingest(messages, {}, this.arrivals);
  }

  /** Stores messages, and leaves it to the dispatcher to find them. */
  store(
    messages: readonly NewMessage[],
    request: Partial<NewRequest> = {},
    store: Pick<SqliteIngest, 'storeRequest'> = this.requests,
  ): Promise<readonly StoredMessage[]> {
    return store.storeRequest({
      request: newRequest({ receivedAt: this.time.wall(), ...request }),
      messages,
      dedupe: true,
      dueAt: this.retryClock.now(),
    });
  }

  /** Stores messages and offers them as ingest does, in the turn of the commit. */
  async ingest(
    messages: readonly NewMessage[],
    request: Partial<NewRequest> = {},
    store: Pick<SqliteIngest, 'storeRequest'> = this.requests,
  ): Promise<readonly StoredMessage[]> {
    const dueAt = this.retryClock.now();
    const stored = await this.store(messages, request, store);
    if (this.dead) return new Promise(() => {});
    this.dispatcher.offer(freshlyDue(messages, stored, this.time.wall(), dueAt));
    return stored;
  }

  /** Ingests one message, lets its immediate effects happen, and returns its row id. */
  async one(messageId = 'm1'): Promise<number> {
    const stored = await this.done(this.ingest([newMessage(messageId)]));
    await this.time.settle();
    return stored[0]!.id;
  }

  /** Settles until the promise is done, without moving time. */
  async done<T>(promise: Promise<T>): Promise<T> {
    const settling = this.time.settle();
    const value = await promise;
    await settling;
    return value;
  }

  /** Stops as the engine does. */
  async stop(): Promise<void> {
    await this.done(this.dispatcher.stop(() => this.transport.close()));
    this.replayer.close();
    await this.done(this.replayer.settled());
    this.writer.flush();
    this.kill();
    this.db.close();
  }

  /** Ends this life: nothing of it happens any more. */
  kill(): void {
    this.dead = true;
    this.timers.die();
  }

  /** Kills this life and starts another on the same file. */
  again(over: Partial<CoreOptions> = {}): Core {
    this.kill();
    if (this.db.open) this.db.close();
    return new Core({ ...this.options, time: this.time, clock: this.retryClock.state, ...over });
  }

  message(id: number): MessageRecord {
    const found = this.lists.message(id);
    if (found === undefined) throw new Error(`no message ${id}`);
    return found;
  }

  state(id: number): string {
    return this.message(id).state;
  }

  attempts(id: number): AttemptRecord[] {
    return this.details.attemptsOf(id);
  }

  outcomes(id: number): Array<string | null> {
    return this.attempts(id).map(({ outcome }) => outcome);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(
      this.lists
        .counts()
        .filter(({ n }) => n > 0)
        .map(({ state, n }) => [state, n]),
    );
  }
}

export const countedStates = (db: Db): Record<string, number> =>
  Object.fromEntries(
    (
      db.prepare('SELECT state, count(*) AS n FROM messages GROUP BY state ORDER BY state').all() as Array<{
        state: string;
        n: number;
      }>
    ).map(({ state, n }) => [state, n]),
  );

/** Another connection to the same store, which sees only committed rows. */
export function secondConnection(folder: string): Db {
  const db = new Database(storePath(folder), { readonly: true });
  onTestFinished(() => void db.close());
  return db;
}
