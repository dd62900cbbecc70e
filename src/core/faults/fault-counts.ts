/** How often each rule took requests of each client. Past a bound, the pairs that were quiet longest go. */
import type { FaultDoneView } from '../../contract/faults.ts';

const MAX_PAIRS = 500;
const SHOWN = 50;

export class FaultCounts {
  /** Newest last. */
  readonly #pairs = new Map<string, FaultDoneView>();
  readonly #byRule = new Map<number, number>();
  #hits = 0;

  get hits(): number {
    return this.#hits;
  }

  hitsOf(ruleId: number): number {
    return this.#byRule.get(ruleId) ?? 0;
  }

  newest(): FaultDoneView[] {
    return [...this.#pairs.values()].reverse().slice(0, SHOWN);
  }

  add(ruleId: number, clientKey: string, who: Pick<FaultDoneView, 'client' | 'writeKey'>, at: number): void {
    const key = `${ruleId} ${clientKey}`;
    const count = (this.#pairs.get(key)?.count ?? 0) + 1;
    this.#hits += 1;
    this.#byRule.set(ruleId, this.hitsOf(ruleId) + 1);
    this.#pairs.delete(key);
    this.#pairs.set(key, { ...who, ruleId, count, lastAt: at });
    if (this.#pairs.size > MAX_PAIRS) this.#pairs.delete(this.#pairs.keys().next().value as string);
  }

  clear(): void {
    this.#pairs.clear();
    this.#byRule.clear();
    this.#hits = 0;
  }
}
