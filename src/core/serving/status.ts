/** Counters for the status bar. Counts by state come from the store, rates and totals since the start from memory. */
import type { MessageStateName } from '../../contract/values.ts';
import { MESSAGE_STATES, type MessageState } from '../model/vocabulary.ts';
import type { Clock } from '../ports.ts';
import type { Changes } from '../store/ports/changes.ts';

/** Counts events in the last 60 s, second by second. */
export class MinuteRate {
  readonly #clock: Clock;
  readonly #perSecond = new Array<number>(60).fill(0);
  #second: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#second = Math.floor(clock.mono() / 1000);
  }

  add(n: number): void {
    this.#move();
    this.#perSecond[this.#second % 60]! += n;
  }

  total(): number {
    this.#move();
    return this.#perSecond.reduce((sum, n) => sum + n, 0);
  }

  #move(): void {
    const now = Math.floor(this.#clock.mono() / 1000);
    const steps = Math.min(60, now - this.#second);
    for (let i = 1; i <= steps; i++) this.#perSecond[(this.#second + i) % 60] = 0;
    this.#second = now;
  }
}

export class Counters {
  readonly #counts: Record<MessageStateName, number>;

  constructor(stored: ReadonlyArray<{ state: string; n: number }>) {
    this.#counts = Object.fromEntries(MESSAGE_STATES.map((state) => [state, 0])) as Record<MessageState, number>;
    for (const { state, n } of stored) this.#counts[state as MessageState] = n;
  }

  committed(changes: Changes): void {
    for (const [state, by] of changes.counts) this.#counts[state] += by;
  }

  byState(): Record<MessageStateName, number> {
    return { ...this.#counts };
  }

  total(): number {
    return Object.values(this.#counts).reduce((sum, n) => sum + n, 0);
  }
}
