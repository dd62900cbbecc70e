/**
 * The moment after which nothing more is sent. Not an AbortSignal: Node warns of more than ten listeners on one,
 * and each open request has its own.
 */
export class GiveUp {
  readonly #listeners = new Set<() => void>();
  #isOn = false;

  get isOn(): boolean {
    return this.#isOn;
  }

  /**
   * Calls `listener` once at that moment, or at once if it has passed. Returns a function that removes the listener.
   */
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
