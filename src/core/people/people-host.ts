/**
 * Keeps people up to date with the store. It works in slices of a few milliseconds, one a turn, and hears messages in
 * between: first it reads new calls, then it counts what is not counted, then it goes on with a full recount. The time
 * comes with each message; its own clock only ends slices.
 */
import type { ClockStretch } from '../model/clock-history.ts';
import { beginSlice, type Slice } from '../model/slice.ts';
import type { Clock, Timer, Timers } from '../ports.ts';
import type { UserCallStore } from '../store/ports/user-calls.ts';
import { createAnswers } from './answers.ts';
import type { FromPeople, PeopleState, ToPeople } from './messages.ts';
import { PeoplePass } from './pass.ts';

/** The pause after a slice of a long count, so that on a busy machine the engine comes first. */
const PAUSE_MS = 1;
/** While the store is read, the state is told after so many slices. */
const TELL_SLICES = 16;

type Ask = Extract<ToPeople, { type: 'ask' }>;

export interface HostDeps {
  readonly store: UserCallStore;
  readonly clock: Pick<Clock, 'mono'>;
  readonly timers: Timers;
  say(message: FromPeople): void;
}

export class PeopleHost {
  readonly #deps: HostDeps;
  readonly #answers: ReturnType<typeof createAnswers>;
  /** Answers, also while {@link #recounting} reads everything again beside it. */
  #current: PeoplePass;
  #recounting: PeoplePass | null = null;
  #history: readonly ClockStretch[] = [];
  #now = 0;
  /** Messages up to this one are stored. */
  #newest = 0;
  #failure: string | null = null;
  #working = false;
  #stopped = false;
  #slices = 0;
  /** Long work goes on when this is over. New calls do not wait for it. */
  #resting: Timer | null = null;
  #told = '';
  /** Questions that wait for their answers, with the newest message that was stored before each. */
  readonly #asked: Array<{ readonly ask: Ask; readonly newest: number }> = [];

  constructor(deps: HostDeps) {
    this.#deps = deps;
    this.#current = this.#newPass();
    this.#answers = createAnswers({
      store: deps.store,
      current: () => this.#current,
      recount: () => this.#recount(),
      cancelRecount: () => this.#cancelRecount(),
    });
  }

  #newPass(): PeoplePass {
    return new PeoplePass(this.#deps.store, this.#history);
  }

  /** Both, while there are two. */
  get #passes(): PeoplePass[] {
    return this.#recounting === null ? [this.#current] : [this.#current, this.#recounting];
  }

  /** Begins to read the store, up to the newest message. */
  start(): void {
    this.#begin(this.#current);
    this.#wake();
  }

  #begin(pass: PeoplePass): void {
    this.#newest = Math.max(this.#newest, this.#deps.store.newestId());
    pass.begin(this.#newest);
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
        for (const pass of this.#passes) this.#guard(() => pass.remove(message.ids));
        break;
      case 'clock':
        this.#history = message.history;
        for (const { index } of this.#passes) index.setHistory(message.history);
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
      const isBehind = this.#failure === null && !this.#current.isReading && this.#current.isBehind(next.newest);
      if (isBehind) return;
      this.#asked.shift();
      this.#answer(next.ask);
    }
  }

  #answer({ n, name, argument }: Ask): void {
    try {
      if (this.#failure !== null && name !== 'recount' && name !== 'callsOf') throw new Error(this.#failure);
      this.#current.settle(this.#now);
      this.#deps.say({ type: 'answer', n, value: this.#answers[name](argument as never) });
    } catch (error) {
      this.#deps.say({ type: 'refused', n, message: textOf(error) });
    }
  }

  /** After a failure nothing counts any more; otherwise the answers stay until everyone is counted again. */
  #recount(): void {
    if (this.#failure === null && (this.#current.isReading || this.#recounting !== null)) return;
    const pass = this.#newPass();
    pass.followed.alignWith(this.#current.followed);
    if (this.#failure === null) this.#recounting = pass;
    else this.#current = pass;
    this.#failure = null;
    this.#begin(pass);
    this.#tell();
  }

  #cancelRecount(): void {
    this.#recounting = null;
    this.#tell();
  }

  #wake(): void {
    if (this.#working || this.#stopped) return;
    this.#working = true;
    this.#deps.timers.soon(() => this.#turn());
  }

  #rest(): void {
    this.#resting ??= this.#deps.timers.after(PAUSE_MS, () => {
      this.#resting = null;
      this.#wake();
    });
  }

  #turn(): void {
    this.#working = false;
    if (this.#stopped) return;
    this.#slices += 1;
    const more = this.#failure === null && this.#guard(() => this.#work(beginSlice(this.#deps.clock))) === true;
    if (!more || !this.#current.isReading || this.#slices % TELL_SLICES === 0) this.#tell();
    this.#answerAll();
    if (more) this.#rest();
  }

  /** Returns whether there is more to do. */
  #work(slice: Slice): boolean {
    const isResting = this.#resting !== null;
    if (isResting && this.#current.isReading) return true;
    if (this.#current.read(this.#newest, this.#now, slice)) return true;
    if (isResting) return true;
    if (this.#current.count(slice)) return true;
    return this.#recounting !== null && this.#goOn(this.#recounting, slice);
  }

  /** It answers once everyone is counted, with what was asked for meanwhile. */
  #goOn(recounting: PeoplePass, slice: Slice): boolean {
    recounting.followed.alignWith(this.#current.followed);
    if (recounting.read(this.#newest, this.#now, slice) || recounting.count(slice)) return true;
    this.#current = recounting;
    this.#recounting = null;
    return false;
  }

  /** A store that cannot be read is a state, not the end of the thread. */
  #guard<T>(job: () => T): T | undefined {
    try {
      return job();
    } catch (error) {
      this.#failure = textOf(error);
      this.#recounting = null;
      return undefined;
    }
  }

  get state(): PeopleState {
    const { isReading, progress, index } = this.#current;
    const { log, people } = index.data;
    return {
      state: this.#failure !== null ? 'failed' : isReading ? 'reading' : 'ready',
      progress,
      recount: this.#recounting === null ? null : inHundredths(this.#recounting.progress),
      people: people.size,
      calls: log.live,
      message: this.#failure,
    };
  }

  /** Says what has changed, when something has. */
  #tell(): void {
    const { state } = this;
    const { index, followed } = this.#current;
    const watches = followed.changes();
    const next = index.nextChange;
    const nextChange = Number.isFinite(next) ? next : null;
    const text = JSON.stringify([state, nextChange]);
    if (text === this.#told && watches.length === 0) return;
    this.#told = text;
    this.#deps.say({ type: 'changed', state, watches, nextChange });
  }
}

/** So that it is told a hundred times at most. */
const inHundredths = (part: number): number => Math.floor(part * 100) / 100;
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
