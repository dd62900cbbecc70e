/**
 * Keeps the index up to date with the store. It works in slices of a few milliseconds with a pause after each, and hears
 * messages in between. New messages wait until they are many or a moment has passed, so that they are taken in together.
 */
import { beginSlice } from '../model/slice.ts';
import type { Clock, Timer, Timers } from '../ports.ts';
import type { SearchStores } from '../store/ports/search.ts';
import type { FromSearch, IndexState, ToSearch } from './messages.ts';
import { SearchIndex, type Sought } from './search-index.ts';

/** The pause after a slice, so that on a busy machine the engine comes first. */
const PAUSE_MS = 2;
/**
 * The pause while the engine works. A message takes about 40 µs here and 180 µs there; with this pause the index takes at
 * most a tenth of a core from it and keeps up with 2,400 messages a second.
 */
export const BUSY_PAUSE_MS = 36;
/** So long after a commit the engine counts as working. */
const BUSY_FOR_MS = 500;
/** An engine that works for a greater share of its time is saturated: more messages come than it can deliver at once. */
export const SATURATED = 0.8;
/**
 * The pause while the engine is saturated: about 1 % of a core. The index falls behind, and catches up later. A text is
 * found all the same, because what is not in the index is read.
 */
export const SATURATED_PAUSE_MS = 396;
/** So many new messages are taken in at once. */
const MANY = 1_024;
/** Fewer wait so long. */
const WAIT_MS = 250;
/** Removed messages wait so long: most often their neighbours go as well. */
const TIDY_MS = 1_000;
/** A file that another program has locked is tried again after so long. */
export const LOCKED_MS = 2_000;
const LOCKED = 'Another program has locked search.sqlite. It is tried again every two seconds.';
/** Looked for once before anybody asks: a process that has never searched takes tens of milliseconds longer. */
const WARM_UP = { texts: ['no message has this'], after: 0, most: 256 };
/** While much is taken in, the state is told after so many slices. */
const TELL_SLICES = 16;

type Ask = Extract<ToSearch, { type: 'ask' }>;

export interface HostDeps {
  readonly stores: SearchStores;
  readonly clock: Pick<Clock, 'mono'>;
  readonly timers: Timers;
  say(message: FromSearch): void;
}

/** A look at every segment for messages that are gone. */
interface Forgetting {
  readonly asks: Ask[];
  /** The next segment; null once all were looked at. */
  segment: number | null;
}

export class SearchHost {
  readonly #deps: HostDeps;
  #index: SearchIndex | null = null;
  /** When the engine told of a commit last. */
  #heardAt = Number.NEGATIVE_INFINITY;
  #isSaturated = false;
  #failure: string | null = null;
  /** A file that fails is made again once. When that fails too, somebody has to ask for it. */
  #isSecondTry = false;
  #busy = true;
  #working = false;
  #stopped = false;
  #slices = 0;
  #resting: Timer | null = null;
  #waiting: Timer | null = null;
  #tidying: Timer | null = null;
  /** Runs while the file is locked. */
  #locked: Timer | null = null;
  #isTidyDue = false;
  #isWarm = false;
  #forgetting: Forgetting | null = null;
  #told = '';

  constructor(deps: HostDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#guard(() => this.#open());
    this.#tell();
    this.#wake();
  }

