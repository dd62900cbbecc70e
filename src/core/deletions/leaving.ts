/**
 * Users whose erase is asked for and not done. Audiences tell them nothing: a rule would still find some of their calls,
 * and a sync on change would send that they come or go.
 */

/** Users of whom somebody must say nothing; it may grow and shrink. */
export interface UserSet {
  readonly size: number;
  has(userId: string): boolean;
  [Symbol.iterator](): Iterator<string>;
}

export class Leaving {
  readonly #requests = new Map<symbol, ReadonlySet<string>>();

  /** Call what it returns when their erase is done, or will not be. Harmless when repeated. */
  begin(userIds: Iterable<string>): () => void {
    const key = Symbol();
    this.#requests.set(key, new Set(userIds));
    return () => this.#requests.delete(key);
  }

  /** These users and the suppressed ones; each is iterated once. `size` may count one several times. */
  with(suppressed: ReadonlySet<string>): UserSet {
    if (this.#requests.size === 0) return suppressed;
    const sets = [suppressed, ...this.#requests.values()];
    return {
      get size() {
        return sets.reduce((sum, set) => sum + set.size, 0);
      },
      has: (userId) => sets.some((set) => set.has(userId)),
      [Symbol.iterator]: () => new Set(sets.flatMap((set) => [...set])).values(),
    };
  }
}
