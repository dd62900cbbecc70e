/** The chance and the counts behind rules. The same seed and the same requests give the same faults. */
import type { Random } from '../ports.ts';
import type { Draw } from './decide.ts';

export { seededRandom } from '../model/seeded-random.ts';

/** How many clients "the first of each client" tells apart. Past this, the oldest begins again from 0. */
const MAX_CLIENTS = 1_000;

export class Draws {
  readonly #random: Random;
  readonly #matched = new Map<number, number>();
  readonly #ofClient = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Counts the request for a rule in whose scope it is, and draws its chance. */
  next(ruleId: number, client: string): Draw {
    const key = `${ruleId} ${client}`;
    const before = this.#matched.get(ruleId) ?? 0;
    const beforeOfClient = this.#ofClient.get(key) ?? 0;
    this.#matched.set(ruleId, before + 1);
    this.#ofClient.delete(key);
    this.#ofClient.set(key, beforeOfClient + 1);
    if (this.#ofClient.size > MAX_CLIENTS) this.#ofClient.delete(this.#ofClient.keys().next().value as string);
    return { chance: this.#random.next(), before, beforeOfClient };
  }
}
