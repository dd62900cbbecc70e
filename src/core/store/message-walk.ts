/** Finds messages by a walk through the table, around unreadable pages (see `walk.ts`). */
import type { Damage } from './damage.ts';
import type { ReadDb } from './prepared.ts';
import { Reads } from './statements.ts';
import { walk } from './walk.ts';

/** A walk continues at this id or later. */
export interface WalkFrom {
  readonly from: number;
  readonly limit: number;
}

export class MessageWalk extends Reads {
  readonly #damage: Damage;

  constructor(db: ReadDb, damage: Damage) {
    super(db);
    this.#damage = damage;
  }

  /** All rows that `read` returns, by id. */
  all<T extends { readonly id: number }>(read: (step: WalkFrom) => T[]): T[] {
    const first = this.#damage.around(() => this.#first.get(), null);
    const damaged = (): void => this.#damage.found('a page of messages');
    return [...walk((from, limit) => read({ from, limit }), damaged, (first ?? 1) - 1)].flat();
  }

  readonly #first = this.column<undefined, number | null>('SELECT min(id) FROM messages');
}
