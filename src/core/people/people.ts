/**
 * People as the engine sees them. The keeper starts when somebody asks for the first time; until then people cost
 * nothing. It is told of every commit and of the retry clock, and tells when something has changed.
 */
import { ContractError } from '../../contract/errors.ts';
import type { PeopleView } from '../../contract/people.ts';
import type { ClockStretch } from '../model/clock-history.ts';
import type { Clock, Logger, Timer, Timers } from '../ports.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { OpenLink, PeopleLink } from './link.ts';
import { type Definition, definitionKey, type FromPeople, type QuestionName, type Questions } from './messages.ts';
import { RecentMoves } from './recent-moves.ts';

/** New calls are told at most so often, so that a burst is one message. */
const TELL_MS = 5;
/** Changes by time are looked for at most so often. */
const TIME_MS = 20;

/** After a failure, people are read again so much later, as long as somebody holds a definition. */
const RETRY_MS = 10_000;

/** People do not run, or their thread ended. The message says why. */
export class PeopleOffError extends ContractError {
  constructor(message: string) {
    super('people_off', message);
  }
}

export interface PeopleDeps {
  readonly open: OpenLink;
  readonly clock: Pick<Clock, 'mono'>;
  readonly timers: Timers;
  readonly logger: Logger;
  /** What the retry clock shows. */
  clockNow(): number;
  /** Real milliseconds until the retry clock shows this; Infinity while it is paused. */
  realDelay(at: number): number;
  /** What the retry clock showed at past wall times. */
  clockHistory(): readonly ClockStretch[];
  /** Called when something that clients see has changed. */
  changed(): void;
}

/** Called with the key (`definitionKey`) of each held definition that was counted or changed. */
export type DefinitionListener = (key: string) => void;

/** Somebody who waits until a definition is counted. */
interface CountWaiter {
  readonly key: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const OFF: PeopleView = { state: 'off', progress: 0, recount: null, people: 0, calls: 0, version: 0, message: null };

export class People {
  readonly #deps: PeopleDeps;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #listeners: DefinitionListener[] = [];
  readonly #held = new Map<string, Definition>();
  readonly #recent = new Map<string, RecentMoves>();
  #counting: CountWaiter[] = [];
  #link: PeopleLink | null = null;
  #view = OFF;
  #asked = 0;
  #newest = 0;
  #telling: Timer | null = null;
  #timeTimer: Timer | null = null;
  #retryTimer: Timer | null = null;
  #nextChange: number | null = null;
  #stopped = false;

  constructor(deps: PeopleDeps) {
    this.#deps = deps;
  }

  view(): PeopleView {
    return this.#view;
  }

  // For audiences

