/** How large the store is, for the status and for retention. */
import type { Clock } from '../ports.ts';

/** The size is asked for with every batch and every commit, so one reading holds for this long. */
const HOLDS_MS = 1_000;

/** What `read` gives, or `otherwise` while the store cannot be read: there is a status at any time. */
export function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

export class StoreSize {
  readonly #clock: Pick<Clock, 'mono'>;
  readonly #read: () => number;
  #known = { at: Number.NEGATIVE_INFINITY, bytes: 0 };

  constructor(clock: Pick<Clock, 'mono'>, read: () => number) {
    this.#clock = clock;
    this.#read = read;
  }

  /** Bytes in use in the store's file, at most a second old. Never throws: the last known size stands in. */
  bytes(): number {
    const now = this.#clock.mono();
    if (now - this.#known.at < HOLDS_MS) return this.#known.bytes;
    const bytes = readable(this.#read, this.#known.bytes);
    this.#known = { at: now, bytes };
    return bytes;
  }
}
