/**
 * Keeps people up to date with the store. It works in steps of a few milliseconds, one a turn, and hears messages in
 * between: first it reads new calls, then it counts what is not counted. It has no clock; each message brings the time.
 */
import type { Timer, Timers } from '../ports.ts';
import type { UserCallStore } from '../store/ports/user-calls.ts';
import { createAnswers } from './answers.ts';
import { FollowedDefinitions } from './followed.ts';
import type { FromPeople, PeopleState, ToPeople } from './messages.ts';
import { PeopleIndex } from './people-index.ts';

/** Messages read in one step. */
const PAGE = 256;
/** The pause after a step of a long count, so that on a busy machine the engine comes first. */
const PAUSE_MS = 1;
/** While the store is read, the state is told after so many steps. */
const TELL_STEPS = 16;

type Ask = Extract<ToPeople, { type: 'ask' }>;

export interface HostDeps {
  readonly store: UserCallStore;
  readonly timers: Timers;
  say(message: FromPeople): void;
}

export class PeopleHost {
  readonly #deps: HostDeps;
  readonly #followed: FollowedDefinitions;
  readonly #answers: ReturnType<typeof createAnswers>;
  #index: PeopleIndex;
  #history: Extract<ToPeople, { type: 'clock' }>['history'] = [];
  #now = 0;
  /** Messages up to this one are stored, and read. */
  #newest = 0;
  #readTo = 0;
  /** Reading has come to its end at this message; null when that happened. */
  #readUntil: number | null = 0;
  #failure: string | null = null;
  #working = false;
  #stopped = false;
  #steps = 0;
  #resting: Timer | null = null;
  #told = '';
  /** Questions that wait for their answers, with the newest message that was stored before each. */
  readonly #asked: Array<{ readonly ask: Ask; readonly newest: number }> = [];

  constructor(deps: HostDeps) {
    this.#deps = deps;
    this.#index = this.#newIndex();
    this.#followed = new FollowedDefinitions(this.#index);
    this.#answers = createAnswers({
      index: () => this.#index,
      followed: this.#followed,
      readProgress: () => (this.#readUntil === null ? null : this.#progress()),
      recount: () => this.#recount(),
    });
  }

  #newIndex(): PeopleIndex {
    const index = new PeopleIndex((ids) => this.#deps.store.bodies(ids));
    index.setHistory(this.#history);
    return index;
  }

  /** Begins to read the store, up to the newest message. */
  start(): void {
    this.#newest = Math.max(this.#newest, this.#deps.store.newestId());
    this.#readUntil = this.#newest;
    this.#wake();
  }

  /** Does nothing more and closes the store. Harmless when repeated. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#resting?.cancel();
    this.#deps.store.close();
  }

  receive(message: ToPeople): void {
    if (this.#stopped) return;
    this.#now = Math.max(this.#now, message.now);
    switch (message.type) {
      case 'time':
        break;
      case 'stored':
        this.#newest = Math.max(this.#newest, message.newest);
        break;
      case 'removed':
        this.#guard(() => this.#index.remove(message.ids));
        break;
      case 'clock':
        this.#history = message.history;
        this.#index.setHistory(message.history);
        break;
      case 'ask':
        this.#asked.push({ ask: message, newest: this.#newest });
        this.#answerAll();
        break;
    }
    this.#wake();
  }

  /** A question is answered when the calls are read that were stored before it, or when that cannot be soon. */
  #answerAll(): void {
    for (let next = this.#asked[0]; next !== undefined; next = this.#asked[0]) {
      const isBehind = this.#failure === null && this.#readUntil === null && this.#readTo < next.newest;
      if (isBehind) return;
      this.#asked.shift();
      this.#answer(next.ask);
    }
  }

  #answer({ n, name, argument }: Ask): void {
    try {
      if (this.#failure !== null && name !== 'recount' && name !== 'callsOf') throw new Error(this.#failure);
      this.#settle();
      this.#deps.say({ type: 'answer', n, value: this.#answers[name](argument as never) });
    } catch (error) {
      this.#deps.say({ type: 'refused', n, message: textOf(error) });
    }
  }

  /** While the store is read nobody is counted, so there is nothing to bring up to date. */
  #settle(): void {
    if (this.#readUntil === null) this.#index.settle(this.#now);
  }

  #recount(): void {
    this.#failure = null;
    this.#index = this.#newIndex();
    this.#followed.moveTo(this.#index);
    this.#readTo = 0;
    this.start();
  }

  #wake(): void {
    if (this.#working || this.#stopped) return;
    this.#working = true;
    this.#deps.timers.soon(() => this.#turn());
  }

  /** Goes on later. New calls do not wait for that: a message wakes it at once. */
  #rest(): void {
    this.#resting?.cancel();
    this.#resting = this.#deps.timers.after(PAUSE_MS, () => this.#wake());
  }

  #turn(): void {
    this.#working = false;
    if (this.#stopped) return;
    this.#steps += 1;
    const more = this.#failure === null && this.#guard(() => this.#step()) === true;
    if (!more || this.#readUntil === null || this.#steps % TELL_STEPS === 0) this.#tell();
    this.#answerAll();
    if (more) this.#rest();
  }

  /** Returns whether there is more to do. */
  #step(): boolean {
    if (this.#readTo < this.#newest) {
      const { calls, readTo } = this.#deps.store.page(this.#readTo, this.#newest, PAGE);
      for (const call of calls) this.#index.add(call);
      this.#readTo = readTo;
      if (this.#readUntil !== null && readTo >= this.#readUntil) this.#beginCounting();
      this.#settle();
      return true;
    }
    if (this.#readUntil !== null) this.#beginCounting();
    this.#settle();
    return this.#index.work();
  }

  #beginCounting(): void {
    this.#readUntil = null;
    this.#index.countFromStart(this.#now);
  }

  /** A store that cannot be read is a state, not the end of the thread. */
  #guard<T>(job: () => T): T | undefined {
    try {
      return job();
    } catch (error) {
      this.#failure = textOf(error);
      return undefined;
    }
  }

  #progress(): number {
    const until = this.#readUntil ?? 0;
    return until === 0 ? 0 : Math.min(1, this.#readTo / until);
  }

  get state(): PeopleState {
    const { log, people } = this.#index.data;
    const isReading = this.#readUntil !== null;
    return {
      state: this.#failure !== null ? 'failed' : isReading ? 'reading' : 'ready',
      progress: isReading ? this.#progress() : 1,
      people: people.size,
      calls: log.live,
      message: this.#failure,
    };
  }

  /** Says what has changed, when something has. */
  #tell(): void {
    const { state } = this;
    const watches = this.#followed.changes();
    const next = this.#index.nextChange;
    const nextChange = Number.isFinite(next) ? next : null;
    const text = JSON.stringify([state, nextChange]);
    if (text === this.#told && watches.length === 0) return;
    this.#told = text;
    this.#deps.say({ type: 'changed', state, watches, nextChange });
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
