/**
 * Counts findings for the list of people, in slices. It begins when somebody looks at the list: with the people whom the
 * list shows, and then everyone, when the list is in the order of findings.
 */
import { type Slice, UNIT } from '../../model/slice.ts';
import type { UserCallStore } from '../../store/ports/user-calls.ts';
import type { IdentityIndex } from './identity-index.ts';
import { findingCount } from './person.ts';
import type { SeenPerson } from './roster.ts';

/** Of everyone, so many are looked for at once. */
const AT_ONCE = 1_000;
/** To look for a person's calls costs as much as to read so many of them. */
const LOOK_UP = 3;
/** Of people whom lists showed, the newest are kept. */
const MOST = 2_000;

export class FindingCounts {
  readonly #index: IdentityIndex;
  readonly #store: Pick<UserCallStore, 'personCalls'>;
  /** The first one comes last. */
  #wanted: SeenPerson[] = [];
  #isEveryoneWanted = false;

  constructor(index: IdentityIndex, store: Pick<UserCallStore, 'personCalls'>) {
    this.#index = index;
    this.#store = store;
  }

  /** They come before those who were wanted before. */
  want(people: readonly SeenPerson[]): void {
    const more = people.filter(({ isCounted }) => !isCounted).reverse();
    this.#wanted = [...this.#wanted, ...more].slice(-MOST);
  }

  wantEveryone(): void {
    this.#isEveryoneWanted = true;
  }

  /** Returns whether there is more to count. */
  work(slice: Slice): boolean {
    let looked = 0;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (next.isCounted) continue;
      looked += LOOK_UP + next.calls;
      this.#index.people.setFindings(next.key, findingCount(this.#index, this.#store, next.key));
      if (looked < UNIT) continue;
      looked = 0;
      if (slice.isOver()) return true;
    }
    return false;
  }

  #next(): SeenPerson | undefined {
    if (this.#wanted.length === 0 && this.#isEveryoneWanted) this.#lookForMore();
    return this.#wanted.pop();
  }

  #lookForMore(): void {
    const more: SeenPerson[] = [];
    for (const person of this.#index.people.newestFirst()) {
      if (!person.isCounted) more.push(person);
      if (more.length === AT_ONCE) break;
    }
    this.#isEveryoneWanted = more.length === AT_ONCE;
    this.want(more);
  }
}
