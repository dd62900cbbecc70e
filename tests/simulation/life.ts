/** One process of Hookbench in a world: the real engine on simulated ports, until it is stopped or dies. */

import { type Channel, type Client, connectContract } from '../../src/contract/channel.ts';
import type { Config } from '../../src/contract/config.ts';
import type { ChangeBatch } from '../../src/contract/live.ts';
import type { MovedEvent } from '../../src/core/delivery/moved-event.ts';
import { Engine } from '../../src/core/engine/engine.ts';
import type { EnginePorts } from '../../src/core/engine/engine-ports.ts';
import type { IngestRequest, IngestResponse } from '../../src/core/ingest/request.ts';
import type { AttemptResult } from '../../src/core/model/attempt.ts';
import type { Outcome } from '../../src/core/model/vocabulary.ts';
import type { AttemptRequest, Ids, Logger, Sealer, Timers } from '../../src/core/ports.ts';
import type { Changes } from '../../src/core/store/ports/changes.ts';
import { INTERRUPTED } from './receivers.ts';
import type { WorldTime } from './time.ts';
import type { ProcessStore, StatementGuard, StatementKind, WorldStore } from './world-store.ts';

/** Thrown inside a process that has ended. Nothing that it does counts. */
export class Ended extends Error {}

/** What a life needs of its world. */
export interface Surroundings {
  readonly time: WorldTime;
  readonly store: WorldStore;
  readonly ids: Ids;
  readonly sealer: Sealer;
  readonly config: Config | undefined;
  logged(text: string): void;
  committed(life: Life, changes: Changes): void;
  /** Called inside `send`. Null never answers; `ended` is called with how it ended. */
  sent(
    life: Life,
    request: AttemptRequest,
  ): { afterMs: number; result: AttemptResult; ended(outcome: Outcome): void } | null;
  /** A move of a message was reported, after its commit. */
  moved(life: Life, event: MovedEvent): void;
  changed(life: Life, batch: ChangeBatch): void;
  /** A text crossed from the engine to a client. */
  told(text: string): void;
  /** Before and after each statement: may make it fail, or end the life. */
  statement(life: Life, kind: StatementKind, done: boolean, rollBack: () => void): void;
}

/** The engine's checks of every second take most of a world's time and change little, so they run less often. */
const SLOWED: ReadonlyMap<string, number> = new Map([
  ['beat', 300_000],
  ['look', 60_000],
]);
const slowed = (delayMs: number, { name }: { readonly name: string }): number =>
  Math.max(delayMs, SLOWED.get(name) ?? 0);

export class Life {
  readonly #around: Surroundings;
  readonly #store: ProcessStore;
  readonly #interrupts = new Set<() => void>();
  readonly number: number;
  readonly engine: Engine;
  readonly client: Client;
  readonly #disconnect: () => void;
  #closing = false;
  alive = true;
  /** True between the end of `start` and the beginning of a stop. */
  up = false;

  /** Throws what the engine throws when it cannot open the store. */
  constructor(number: number, around: Surroundings) {
    this.number = number;
    this.#around = around;
    const guard: StatementGuard = {
      before: (kind, rollBack) => {
        if (!this.alive) throw new Ended();
        around.statement(this, kind, false, rollBack);
      },
      after: (kind) => around.statement(this, kind, true, () => {}),
    };
    this.#store = around.store.process(guard);
    try {
      this.engine = new Engine(this.#options(), this.#ports());
    } catch (error) {
      this.alive = false;
      this.#store.kill();
      throw error;
    }
    const { feed, metrics, server } = this.engine.parts;
    // Requests come in through ingest itself.
    server.listen = () => Promise.resolve(server.listening);
    const committed = feed.committed.bind(feed);
    feed.committed = (changes) => {
      around.committed(this, changes);
      committed(changes);
    };
    const moved = metrics.moved.bind(metrics);
    metrics.moved = (event) => {
      around.moved(this, event as MovedEvent);
      moved(event);
    };
    const [engineEnd, clientEnd] = channelPair(() => this.alive, around.told);
    this.#disconnect = this.engine.connect(engineEnd);
    this.client = connectContract(clientEnd, (batch) => around.changed(this, batch));
  }

  #options() {
    const { store, config } = this.#around;
    return { workspace: store.folder, version: 'sim', shell: 'headless' as const, config, controlSocket: false };
  }

  #ports(): EnginePorts {
    const { time, ids, sealer } = this.#around;
    return {
      clock: time,
      timers: this.#timers(),
      random: { next: () => 0.5 },
      ids,
      sealer,
      logger: this.#logger(),
      openStore: this.#store.open,
      readFile: () => {
        throw new Error('There are no files in a world.');
      },
      transport: () => ({
        send: (request) => this.#send(request),
        close: () => {
          this.#closing = true;
          for (const interrupt of [...this.#interrupts]) interrupt();
          return Promise.resolve();
        },
      }),
    };
  }

  #timers(): Timers {
    const { after, soon } = this.#around.time.timersOf(() => this.alive);
    return { soon, after: (delayMs, run) => after(slowed(delayMs, run), run) };
  }

  #logger(): Logger {
    return {
      log: (level, event, fields) => {
        if (this.alive) this.#around.logged(`${level} ${event} ${JSON.stringify(fields ?? {})}`);
      },
    };
  }

  #send(request: AttemptRequest): Promise<AttemptResult> {
    if (!this.alive) return new Promise(() => {});
    if (this.#closing) return Promise.resolve(INTERRUPTED);
    const reply = this.#around.sent(this, request);
    if (!this.alive || reply === null) return new Promise(() => {});
    return new Promise((resolve) => {
      const end = (result: AttemptResult): void => {
        if (!this.#interrupts.delete(interrupt)) return;
        reply.ended(result.outcome);
        resolve(result);
      };
      const interrupt = (): void => end(INTERRUPTED);
      this.#interrupts.add(interrupt);
      this.#around.time.after(reply.afterMs, () => {
        if (this.alive) end(reply.result);
      });
    });
  }

  async start(): Promise<void> {
    await this.engine.start();
    this.up = this.alive;
  }

  /** Never resolves once the life has ended, because a client whose server died gets no answer. */
  async handle(request: IngestRequest): Promise<IngestResponse> {
    const answer = await this.engine.parts.ingest.handle(request);
    return this.alive ? answer : new Promise(() => {});
  }

  async stop(): Promise<void> {
    this.up = false;
    await this.engine.stop();
    if (this.alive) this.end();
  }

  /** Ends this life at once, even inside a statement. The store is closed in a later turn. */
  end(): void {
    this.alive = false;
    this.up = false;
    this.#interrupts.clear();
    this.#around.time.soon(() => this.release());
  }

  release(): void {
    this.#disconnect();
    this.client.close();
    void this.engine.parts.people.stop();
    this.#store.kill();
  }
}

/** Text arrives at once: one promise turn later on either side. */
function channelPair(isOpen: () => boolean, told: (text: string) => void): [engine: Channel, client: Channel] {
  const listeners: Array<(text: string) => void> = [() => {}, () => {}];
  const end = (own: number): Channel => ({
    post: (text) => {
      if (own === 0) told(text);
      queueMicrotask(() => {
        if (isOpen()) listeners[1 - own]!(text);
      });
    },
    onText: (listener) => {
      listeners[own] = listener;
    },
    close: () => {},
  });
  return [end(0), end(1)];
}
