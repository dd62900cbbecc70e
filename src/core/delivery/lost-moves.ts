/** Logs and counts lost moves: moves that found the message in another state, because someone else had moved it. */
import type { Move } from '../model/moves.ts';
import type { Logger } from '../ports.ts';

export class LostMoves {
  readonly #logger: Logger;
  #count = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Since the start. */
  get count(): number {
    return this.#count;
  }

  add({ from, to }: Move): void {
    this.#count += 1;
    const fields = { message: from.id, from: from.state, to: to.state, round: from.round, lost: this.#count };
    this.#logger.log('warn', 'move_lost', fields);
  }
}
