/** Keeps the retry clock across restarts: stores it with every change and after every jump of the wall clock. */
import type { Clock, Logger } from '../ports.ts';
import type { Changes, Writer } from '../store/ports/changes.ts';
import { RetryClock, type RetryClockState } from './retry-clock.ts';

export interface ClockKeeperDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retryClock: RetryClock;
  save(state: RetryClockState, changes: Changes): void;
  readonly write: Writer['write'];
  /** A write that is retried until it succeeds. */
  persist<T>(job: (changes: Changes) => T, rows: number): Promise<T>;
  /** The clock changed speed, was paused or resumed, or jumped. Due times must be looked at again. */
  changed(): void;
}

export class ClockKeeper {
  readonly #deps: ClockKeeperDeps;

  constructor(deps: ClockKeeperDeps) {
    this.#deps = deps;
    deps.retryClock.onCorrected(() => this.#corrected());
  }

  /** Stores the change first, then makes it. A change that cannot be stored is not made. */
  async change(change: (clock: RetryClock) => unknown): Promise<RetryClockState> {
    const { clock, retryClock, save, write, changed } = this.#deps;
    const next = new RetryClock(clock, retryClock.state);
    change(next);
    await write((changes) => save(next.state, changes));
    change(retryClock);
    changed();
    return retryClock.state;
  }

  /** Stores the clock as it is when the row is written, in the caller's transaction. */
  keep(changes: Changes): void {
    this.#deps.save(this.#deps.retryClock.state, changes);
  }

  /** The machine slept or its clock was set, so the stored clock would show a wrong time after a restart. */
  #corrected(): void {
    this.#deps.logger.log('warn', 'wall_clock_jumped');
    this.#deps.persist((changes) => this.keep(changes), 1).catch(() => {});
    this.#deps.changed();
  }
}
