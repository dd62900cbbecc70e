/** A dispatcher over tables in memory. A test may hold the store's writes, or make its calls fail. */
import { Dispatcher } from '../../src/core/delivery/dispatcher.ts';
import type { MovedEvent } from '../../src/core/delivery/moved-event.ts';
import { RetryClock } from '../../src/core/delivery/retry-clock.ts';
import { Sender } from '../../src/core/delivery/sender.ts';
import type { DeliveryWebhook } from '../../src/core/delivery/webhooks.ts';
import { type DeliveryRules, PROFILES } from '../../src/core/model/rules.ts';
import type { MessageRecord } from '../../src/core/model/stored.ts';
import type { Timers } from '../../src/core/ports.ts';
import type { DueMessage, DueStore } from '../../src/core/store/ports/due.ts';
import type { RoundStore } from '../../src/core/store/ports/rounds.ts';
import { dueMessage } from './due-message.ts';
import { MemoryDue } from './memory-store/due.ts';
import { MemoryRounds } from './memory-store/rounds.ts';
import { Tables } from './memory-store/tables.ts';
import { MemoryWriter } from './memory-store/writer.ts';
import { SIM_START, SimTime } from './sim-ports.ts';
import { SimTransport } from './sim-transport.ts';

type Call = keyof RoundStore | keyof DueStore;
const ASYNC: ReadonlySet<Call> = new Set(['write', 'apply', 'probe', 'claim', 'waiting']);

export class DispatcherFixture {
  readonly time = new SimTime();
  readonly retryClock = new RetryClock(this.time);
  readonly transport = new SimTransport(this.time, this.time);
  readonly tables = new Tables();
  readonly moved: MovedEvent[] = [];
  readonly recorded: string[] = [];
  readonly logged: unknown[] = [];
  readonly calls: Call[] = [];
  rules: DeliveryRules = PROFILES.documented;
  commits = 0;
  /** Calls planned with `soon`. */
  planned = 0;
  /** Calls of the stores that throw or reject with this. */
  readonly faults = new Map<Call, Error>();
  /** While true, no write ends, unless the test makes it fail. */
  isWriteHeld = false;
  readonly #held: Array<(error: Error) => void> = [];
  /** How many of the next moves without a round find their message elsewhere. */
  movesToLose = 0;
  readonly due: DueStore;
  readonly dispatcher: Dispatcher;

  constructor() {
    const timers: Timers = {
      after: (delayMs, run) => this.time.after(delayMs, run),
      soon: (run) => {
        this.planned += 1;
        this.time.soon(run);
      },
    };
    const committed = (): void => {
      this.commits += 1;
    };
    const writer = new MemoryWriter(this.tables.journal, this.time, { committed, writable: () => {} });
    this.due = this.#watched(new MemoryDue(this.tables));
    this.dispatcher = new Dispatcher({
      stores: { due: this.due, rounds: this.#watched(new MemoryRounds(this.tables, writer)) },
      sender: new Sender(this.transport, this.time, { secret: () => null, rules: () => this.rules }),
      clock: this.time,
      retryClock: this.retryClock,
      timers,
      logger: { log: (...line) => void this.logged.push(line) },
      rules: () => this.rules,
      recorded: ({ id }, { outcome }) => void this.recorded.push(`${id} ${outcome}`),
      moved: (event) => void this.moved.push(event),
    });
  }

  /** Takes over the webhooks and begins, as the engine does. */
  async start(webhooks: readonly DeliveryWebhook[]): Promise<this> {
    this.dispatcher.setWebhooks(webhooks);
    this.dispatcher.hold(false);
    this.dispatcher.reconsider();
    await this.time.settle();
    return this;
  }

  /** Stores a message that is due now, or as given, and returns it as a claim would. */
  put(id: number, over: Partial<DueMessage> = {}): DueMessage {
    const wire = new Uint8Array([id]);
    const due = dueMessage(id, { nextDueAt: SIM_START, receivedAt: SIM_START, wire, ...over });
    const { wire: _, outcomes: __, ...standing } = due;
    this.tables.messages.set(id, { ...standing, finishedAt: null, reason: null } as MessageRecord);
    this.tables.bodies.set(id, { wire, isSound: true });
    this.tables.journal.commit();
    return due;
  }

  /** Stores a message that is due now and offers it, as ingest does. */
  offer(...ids: number[]): void {
    this.dispatcher.offer(ids.map((id) => this.put(id)));
  }

  /** Makes the writes fail that are held, and holds no more. */
  failHeld(error: Error): void {
    this.isWriteHeld = false;
    for (const reject of this.#held.splice(0)) reject(error);
  }

  message(id: number): MessageRecord {
    return this.tables.messages.get(id)!;
  }

  state(id: number): string {
    return this.message(id).state;
  }

  /** How often the stores were asked for this. */
  asked(call: Call): number {
    return this.calls.filter((one) => one === call).length;
  }

  /** Settles until the promise is done, without moving time. */
  async done<T>(promise: Promise<T>): Promise<T> {
    const [value] = await Promise.all([promise, this.time.settle()]);
    return value;
  }

  #watched<S extends RoundStore | DueStore>(store: S): S {
    return new Proxy(store, {
      get: (target, name) => {
        const call = name as Call;
        return (...given: unknown[]): unknown => {
          this.calls.push(call);
          const fault = this.faults.get(call);
          if (fault !== undefined && ASYNC.has(call)) return Promise.reject(fault);
          if (fault !== undefined) throw fault;
          if (this.isWriteHeld && (call === 'write' || call === 'apply'))
            return new Promise((_, reject) => void this.#held.push(reject));
          if (call === 'apply' && this.movesToLose > 0) {
            this.movesToLose -= 1;
            return Promise.resolve([false]);
          }
          return (target[call as keyof S] as (...given: unknown[]) => unknown).apply(target, given);
        };
      },
    });
  }
}
