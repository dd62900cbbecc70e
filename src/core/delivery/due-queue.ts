/**
 * Messages whose round is due, in memory, in order. Ingest offers fresh ones after their commit; the rest is
 * swept from the table by due time. Bounded: what does not fit stays in the table and is swept later, so a
 * backlog of any size costs no memory. A timer is never trusted for longer than 15 s (sleep, clock jumps).
 */
import type { Timer, Timers } from '../ports.ts';
import type { DueMessage } from '../store/deliveries.ts';
import type { RetryClock } from './retry-clock.ts';

const CAPACITY = 2_000;
const LOW_WATER = 500;
const SWEEP = 1_000;
const LONGEST_TIMER_MS = 15_000;

export interface DueSource {
  due(now: number, after: { dueAt: number; id: number }, limit: number): DueMessage[];
  nextDueAfter(now: number): number | null;
}

const START = { dueAt: Number.MIN_SAFE_INTEGER, id: 0 };

export class DueQueue {
  readonly #source: DueSource;
  readonly #clock: RetryClock;
  readonly #timers: Timers;
  readonly #isActive: (id: number) => boolean;
  readonly #wake: () => void;
  readonly #ready = new Map<number, DueMessage>();
  /** Where the sweep stands; null when everything due has been read. */
  #cursor: { dueAt: number; id: number } | null = START;
  #timer: Timer | null = null;
  #timerAt = Number.POSITIVE_INFINITY;
  #stopped = false;

  /** `isActive` tells which messages have a round under way; `wake` is called when more may be due. */
  constructor(
    source: DueSource,
    clock: RetryClock,
    timers: Timers,
    isActive: (id: number) => boolean,
    wake: () => void,
  ) {
    this.#source = source;
    this.#clock = clock;
    this.#timers = timers;
    this.#isActive = isActive;
    this.#wake = wake;
  }

  get size(): number {
    return this.#ready.size;
  }

  /** A message just committed as due. Left to the sweep while a backlog is being read, so that order holds. */
  offer(message: DueMessage): void {
    if (this.#cursor !== null) {
      // Due before what the sweep has read already: the clock was set back, or its commit came late.
      if (message.nextDueAt < this.#cursor.dueAt) this.#cursor = START;
      return;
    }
    if (this.#ready.size >= CAPACITY) this.#cursor = { dueAt: message.nextDueAt, id: message.id - 1 };
    else this.#ready.set(message.id, message);
  }

  /** Takes the next due message, or undefined. */
  take(): DueMessage | undefined {
    if (this.#cursor !== null && this.#ready.size < LOW_WATER) this.#sweep();
    for (const [id, message] of this.#ready) {
      this.#ready.delete(id);
      if (!this.#isActive(id)) return message;
    }
    return undefined;
  }

  remove(id: number): void {
    this.#ready.delete(id);
  }

  /** Something in the table is due at `dueAt`: at once, or a timer is set for it. */
  expect(dueAt: number): void {
    if (dueAt <= this.#clock.now()) this.refresh();
    else if (dueAt < this.#timerAt) this.#arm(dueAt);
  }

  /** Reads the table again from the start: after a change of clock, of a webhook, or a person's command. */
  refresh(): void {
    this.#cursor = START;
    this.#wake();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#ready.clear();
  }

  #sweep(): void {
    const now = this.#clock.now();
    while (this.#cursor !== null && this.#ready.size < LOW_WATER) {
      const found = this.#source.due(now, this.#cursor, SWEEP);
      for (const message of found) if (!this.#isActive(message.id)) this.#ready.set(message.id, message);
      const last = found.at(-1);
      this.#cursor = found.length < SWEEP || last === undefined ? null : { dueAt: last.nextDueAt, id: last.id };
    }
    if (this.#cursor === null) {
      const next = this.#source.nextDueAfter(now);
      if (next !== null) this.#arm(next);
    }
  }

  #arm(dueAt: number): void {
    if (this.#stopped) return;
    this.#timer?.cancel();
    this.#timerAt = dueAt;
    this.#timer = this.#timers.after(Math.min(LONGEST_TIMER_MS, this.#clock.realDelay(dueAt)), () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.refresh();
    });
  }
}
