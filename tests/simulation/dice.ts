/** The randomness of a world: one seed, one sequence. */
import { seededRandom } from '../helpers/sim-ports.ts';

export class Dice {
  readonly #random: { next(): number };

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Uniform in [0, 1). */
  next(): number {
    return this.#random.next();
  }

  /** A whole number from 0 to `n` - 1. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  /** A whole number, both ends included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  /** A separate sequence, so that the draws of one part do not shift those of another. */
  fork(): Dice {
    return new Dice(this.below(2 ** 32));
  }
}
