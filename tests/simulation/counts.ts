/** Judges counts by state: those that the store keeps and those that clients see must equal a fresh count. */
import type { CommittedRows } from './committed-rows.ts';
import type { Expectations } from './expectations.ts';
import type { Life } from './life.ts';

export class Counts {
  readonly #expect: Expectations;
  readonly #rows: CommittedRows;

  constructor(expect: Expectations, rows: CommittedRows) {
    this.#expect = expect;
    this.#rows = rows;
  }

  /** Not in a store that keeps none. */
  checkKept(): void {
    const kept = this.#rows.keptCounts();
    if (kept !== null) this.#compare('counters do not count', kept);
  }

  /** Not once something other than the engine has moved a message. */
  checkShown({ engine }: Life): void {
    if (this.#expect.movedByHand.size > 0) return;
    this.#compare('counts that are shown do not count', new Map(Object.entries(engine.parts.counters.byState())));
  }

  #compare(what: string, counts: ReadonlyMap<string, number>): void {
    const rows = this.#rows.messages();
    for (const [state, n] of counts) {
      const found = rows.filter((row) => row.state === state).length;
      if (found !== n) this.#expect.violate(what, `${state}: ${n}, not ${found}`);
    }
  }
}
