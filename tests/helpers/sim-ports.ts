import type { Clock, Ids, Random, Timer, Timers } from '../../src/core/ports.ts';

/** Noon of a fixed day, so that histories read the same everywhere. */
export const SIM_START = Date.UTC(2025, 0, 15, 12, 0, 0);

/** A `soon` that repeats itself this often will never stop. */
const MAX_TURNS = 100_000;

interface Due {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * Clock and timers in one. Time stands still until a test moves it. Callbacks run in the order of their times, and each
 * sees the clock at its own time. After each callback, promises get `settle` turns, so that its consequences happen
 * before the next callback.
 */
export class SimTime implements Clock, Timers {
  #wall: number;
  #mono = 0;
  #order = 0;
  /** In the order in which they are due. */
  #timers: Due[] = [];
  #soon: (() => void)[] = [];

  constructor(start: number = SIM_START) {
    this.#wall = start;
  }

  wall(): number {
    return Math.floor(this.#wall);
  }

  mono(): number {
    return this.#mono;
  }

  after(delayMs: number, run: () => void): Timer {
    this.#order += 1;
    const due: Due = { at: this.#mono + Math.max(0, delayMs), order: this.#order, run };
    this.#timers.splice(this.#placeOf(due), 0, due);
    return {
      cancel: () => {
        const place = this.#placeOf(due);
        if (this.#timers[place] === due) this.#timers.splice(place, 1);
      },
    };
  }

  soon(run: () => void): void {
    this.#soon.push(run);
  }

  /** Sets the machine's clock without time passing, as a user or a time server does. */
  jumpWall(byMs: number): void {
    this.#wall += byMs;
  }

  /** How many timers are pending. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Delay until the next timer, or null when there is none. */
  get nextInMs(): number | null {
    const next = this.#timers[0];
    return next ? next.at - this.#mono : null;
  }

  /** Runs the callbacks given to `soon` and lets promises settle, without moving time. */
  async settle(turns = 20): Promise<void> {
    let quiet = 0;
    for (let turn = 0; quiet < turns; turn += 1) {
      if (turn > MAX_TURNS) throw new Error('`soon` never comes to rest.');
      const batch = this.#soon.splice(0);
      for (const run of batch) run();
      await Promise.resolve();
      quiet = batch.length > 0 ? 0 : quiet + 1;
    }
  }

  /** Moves time forward and runs every timer that becomes due. */
  async advance(byMs: number): Promise<void> {
    const end = this.#mono + byMs;
    await this.settle();
    for (let due = this.#next(end); due; due = this.#next(end)) {
      this.#moveTo(due.at);
      this.#timers.shift();
      due.run();
      await this.settle();
    }
    this.#moveTo(end);
    await this.settle();
  }

  /** Moves time to the next timer and runs it; false when there is none. */
  async step(): Promise<boolean> {
    const delay = this.nextInMs;
    if (delay === null) return false;
    await this.advance(delay);
    return true;
  }

  #moveTo(mono: number): void {
    this.#wall += mono - this.#mono;
    this.#mono = mono;
  }

  #next(until: number): Due | undefined {
    const first = this.#timers[0];
    return first !== undefined && first.at <= until ? first : undefined;
  }

  /** Where it stands among the timers, or would stand. Thousands may be pending, so this halves. */
  #placeOf(due: Due): number {
    let from = 0;
    let to = this.#timers.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.#timers[middle]!;
      if (other.at < due.at || (other.at === due.at && other.order < due.order)) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** A seed determines the sequence (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    next(): number {
      state = (state + 0x6d2b79f5) >>> 0;
      let bits = Math.imul(state ^ (state >>> 15), 1 | state);
      bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
      return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}

/** Well-formed ids that count up, so that a history reads the same each time. */
export function countingIds(): Ids {
  let count = 0;
  return {
    uuid(): string {
      count += 1;
      return `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
    },
    hex(bytes: number): string {
      count += 1;
      return count
        .toString(16)
        .padStart(bytes * 2, '0')
        .slice(-bytes * 2);
    },
  };
}

export interface SimPorts {
  readonly time: SimTime;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly ids: Ids;
}

/** All ports except transport, sealer and logger, from one seed. */
export function simPorts(seed = 1, start = SIM_START): SimPorts {
  const time = new SimTime(start);
  return { time, clock: time, timers: time, random: seededRandom(seed), ids: countingIds() };
}
