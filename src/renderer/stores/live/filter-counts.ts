/**
 * How many messages match a filter, by state. The engine counts in bounded steps, newest first. Messages that arrive
 * after the count began are counted on arrival. When messages moved, everything is counted again, sooner when the last
 * count was cheap.
 */
import type { Client } from '../../../contract/channel.ts';
import type { MessageFilter } from '../../../contract/commands.ts';
import type { MessageStateName } from '../../../contract/values.ts';

export type StateCounts = Partial<Record<MessageStateName, number>>;

export interface CountsView {
  readonly counts: StateCounts;
  /** Messages in the whole list, as of the count. */
  readonly total: number;
  /** 0 to 1 during the first count; null once it is complete. */
  readonly progress: number | null;
}

/** Everything is counted again this long after a change, in milliseconds. */
const REST_MS = 250;
/** Counting takes at most one part in this many of the engine's time. */
const SHARE = 50;
/** After a failure. */
const AGAIN_MS = 1_000;

export interface CountDeps {
  readonly call: Client['call'];
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => void;
  readonly onChange: () => void;
}

export const sumOf = (counts: StateCounts): number => Object.values(counts).reduce((sum, n) => sum + n, 0);

export function added(a: StateCounts, b: StateCounts): StateCounts {
  const sum: StateCounts = { ...a };
  for (const [state, n] of Object.entries(b) as Array<[MessageStateName, number]>) sum[state] = (sum[state] ?? 0) + n;
  return sum;
}

export class FilterCounts {
  readonly #filter: MessageFilter;
  readonly #deps: CountDeps;
  #view: CountsView | null = null;
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

  constructor(filter: MessageFilter, deps: CountDeps) {
    this.#filter = filter;
    this.#deps = deps;
  }

  /** Null until something is known. */
  get view(): CountsView | null {
    return this.#view;
  }

  start(): void {
    void this.#run(() => this.#countAll());
  }

  /** Messages came or moved. */
  changed(): void {
    this.#stale = true;
    this.#plan(REST_MS);
  }

  close(): void {
    this.#closed = true;
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
    const began = this.#deps.now();
    const first = this.#view === null || this.#view.progress !== null;
    let counts: StateCounts = {};
    let before: number | undefined;
    let top: { newest: number; total: number } | null = null;
    for (;;) {
      const step = await this.#deps.call('messages.counts', { filter: this.#filter, ...(before && { before }) });
      if (this.#closed) return;
      top ??= step;
      counts = added(counts, step.counts);
      before = step.scannedTo;
      if (!step.more) break;
      const progress = (top.newest - before + 1) / Math.max(1, top.newest - step.oldest + 1);
      if (first) this.#show({ counts, total: top.total, progress: Math.min(1, progress) });
    }
    this.#newest = top.newest;
    this.#wholeAt = this.#deps.now() + SHARE * (this.#deps.now() - began);
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
      const step = await this.#deps.call('messages.counts', { filter: this.#filter, after, ...(before && { before }) });
      if (this.#closed) return;
      top ??= step;
      counts = added(counts, step.counts);
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

  #show(view: CountsView): void {
    this.#view = view;
    this.#deps.onChange();
  }
}
