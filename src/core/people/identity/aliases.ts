/** Alias calls: which ids were renamed to which. The newest call about an id counts. */
import { byCodePoints } from '../../model/code-points.ts';

export interface Alias {
  /** Row id of the alias call. */
  readonly id: number;
  /** The id before, of a user or an anonymous one. */
  readonly from: string;
  readonly to: string;
}

export class Aliases {
  readonly #all = new Map<number, Alias>();
  #to = new Map<string, Alias>();
  #from = new Map<string, Alias[]>();

  /** Ids ascend. */
  add(alias: Alias): void {
    this.#all.set(alias.id, alias);
    this.#enter(alias);
  }

  #enter(alias: Alias): void {
    const before = this.#to.get(alias.from);
    if (before !== undefined)
      this.#from.set(
        before.to,
        this.into(before.to).filter((one) => one !== before),
      );
    this.#to.set(alias.from, alias);
    this.#from.set(alias.to, [...this.into(alias.to), alias]);
  }

  remove(id: number): void {
    if (!this.#all.delete(id)) return;
    this.#to = new Map();
    this.#from = new Map();
    for (const alias of this.#all.values()) this.#enter(alias);
  }

  /** The alias of this call. */
  at(id: number): Alias | undefined {
    return this.#all.get(id);
  }

  /** Every alias call in force whose new id is this one. */
  into(id: string): readonly Alias[] {
    return this.#from.get(id) ?? [];
  }

  /** The call that renamed this id. */
  of(id: string): Alias | undefined {
    return this.#to.get(id);
  }

  /** The id that this one has become. In a loop, the first of its ids by code points. */
  root(id: string): string {
    const path = [id];
    for (let next = this.#to.get(id); next !== undefined; next = this.#to.get(next.to)) {
      const at = path.indexOf(next.to);
      if (at !== -1) return path.slice(at).sort(byCodePoints)[0]!;
      path.push(next.to);
    }
    return path.at(-1)!;
  }

  /** All ids that have become this root, itself included, in the order found. */
  family(root: string): string[] {
    const found = new Set([root]);
    for (const id of found) for (const { from } of this.into(id)) found.add(from);
    return [...found];
  }
}
