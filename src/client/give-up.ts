/**
 * The moment from which nothing is sent any more. Not an AbortSignal: Node warns of more than ten listeners on one,
 * and each open request has its own.
 */
export class GiveUp {
  readonly #listeners = new Set<() => void>();
  #isOn = false;

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Calls `listener` once at that moment, at once when it has come. Gives the function that takes it back. */
  on(listener: () => void): () => void {
    if (this.#isOn) listener();
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  now(): void {
    this.#isOn = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
