/** The retry clock over the lives of an engine: read at the start, stored with every change and after every jump. */
import type { Config } from '../../contract/config.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Changes } from '../store/ports/changes.ts';
import { RetryClock, type RetryClockState } from './retry-clock.ts';

export interface ClockKeeperDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** As stored. */
  read(): RetryClockState | undefined;
  save(state: RetryClockState): void;
  /** The newest reading that the store shows. */
  shownBefore(): number | null;
  write<T>(job: (changes: Changes) => T): Promise<T>;
  /** A write that is tried until it works. */
  persist<T>(job: (changes: Changes) => T, rows: number): Promise<T>;
  /** The clock runs otherwise now: what waits is due at other times. */
  changed(): void;
}

export class ClockKeeper {
  readonly #deps: ClockKeeperDeps;
  readonly clock: RetryClock;

  constructor(deps: ClockKeeperDeps) {
    this.#deps = deps;
    this.clock = new RetryClock(deps.clock, deps.read(), deps.shownBefore() ?? undefined, () => this.#corrected());
  }

  /** Stores the change, then makes it: one that cannot be stored is not made. */
  async change(change: (clock: RetryClock) => unknown): Promise<RetryClockState> {
    const next = new RetryClock(this.#deps.clock, this.clock.state);
    change(next);
    await this.#deps.write((changes) => this.#save(next.state, changes));
    change(this.clock);
    this.#deps.changed();
    return this.clock.state;
  }

  async takeConfig({ speed, paused }: NonNullable<Config['clock']> = {}): Promise<void> {
    const { state } = this.clock;
    if (speed !== undefined && speed !== state.speed) await this.change((clock) => clock.setSpeed(speed));
    if (paused !== undefined && paused !== this.clock.state.paused)
      await this.change((clock) => (paused ? clock.pause() : clock.resume()));
  }

  /** As it is at the write, within a transaction of the caller's. */
  keep(changes: Changes): void {
    this.#save(this.clock.state, changes);
  }

  #save(state: RetryClockState, changes: Changes): void {
    this.#deps.save(state);
    changes.parts.add('clock');
  }

  /** The machine slept or its clock was set: what was stored would show another time after a restart. */
  #corrected(): void {
    this.#deps.logger.log('warn', 'wall_clock_jumped');
    this.#deps.persist((changes) => this.keep(changes), 1).catch(() => {});
    this.#deps.changed();
  }
}
