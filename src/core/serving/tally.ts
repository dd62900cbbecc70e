/** Counts a mistake that clients repeat, for the interface, and logs it once a minute at most. */
import type { Clock, Logger } from '../ports.ts';

const LOG_EVERY_MS = 60_000;

/** Since the start. */
export interface TallyCount {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly lastAt: number;
}

export class Tally {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #event: string;
  readonly #changed: () => void;
  #seen: TallyCount | null = null;
  #loggedAt = Number.NEGATIVE_INFINITY;

  /** `event` is the name of its log line. `changed` runs for each occurrence. */
  constructor(clock: Clock, logger: Logger, event: string, changed: () => void) {
    this.#clock = clock;
    this.#logger = logger;
    this.#event = event;
    this.#changed = changed;
  }

  /** Null until the first one. */
  get seen(): TallyCount | null {
    return this.#seen;
  }

  /** Counts one more. */
  add(details: Readonly<Record<string, string | number>> = {}): void {
    const count = (this.#seen?.count ?? 0) + 1;
    this.#seen = { count, lastAt: this.#clock.wall() };
    const now = this.#clock.mono();
    if (now - this.#loggedAt >= LOG_EVERY_MS) {
      this.#loggedAt = now;
      this.#logger.log('warn', this.#event, { count, ...details });
    }
    this.#changed();
  }
}
