/** Judges replays: what each says of itself must be what its attempts say. */
import type { CommittedRows } from './committed-rows.ts';
import type { Expectations } from './expectations.ts';

export class ReplayRules {
  readonly #expect: Expectations;
  readonly #rows: CommittedRows;
  /** Those that were open when the last life ended. */
  #cut: readonly number[] = [];

  constructor(expect: Expectations, rows: CommittedRows) {
    this.#expect = expect;
    this.#rows = rows;
  }

  /** Between two lives: the end of the last one cuts off those that are open. */
  lifeEnded(): void {
    this.#cut = this.#rows
      .replays()
      .filter(({ finished }) => finished === null)
      .map(({ id }) => id);
  }

  /** Between two lives, and at the end: what a replay says of itself is what its attempts say. */
  check(): void {
    for (const { id, sent, body, finished, next, ended, outcomes } of this.#rows.replays()) {
      const isWrong =
        (finished === null) !== (ended === null) ||
        (finished !== null && (next !== null || outcomes.includes(null))) ||
        (ended === 'done' && outcomes.includes('interrupted')) ||
        (sent === 'edited') !== (body !== null);
      if (isWrong) this.#expect.violate('a replay that says what is not so', `${id}: ${ended}, ${outcomes.join(' ')}`);
    }
  }

  /** The end of a life cut these off, also those that only waited for their next round. */
  checkCut(): void {
    for (const id of this.#cut) {
      const ended = this.#rows.replay(id)?.ended ?? 'interrupted';
      if (ended !== 'interrupted')
        this.#expect.violate('a replay that was cut off says another end', `${id}: ${ended}`);
    }
    this.#cut = [];
  }
}
