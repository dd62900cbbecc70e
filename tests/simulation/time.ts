/**
 * The time of one world: a heap of callbacks, and the two clocks that the engine reads. Nothing really waits. Each
 * callback gets its own turn of Node's event loop, so that every promise that it settled is handled before the next
 * callback.
 */
import type { Clock, Timer, Timers } from '../../src/core/ports.ts';
import type { Dice } from './dice.ts';

/** Noon of a fixed day, so that histories read the same everywhere. */
export const START = Date.UTC(2025, 0, 15, 12, 0, 0);

interface Due {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

/** Ordered by time, then by the order of scheduling. */
class Heap {
  readonly #items: Due[] = [];

  get first(): Due | undefined {
    return this.#items[0];
  }

  push(item: Due): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(item, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  pop(): Due | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (first === undefined || last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child += 1;
      if (!before(items[child]!, last)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return first;
  }
}

const before = (a: Due, b: Due): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Repeated calls of `soon` also use up time. */
const MAX_SOON = 1_000;

/** A world with more turns than this runs in circles. */
const MAX_TURNS = 600_000;

/** The engine goes on and on without an end, such as one that tries at once what has just failed. */
export class RunsInCircles extends Error {
  constructor() {
    super(`The world is not over after ${MAX_TURNS} turns.`);
  }
}

export class WorldTime implements Clock {
  readonly #dice: Dice;
  readonly #heap = new Heap();
  readonly #onThrow: (error: unknown) => void;
  #soon: Array<() => void> = [];
  #mono = 0;
  #wall = START;
  #slept = 0;
  #order = 0;
  #turns = 0;
  #soonInARow = 0;

  /** `dice` decides the order of callbacks at the same moment. `onThrow` gets what callbacks throw. */
  constructor(dice: Dice, onThrow: (error: unknown) => void) {
    this.#dice = dice;
    this.#onThrow = onThrow;
  }

  wall(): number {
    return Math.floor(this.#wall);
  }

  mono(): number {
    return this.#mono;
  }

  /** Real milliseconds since the start: sleep counts, clock jumps do not. */
  get real(): number {
    return this.#mono + this.#slept;
  }

  get slept(): number {
    return this.#slept;
  }

  /** Someone sets the machine's clock. */
  jump(byMs: number): void {
    this.#wall += byMs;
  }

  /** The machine sleeps: time passes, timers and the monotonic clock stand still. */
  sleep(ms: number): void {
    this.#wall += ms;
    this.#slept += ms;
  }

  after(delayMs: number, run: () => void): Timer {
    this.#order += 1;
    const wait = Number.isFinite(delayMs) ? Math.max(0, delayMs) : 1e15;
    const due: Due = { at: this.#mono + wait, order: this.#order, run, cancelled: false };
    this.#heap.push(due);
    return {
      cancel: () => {
        due.cancelled = true;
      },
    };
  }

  soon(run: () => void): void {
    this.#soon.push(run);
  }

  /** The time of one process. Its timers stop when it ends. */
  timersOf(isAlive: () => boolean): Timers {
    return {
      after: (delayMs, run) =>
        this.after(delayMs, () => {
          if (isAlive()) run();
        }),
      soon: (run) =>
        this.soon(() => {
          if (isAlive()) run();
        }),
    };
  }

  /** Runs the world until `isOver`. Rejects when that never happens. */
  run(isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        if (isOver()) return resolve();
        this.#turns += 1;
        if (this.#turns > MAX_TURNS) return reject(new RunsInCircles());
        const run = this.#next();
        if (run === undefined) return reject(new Error('Nothing is left to happen and the world is not over.'));
        try {
          run();
        } catch (error) {
          this.#onThrow(error);
        }
        setImmediate(turn);
      };
      setImmediate(turn);
    });
  }

  /**
   * Two callbacks of the same moment may run in either order: a second answer may come before the commit of the first.
   */
  #next(): (() => void) | undefined {
    while (this.#heap.first?.cancelled) this.#heap.pop();
    const due = this.#heap.first;
    if (this.#soon.length > 0 && !this.#isBefore(due)) {
      this.#soonInARow += 1;
      return this.#soon.shift();
    }
    if (due === undefined) return undefined;
    this.#soonInARow = 0;
    this.#heap.pop();
    this.#wall += due.at - this.#mono;
    this.#mono = due.at;
    return due.run;
  }

  #isBefore(due: Due | undefined): boolean {
    if (due === undefined) return false;
    return due.at === this.#mono ? this.#dice.chance(0.5) : this.#soonInARow >= MAX_SOON;
  }
}
