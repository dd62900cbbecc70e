/** Keeps the retry clock over the lives of an engine: stores it with every change and after every jump of the wall clock. */
import type { Clock, Logger } from '../ports.ts';
import type { Changes, Writer } from '../store/ports/changes.ts';
import { RetryClock, type RetryClockState } from './retry-clock.ts';

export interface ClockKeeperDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retryClock: RetryClock;
  save(state: RetryClockState, changes: Changes): void;
  readonly write: Writer['write'];
  /** A write that is tried until it works. */
  persist<T>(job: (changes: Changes) => T, rows: number): Promise<T>;
  /** The clock has another speed, stands or runs again, or has jumped: due times have to be looked at anew. */
  changed(): void;
}

export class ClockKeeper {
  readonly #deps: ClockKeeperDeps;

  constructor(deps: ClockKeeperDeps) {
    this.#deps = deps;
    deps.retryClock.onCorrected(() => this.#corrected());
  }

  /** Stores the change, then makes it: one that cannot be stored is not made. */
  async change(change: (clock: RetryClock) => unknown): Promise<RetryClockState> {
    const { clock, retryClock, save, write, changed } = this.#deps;
    const next = new RetryClock(clock, retryClock.state);
    change(next);
    await write((changes) => save(next.state, changes));
    change(retryClock);
    changed();
    return retryClock.state;
  }

  /** Stores the clock as it is at the write, within a transaction of the caller's. */
  keep(changes: Changes): void {
    this.#deps.save(this.#deps.retryClock.state, changes);
  }

  /** The machine slept or its clock was set: what was stored would show another time after a restart. */
  #corrected(): void {
    this.#deps.logger.log('warn', 'wall_clock_jumped');
    this.#deps.persist((changes) => this.keep(changes), 1).catch(() => {});
    this.#deps.changed();
  }
}
