/**
 * Counts all messages in the engine's bounded steps, newest first. Messages that arrive after the count began are counted
 * on arrival. When messages moved, everything is counted again, sooner when the last count was cheap.
 */

export interface CountView<C> {
  readonly counts: C;
  /** Messages in the whole list, as of the count. */
  readonly total: number;
  /** 0 to 1 during the first count; null once it is complete. */
  readonly progress: number | null;
}

/** One answer of the engine. */
interface Step<C> {
  readonly counts: C;
  readonly scannedTo: number;
  readonly more: boolean;
  readonly newest: number;
  readonly oldest: number;
  readonly total: number;
}

/** What is counted. */
export interface Counted<C> {
  readonly none: C;
  ask(range: { readonly before?: number; readonly after?: number }): Promise<Step<C>>;
  add(a: C, b: C): C;
}

/** Everything is counted again this long after a change, in milliseconds. */
const REST_MS = 250;
/** Counting takes at most one part in this many of the engine's time. */
const SHARE = 50;
/** After a failure. */
const AGAIN_MS = 1_000;

export interface CountingDeps {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => void;
  readonly onChange: () => void;
  /** Milliseconds that its steps have taken the engine so far, where they also wait for their turns; else {@link now}. */
  readonly spent?: () => number;
}

export class Counting<C> {
  readonly #what: Counted<C>;
  readonly #deps: CountingDeps;
  #view: CountView<C> | null = null;
  #busy = false;
  #closed = false;
  /** True when something changed since the shown count began. */
  #stale = false;
  #planned = false;
  #wholePlanned = false;
  /** Everything is counted again at this time at the earliest. */
  #wholeAt = 0;
  /** Ids up to this one are counted. */
  #newest = 0;

  constructor(what: Counted<C>, deps: CountingDeps) {
    this.#what = what;
    this.#deps = deps;
  }

  /** Null until something is known. */
  get view(): CountView<C> | null {
    return this.#view;
  }

  start(): void {
    void this.#run(() => this.#countAll());
  }

  /** A whole count that is known from elsewhere. It is shown at once, and counted after a rest. */
  know(counts: C, total: number): void {
    if (!this.#isFirst) return;
    this.#show({ counts, total, progress: null });
    this.changed();
  }

  /** Messages came or moved. */
  changed(): void {
    this.#stale = true;
    this.#plan(REST_MS);
  }

  close(): void {
    this.#closed = true;
  }

  /** No count is complete. */
  get #isFirst(): boolean {
    return this.#view === null || this.#view.progress !== null;
  }

  #plan(ms: number): void {
    if (this.#planned || this.#busy || this.#closed) return;
    this.#planned = true;
    this.#deps.after(ms, () => {
      this.#planned = false;
      if (this.#closed || !this.#stale) return;
      const now = this.#deps.now();
      void this.#run(() => (now >= this.#wholeAt ? this.#countAll() : this.#countNew()));
    });
  }

  async #run(count: () => Promise<void>): Promise<void> {
    if (this.#busy || this.#closed) return;
    this.#busy = true;
    try {
      await count();
      this.#busy = false;
      if (this.#stale) this.#plan(REST_MS);
    } catch {
      // Without a connection the shown count stays. The next count corrects it.
      this.#busy = false;
      this.#stale = true;
      this.#plan(AGAIN_MS);
    }
  }

  async #countAll(): Promise<void> {
    this.#stale = false;
    const stopwatch = this.#deps.spent ?? this.#deps.now;
    const began = stopwatch();
    let counts = this.#what.none;
    let before: number | undefined;
    let top: { newest: number; total: number } | null = null;
    for (;;) {
      const step = await this.#what.ask({ ...(before && { before }) });
      if (this.#closed) return;
      top ??= step;
      counts = this.#what.add(counts, step.counts);
      before = step.scannedTo;
      if (!step.more) break;
      const progress = (top.newest - before + 1) / Math.max(1, top.newest - step.oldest + 1);
      if (this.#isFirst) this.#show({ counts, total: top.total, progress: Math.min(1, progress) });
    }
    this.#newest = top.newest;
    this.#wholeAt = this.#deps.now() + SHARE * (stopwatch() - began);
    this.#show({ counts, total: top.total, progress: null });
  }

  /** Counts new arrivals. Moved messages wait for the next full count. */
  async #countNew(): Promise<void> {
    if (this.#view === null) return this.#countAll();
    this.#stale = false;
    const after = this.#newest;
    let counts = this.#view.counts;
    let before: number | undefined;
    let top: { newest: number; total: number } | null = null;
    for (let more = true; more; ) {
      const step = await this.#what.ask({ after, ...(before && { before }) });
      if (this.#closed) return;
      top ??= step;
      counts = this.#what.add(counts, step.counts);
      before = step.scannedTo;
      more = step.more;
    }
    this.#newest = Math.max(after, top?.newest ?? 0);
    this.#show({ counts, total: top?.total ?? this.#view.total, progress: null });
    this.#planWhole();
  }

  #planWhole(): void {
    if (this.#wholePlanned) return;
    this.#wholePlanned = true;
    this.#deps.after(Math.max(0, this.#wholeAt - this.#deps.now()), () => {
      this.#wholePlanned = false;
      this.#stale = true;
      this.#plan(0);
    });
  }

  #show(view: CountView<C>): void {
    this.#view = view;
    this.#deps.onChange();
  }
}
