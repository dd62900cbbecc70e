/** The size of the store, for the status and for retention. */
import type { Clock } from '../ports.ts';

/** How long one reading is used, because every batch and every commit asks for the size. */
const HOLDS_MS = 1_000;

/** What `read` returns, or `otherwise` while the store cannot be read. So there is always a status. */
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

  /** Bytes in use in the store's file, at most a second old. Never throws: returns the last known size instead. */
  bytes(): number {
    const now = this.#clock.mono();
    if (now - this.#known.at < HOLDS_MS) return this.#known.bytes;
    const bytes = readable(this.#read, this.#known.bytes);
    this.#known = { at: now, bytes };
    return bytes;
  }
}
