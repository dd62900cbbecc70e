/** The keeper over a store in memory whose reads take time, one turn after the other. */
import type { JsonObject } from '../../../src/core/model/call.ts';
import type { FromPeople, PeopleState, QuestionName, Questions, ToPeople } from '../../../src/core/people/messages.ts';
import { PeopleHost } from '../../../src/core/people/people-host.ts';
import type { Timer } from '../../../src/core/ports.ts';
import type { UserCall, UserCallStore } from '../../../src/core/store/ports/user-calls.ts';
import { namedOf } from './named.ts';

export interface Turn {
  readonly ms: number;
  /** Messages that it asked the store for. */
  readonly read: number;
}

interface Waiting {
  readonly at: number;
  readonly run: () => void;
}

const NOON = Date.UTC(2026, 10, 20, 12);

export class SlowHost implements UserCallStore {
  readonly stored: UserCall[] = [];
  readonly turns: Turn[] = [];
  readonly told: PeopleState[] = [];
  /** Of every definition that was told as counted. */
  counted = 0;
  readonly #readMs: number;
  readonly #answers = new Map<number, unknown>();
  readonly #host: PeopleHost;
  #mono = 0;
  #read = 0;
  #asked = 0;
  #waiting: Waiting[] = [];

  /** `readMs`: what every read of the store takes. */
  constructor(readMs: number) {
    this.#readMs = readMs;
    this.#host = new PeopleHost({
      store: this,
      clock: { mono: () => this.#mono },
      timers: { soon: (run) => void this.#after(0, run), after: (ms, run) => this.#after(ms, run) },
      say: (message) => this.#hear(message),
    });
  }

  /** Begins to read, once there are calls. */
  start(): void {
    this.#host.start();
  }

  call(userId: string, body: JsonObject): void {
    const event = typeof body.event === 'string' ? body.event : '';
    const type = event === '' ? 'identify' : 'track';
    this.stored.push({ id: this.stored.length + 1, type, event, userId, sourceId: 1, receivedAt: NOON, body });
  }

  say(message: ToPeople extends infer M ? (M extends unknown ? Omit<M, 'now'> : never) : never): void {
    this.#host.receive({ ...message, now: NOON } as ToPeople);
  }

  /** The news of a commit. */
  tellStored(): void {
    this.say({ type: 'stored', newest: this.stored.length });
  }

  /** The answer, which must be there at once unless calls are still to be read. */
  ask<N extends QuestionName>(name: N, argument: Questions[N][0]): Questions[N][1] {
    this.#asked += 1;
    this.say({ type: 'ask', n: this.#asked, name, argument });
    while (!this.#answers.has(this.#asked)) if (!this.turn()) throw new Error(`${name} is never answered.`);
    return this.#answers.get(this.#asked) as Questions[N][1];
  }

  /** Runs the next turn. False when there is none. */
  turn(): boolean {
    const next = this.#waiting.toSorted((a, b) => a.at - b.at)[0];
    if (next === undefined) return false;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#mono = Math.max(this.#mono, next.at);
    const before = { mono: this.#mono, read: this.#read };
    next.run();
    this.turns.push({ ms: this.#mono - before.mono, read: this.#read - before.read });
    return true;
  }

  finish(): void {
    while (this.turn());
  }

  #hear(message: FromPeople): void {
    if (message.type === 'refused') throw new Error(message.message);
    if (message.type === 'answer') return void this.#answers.set(message.n, message.value);
    this.told.push(message.state);
    this.counted += message.watches.filter(({ counted }) => counted).length;
  }

  #after(ms: number, run: () => void): Timer {
    const one = { at: this.#mono + ms, run };
    this.#waiting.push(one);
    return {
      cancel: () => {
        this.#waiting = this.#waiting.filter((other) => other !== one);
      },
    };
  }

  // The store

  page(after: number, upTo: number, limit: number) {
    this.#mono += this.#readMs;
    const calls = this.stored.slice(after, Math.min(upTo, after + limit));
    this.#read += calls.length;
    return { calls, named: namedOf(calls), readTo: after + calls.length };
  }

  personCalls(): [] {
    return [];
  }

  bodies(ids: readonly number[]): ReadonlyMap<number, JsonObject> {
    this.#mono += this.#readMs;
    this.#read += ids.length;
    return new Map(ids.map((id) => [id, this.stored[id - 1]!.body!]));
  }

  newestId(): number {
    return this.stored.length;
  }

  close(): void {}
}
