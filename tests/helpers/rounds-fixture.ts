/** Rounds with everything around them in memory. A write stays pending until the test commits it, or makes it fail. */
import { LostMoves } from '../../src/core/delivery/lost-moves.ts';
import type { MovedEvent } from '../../src/core/delivery/moved-event.ts';
import { RetryClock } from '../../src/core/delivery/retry-clock.ts';
import { Rounds } from '../../src/core/delivery/rounds.ts';
import { Sender } from '../../src/core/delivery/sender.ts';
import { StoreGuard } from '../../src/core/delivery/store-guard.ts';
import type { DeliveryWebhook } from '../../src/core/delivery/webhooks.ts';
import type { Move } from '../../src/core/model/moves.ts';
import { type DeliveryRules, PROFILES } from '../../src/core/model/rules.ts';
import type { Outcome } from '../../src/core/model/vocabulary.ts';
import type { SentAttempt } from '../../src/core/model/wire-place.ts';
import type { WireRequest } from '../../src/core/ports.ts';
import type { DueStore } from '../../src/core/store/ports/due.ts';
import type { RoundStore, RoundWrite, RoundWritten } from '../../src/core/store/ports/rounds.ts';
import { webhooksOf } from './core-fixture.ts';
import { dueMessage } from './due-message.ts';
import { SimTime } from './sim-ports.ts';
import { SimTransport } from './sim-transport.ts';

interface PendingWrite {
  readonly take: () => RoundWrite;
  readonly rows: number;
  readonly resolve: (written: RoundWritten) => void;
  readonly reject: (error: Error) => void;
}

export class RoundsFixture {
  readonly time = new SimTime();
  readonly retryClock = new RetryClock(this.time);
  readonly transport = new SimTransport(this.time, this.time);
  readonly pending: PendingWrite[] = [];
  /** What was committed. */
  readonly written: RoundWrite[] = [];
  /** Calls to what is around the rounds, in order. */
  readonly happened: string[] = [];
  readonly moved: MovedEvent[] = [];
  readonly logged: unknown[] = [];
  /** The attempts whose requests went to the wire, as the sender told. */
  readonly onWire: SentAttempt[] = [];
  rules: DeliveryRules = PROFILES.documented;
  webhooks: readonly DeliveryWebhook[];
  maySend = true;
  isStopping = false;
  readonly wires = new Map<number, Uint8Array>();
  outcomes: ReadonlyMap<number, Outcome> | null = new Map();
  /** Thrown by a read of bytes. */
  readFault: Error | null = null;
  readonly guard: StoreGuard;
  readonly lostMoves: LostMoves;
  readonly rounds: Rounds;
  #attempts = 100;

  constructor(webhooks: readonly DeliveryWebhook[] = webhooksOf(2)) {
    this.webhooks = webhooks;
    const logger = { log: (...line: unknown[]) => void this.logged.push(line) };
    this.guard = new StoreGuard({ probe: async () => {}, timers: this.time, logger }, () => {});
    this.lostMoves = new LostMoves(logger);
    this.transport.onSend = ({ url, body, onWire }) => {
      this.tell(`send ${url} ${body}`);
      onWire?.({} as WireRequest);
    };
    const onWire = (attempt: SentAttempt): void => void this.onWire.push(attempt);
    const settings = { secret: () => null, rules: () => this.rules, onWire };
    this.rounds = new Rounds(
      {
        stores: { rounds: this.#store() as RoundStore, due: this.#due() as DueStore },
        sender: new Sender(this.transport, this.time, settings),
        clock: this.time,
        retryClock: this.retryClock,
        rules: () => this.rules,
        recorded: ({ id }, { outcome }, startedAt) => this.tell(`recorded ${id} ${outcome} ${startedAt}`),
        moved: (event) => {
          this.tell(`moved ${event.messageId} ${event.to}`);
          this.moved.push(event);
        },
      },
      {
        guard: this.guard,
        lostMoves: this.lostMoves,
        webhooks: () => this.webhooks,
        maySend: () => this.maySend,
        isStopping: () => this.isStopping,
        attemptEnded: () => this.tell('attemptEnded'),
        roundEnded: () => this.tell('roundEnded'),
        waitsFor: (dueAt) => this.tell(`waitsFor ${dueAt}`),
        wasTaken: () => this.tell('wasTaken'),
        isStuck: (id) => this.tell(`isStuck ${id}`),
      },
    );
    this.setWebhooks(webhooks);
  }

  tell(what: string): void {
    this.happened.push(what);
  }

  /** What happened since the last call. */
  news(): string[] {
    return this.happened.splice(0);
  }

  setWebhooks(webhooks: readonly DeliveryWebhook[]): void {
    const before = this.webhooks;
    this.webhooks = webhooks;
    this.rounds.setWebhooks(before, webhooks);
  }

  /** Begins a round of message `id`, with every webhook that is on unless told otherwise. Its bytes are its id. */
  begin(id: number, targets = this.webhooks.filter(({ enabled }) => enabled)): void {
    const wire = new Uint8Array([id]);
    this.wires.set(id, wire);
    this.rounds.begin(dueMessage(id), wire, targets);
  }

  /** Commits the oldest pending write, and lets what follows happen. `lost` makes its first move one that was lost. */
  async commit({ lost = false } = {}): Promise<RoundWrite> {
    const { take, resolve } = this.#next();
    const write = take();
    this.tell('committed');
    this.written.push(write);
    const attemptIds = lost ? [] : write.opened.map(() => this.#attempts++);
    resolve({ lost: lost ? write.moves[0]! : null, attemptIds });
    await this.time.settle();
    return write;
  }

  async commitAll(): Promise<void> {
    while (this.pending.length > 0) await this.commit();
  }

  /** Fails the oldest pending write, and lets what follows happen. */
  async fail(error: Error): Promise<void> {
    const { take, reject } = this.#next();
    take();
    reject(error);
    await this.time.settle();
  }

  #next(): PendingWrite {
    const next = this.pending.shift();
    if (next === undefined) throw new Error('No write is pending.');
    return next;
  }

  #store(): Pick<RoundStore, 'write'> {
    return {
      write: (take, rows) =>
        new Promise((resolve, reject) => {
          this.pending.push({ take, rows, resolve, reject });
        }),
    };
  }

  #due(): Pick<DueStore, 'wire' | 'lastOutcomes'> {
    return {
      wire: (id) => {
        this.tell(`wire ${id}`);
        if (this.readFault !== null) throw this.readFault;
        return this.wires.get(id) ?? null;
      },
      lastOutcomes: (id) => {
        this.tell(`lastOutcomes ${id}`);
        if (this.readFault !== null) throw this.readFault;
        return this.outcomes;
      },
    };
  }
}

/** A move in short: where it leads, when it is due, and when it ended. */
export const short = ({ to, finishedAt }: Move): string =>
  [to.state, to.cells, to.nextDueAt, finishedAt].filter((part) => part !== null).join(' ');