  #open(): void {
    this.#index = new SearchIndex(this.#deps.stores.source, this.#deps.stores.openFile());
    this.#busy = true;
    // A crash may have kept removals from being told.
    this.#forgetting = { asks: this.#forgetting?.asks ?? [], segment: 0 };
  }

  /** Does nothing more and closes both files. Harmless when repeated. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const timer of [this.#resting, this.#waiting, this.#tidying, this.#locked]) timer?.cancel();
    this.#guard(() => this.#index?.save());
    this.#close();
    this.#deps.stores.source.close();
  }

  #close(): void {
    this.#index?.close();
    this.#index = null;
  }

  receive(message: ToSearch): void {
    if (this.#stopped) return;
    switch (message.type) {
      case 'stored':
        this.#stored(message);
        break;
      case 'removed':
        this.#guard(() => this.#index?.remove(message.ids));
        this.#tidying ??= this.#deps.timers.after(TIDY_MS, () => {
          this.#tidying = null;
          this.#isTidyDue = true;
          this.#wake();
        });
        break;
      case 'ask':
        this.#answer(message);
    }
  }

  #stored({ newest, busyShare }: Extract<ToSearch, { type: 'stored' }>): void {
    this.#heardAt = this.#deps.clock.mono();
    this.#isSaturated = busyShare > SATURATED;
    this.#index?.stored(newest);
    if ((this.#index?.behind ?? 0) >= MANY) return this.#wake();
    this.#waiting ??= this.#deps.timers.after(WAIT_MS, () => {
      this.#waiting = null;
      this.#wake();
    });
  }

  #answer(ask: Ask): void {
    const { n, name, argument } = ask;
    switch (name) {
      case 'find': {
        const found = this.#guard(() => this.#index?.find(argument as Sought));
        this.#deps.say({ type: 'answer', n, value: found ?? null });
        break;
      }
      case 'forget':
        this.#forgetting = { asks: [...(this.#forgetting?.asks ?? []), ask], segment: 0 };
        this.#wake();
        break;
      case 'rebuild':
        this.#isSecondTry = false;
        this.#rebuild();
        this.#deps.say({ type: 'answer', n, value: null });
    }
  }

  #rebuild(): void {
    this.#failure = null;
    this.#guard(() => {
      this.#close();
      // Throws for a locked file, which is left alone.
      this.#deps.stores.openFile().close();
      this.#deps.stores.deleteFile();
      this.#open();
    });
    this.#tell();
    this.#wake();
  }

  #wake(): void {
    if (this.#working || this.#stopped || this.#resting !== null) return;
    this.#working = true;
    this.#deps.timers.soon(() => this.#turn());
  }

  #turn(): void {
    this.#working = false;
    if (this.#stopped) return;
    this.#slices += 1;
    const more = this.#guard(() => this.#work()) === true;
    this.#busy = more;
    if (!more || this.#slices % TELL_SLICES === 0) this.#tell();
    if (!more) return;
    this.#resting = this.#deps.timers.after(this.#pause, () => {
      this.#resting = null;
      this.#wake();
    });
  }

  get #pause(): number {
    if (this.#deps.clock.mono() - this.#heardAt >= BUSY_FOR_MS) return PAUSE_MS;
    return this.#isSaturated ? SATURATED_PAUSE_MS : BUSY_PAUSE_MS;
  }

  /** Returns whether there is more to do. */
  #work(): boolean {
    const index = this.#index;
    // A locked file may hold something: who asked to forget waits until it is free.
    if (index === null) return this.#locked === null && this.#forgetNothing();
    const more = this.#forgetting !== null ? this.#forget(index, this.#forgetting) : this.#takeIn(index);
    if (!more || index.isSaveDue) index.save();
    if (!more) this.#rest(index);
    return more;
  }

  /** Everything is taken in. */
  #rest(index: SearchIndex): void {
    this.#isSecondTry = false;
    if (this.#isWarm) return;
    this.#isWarm = true;
    index.find({ ...WARM_UP, before: Number.MAX_SAFE_INTEGER });
  }

  #takeIn(index: SearchIndex): boolean {
    const slice = beginSlice(this.#deps.clock);
    if (index.work(slice)) return true;
    if (!this.#isTidyDue) return false;
    this.#isTidyDue = index.tidy(slice);
    return this.#isTidyDue;
  }

  /** One step; what is new is taken in afterwards. */
  #forget(index: SearchIndex, forgetting: Forgetting): boolean {
    if (forgetting.segment !== null) forgetting.segment = index.compare(forgetting.segment);
    else if (!index.tidy(beginSlice(this.#deps.clock))) this.#forgotten(index, forgetting);
    return true;
  }

  #forgotten(index: SearchIndex, { asks }: Forgetting): void {
    index.settle();
    this.#forgetting = null;
    for (const { n } of asks) this.#deps.say({ type: 'answer', n, value: null });
  }

  /** Without an index there is no file that could hold something. */
  #forgetNothing(): boolean {
    const asks = this.#forgetting?.asks ?? [];
    this.#forgetting = null;
    this.#deps.stores.deleteFile();
    for (const { n } of asks) this.#deps.say({ type: 'answer', n, value: null });
    return false;
  }

  /** A file or a store that cannot be read is a state, not the end of the thread. */
  #guard<T>(job: () => T): T | undefined {
    try {
      return job();
    } catch (error) {
      if (this.#deps.stores.isLocked(error)) this.#wait();
      else this.#failed(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** Nothing is lost: what is in the file is still good, and the rest is made of the store. */
  #wait(): void {
    this.#giveUp(LOCKED);
    if (this.#stopped) return;
    this.#locked?.cancel();
    this.#locked = this.#deps.timers.after(LOCKED_MS, () => {
      this.#locked = null;
      this.#failure = null;
      this.#guard(() => this.#open());
      this.#tell();
      this.#wake();
    });
    this.#tell();
  }

  #giveUp(message: string): void {
    try {
      this.#close();
    } catch {}
    this.#failure = message;
  }

  #failed(message: string): void {
    this.#giveUp(message);
    if (this.#stopped || this.#isSecondTry) return this.#tell();
    this.#isSecondTry = true;
    this.#deps.timers.soon(() => {
      if (!this.#stopped) this.#rebuild();
    });
  }

  get #state(): IndexState {
    const { indexed, total } = this.#index?.progress ?? { indexed: 0, total: 0 };
    const state = this.#failure !== null ? 'failed' : this.#busy ? 'building' : 'ready';
    return { state, indexed, total, bytes: this.#index?.bytes ?? 0, message: this.#failure };
  }

  /** Says what has changed, when something has. */
  #tell(): void {
    const state = this.#state;
    const text = JSON.stringify(state);
    if (text === this.#told) return;
    this.#told = text;
    this.#deps.say({ type: 'changed', state });
  }
}
