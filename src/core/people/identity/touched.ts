/** Who may have other calls than before. Noting somebody is quick; who that is in the end is worked out later. */
import type { PersonKey } from '../../../contract/persons.ts';
import { personText } from './roster.ts';

export class Touched {
  readonly #people = new Map<string, PersonKey>();
  /** Both ends of aliases that came or went. */
  readonly #renamed = new Set<string>();
  readonly #anonymous = new Set<string>();

  /** How much is noted. */
  get size(): number {
    return this.#people.size + this.#renamed.size + this.#anonymous.size;
  }

  person(key: PersonKey): void {
    this.#people.set(personText(key), key);
  }

  renamed(id: string): void {
    this.#renamed.add(id);
  }

  /** Everyone who has calls of this anonymous id. */
  anonymous(id: string): void {
    this.#anonymous.add(id);
  }

  /** All of them, also keys that belong to another person by now. Nothing is noted after that. */
  take(
    familyOf: (id: string) => readonly string[],
    ownersOf: (anonymousId: string) => readonly PersonKey[],
  ): PersonKey[] {
    const seen = new Set<string>();
    for (const id of this.#renamed) {
      if (seen.has(id)) continue;
      for (const one of familyOf(id)) {
        seen.add(one);
        this.#both(one);
      }
    }
    for (const id of this.#anonymous)
      for (const key of [...ownersOf(id), { kind: 'anonymous', id } as const]) this.person(key);
    const all = [...this.#people.values()];
    for (const noted of [this.#people, this.#renamed, this.#anonymous]) noted.clear();
    return all;
  }

  #both(id: string): void {
    this.person({ kind: 'user', id });
    this.person({ kind: 'anonymous', id });
  }
}
