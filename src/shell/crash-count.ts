const WINDOW_MS = 60_000;

/** How often something may crash before it is left alone. */
export class CrashCount {
  readonly #limit: number;
  readonly #now: () => number;
  #crashes: number[] = [];

  /** `now` in milliseconds that never run backwards. */
  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts a crash. True when there have been too many within a minute. */
  add(): boolean {
    const now = this.#now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < WINDOW_MS), now];
    return this.#crashes.length >= this.#limit;
  }

  /** Starts counting again, because a person asked for another try. */
  forget(): void {
    this.#crashes = [];
  }
}
