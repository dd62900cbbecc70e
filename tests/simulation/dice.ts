/** All chance of a world: one seed, one sequence. */
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

  /** Whole, from 0 up to but without `n`. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  /** Whole, both ends included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  /** A sequence of its own, so that what one part draws does not shift what another one gets. */
  fork(): Dice {
    return new Dice(this.below(2 ** 32));
  }
}