  /** Keeps a definition counted until {@link release}. Starts the keeper. */
  hold(definition: Definition): void {
    const key = definitionKey(definition);
    if (this.#held.has(key)) return;
    this.#held.set(key, definition);
    this.ask('hold', definition).catch(() => {});
  }

  release(definition: Definition): void {
    if (this.#held.delete(definitionKey(definition))) this.ask('release', definition).catch(() => {});
  }

  onDefinition(listener: DefinitionListener): void {
    this.#listeners.push(listener);
  }

  /** Resolves when the definition is counted. Rejects with a {@link PeopleOffError}. */
  whenCounted(definition: Definition): Promise<void> {
    const key = definitionKey(definition);
    return new Promise<void>((resolve, reject) => {
      // Before the question, so that nothing that happens after its answer is missed.
      this.#counting.push({ key, resolve, reject });
      const asked = 'rule' in definition ? this.ask('rule', definition) : this.ask('trait', definition);
      asked.then(({ done }) => {
        if (done) this.#tellWaiting(new Set([key]));
      }, reject);
    });
  }

  /** Starts the keeper where it does not run. Rejects with a {@link PeopleOffError}, or with what failed there. */
  ask<N extends QuestionName>(name: N, argument: Questions[N][0]): Promise<Questions[N][1]> {
    const link = this.#start();
    if (link === null) return Promise.reject(new PeopleOffError('People do not run.'));
    this.#asked += 1;
    const n = this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(n, { resolve: resolve as (value: unknown) => void, reject });
      this.#tellStored();
      link.say({ type: 'ask', n, name, argument, now: this.#deps.clockNow() });
    });
  }

  /**
   * How many calls of these users, of messages up to `upTo`, are in memory; 0 where the keeper does not run. It is told
   * of removed calls first. Rejects with a {@link PeopleOffError}.
   */
  rememberedCalls(userIds: readonly string[], upTo: number): Promise<number> {
    return this.#link === null ? Promise.resolve(0) : this.ask('callsOf', { userIds, upTo });
  }

  /** How many came in and went in the last minute of real time, as far as it was counted. */
  lastMinute(definition: Definition): { readonly joined: number; readonly left: number } {
    return this.#recent.get(definitionKey(definition))?.lastMinute(this.#deps.clock.mono()) ?? { joined: 0, left: 0 };
  }

  // What happens in the engine

  /** Runs after each commit. */
  committed({ inserted, removed, emptied }: Pick<Changes, 'inserted' | 'removed' | 'emptied'>): void {
    if (this.#link === null) return;
    if (removed.length + emptied.length > 0) {
      this.#tellStored();
      this.#link.say({ type: 'removed', ids: [...removed, ...emptied], now: this.#deps.clockNow() });
    }
    const newest = inserted.at(-1);
    if (newest === undefined) return;
    this.#newest = newest;
    this.#telling ??= this.#deps.timers.after(TELL_MS, () => this.#tellStored());
  }

  #tellStored(): void {
    if (this.#newest === 0) return;
    this.#telling?.cancel();
    this.#telling = null;
    this.#link?.say({ type: 'stored', newest: this.#newest, now: this.#deps.clockNow() });
    this.#newest = 0;
  }

  /** The retry clock was changed. */
  clockChanged(): void {
    if (this.#link === null) return;
    this.#tellStored();
    this.#link.say({ type: 'clock', history: this.#deps.clockHistory(), now: this.#deps.clockNow() });
    this.#planTime();
  }

  /** Ends the keeper and closes its handle on the store. Harmless when repeated. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#telling?.cancel();
    this.#timeTimer?.cancel();
    this.#retryTimer?.cancel();
    const link = this.#link;
    this.#link = null;
    this.#rejectAll('The engine stops.');
    await link?.stop();
  }

  // The keeper

  #start(): PeopleLink | null {
    if (this.#stopped || this.#link !== null) return this.#link;
    try {
      const link = this.#deps.open({
        heard: (message) => this.#heard(message),
        ended: (message) => this.#ended(message),
      });
      this.#link = link;
      this.#see({ ...OFF, state: 'reading' });
      link.say({ type: 'clock', history: this.#deps.clockHistory(), now: this.#deps.clockNow() });
      for (const definition of this.#held.values()) this.#hold(link, definition);
    } catch (error) {
      this.#ended((error as Error).message);
    }
    return this.#link;
  }

  /** Again, after a start. Nobody waits for the answer. */
  #hold(link: PeopleLink, argument: Definition): void {
    this.#asked += 1;
    link.say({ type: 'ask', n: this.#asked, name: 'hold', argument, now: this.#deps.clockNow() });
  }

  #heard(message: FromPeople): void {
    if (message.type === 'changed') return this.#changed(message);
    const asked = this.#waiting.get(message.n);
    this.#waiting.delete(message.n);
    if (message.type === 'answer') asked?.resolve(message.value);
    else asked?.reject(new PeopleOffError(message.message));
  }

  #changed({ state, watches, nextChange }: Extract<FromPeople, { type: 'changed' }>): void {
    const now = this.#deps.clock.mono();
    for (const { key, joined, left } of watches) {
      if (!this.#recent.has(key)) this.#recent.set(key, new RecentMoves());
      this.#recent.get(key)!.add(now, joined, left);
    }
    for (const [key, moves] of this.#recent) if (moves.isEmpty(now)) this.#recent.delete(key);
    this.#nextChange = nextChange;
    this.#planTime();
    this.#tellWaiting(new Set(watches.flatMap(({ key, counted }) => (counted ? [key] : []))));
    if (state.state === 'failed') {
      this.#rejectWaiting(state.message ?? 'People cannot be counted.');
      this.#planRetry();
    }
    this.#see({ ...state, version: this.#view.version });
    for (const { key, counted } of watches)
      if (counted && this.#held.has(key)) for (const listener of this.#listeners) listener(key);
  }

  /** Tells the keeper the time when something changes by time. */
  #planTime(): void {
    this.#timeTimer?.cancel();
    this.#timeTimer = null;
    if (this.#nextChange === null || this.#stopped) return;
    const delay = this.#deps.realDelay(this.#nextChange);
    if (!Number.isFinite(delay)) return;
    this.#timeTimer = this.#deps.timers.after(Math.min(LONGEST_WAIT_MS, Math.max(TIME_MS, Math.ceil(delay))), () => {
      this.#timeTimer = null;
      if (this.#nextChange !== null && this.#deps.clockNow() < this.#nextChange) return this.#planTime();
      this.#link?.say({ type: 'time', now: this.#deps.clockNow() });
    });
  }

  #see(view: PeopleView): void {
    this.#view = { ...view, version: this.#view.version + 1 };
    this.#deps.changed();
  }

  /** The next question starts it again. */
  #ended(message: string): void {
    this.#link = null;
    this.#nextChange = null;
    this.#deps.logger.log('error', 'people_ended', { error: message });
    this.#rejectAll(message);
    this.#see({ ...OFF, state: 'failed', message });
    this.#planRetry();
  }

  /** Held definitions are followed by nobody who would ask again. */
  #planRetry(): void {
    if (this.#stopped || this.#held.size === 0) return;
    this.#retryTimer?.cancel();
    this.#retryTimer = this.#deps.timers.after(RETRY_MS, () => {
      if (this.#link === null) this.#start();
      else if (this.#view.state === 'failed') this.ask('recount', null).catch(() => {});
    });
  }

  #tellWaiting(counted: ReadonlySet<string>): void {
    const told = this.#counting.filter(({ key }) => counted.has(key));
    this.#counting = this.#counting.filter(({ key }) => !counted.has(key));
    for (const { resolve } of told) resolve();
  }

  #rejectWaiting(message: string): void {
    const told = this.#counting;
    this.#counting = [];
    for (const { reject } of told) reject(new PeopleOffError(message));
  }

  #rejectAll(message: string): void {
    this.#rejectWaiting(message);
    for (const { reject } of this.#waiting.values()) reject(new PeopleOffError(message));
    this.#waiting.clear();
  }
}

/** A timer is never trusted for longer: the machine may sleep. */
const LONGEST_WAIT_MS = 15_000;
