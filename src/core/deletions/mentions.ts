/** Whether stored text mentions one of some user ids: as a whole JSON value, or as the whole of a column. Pure. */

/** Up to this many ids are looked for one by one, which is fastest. Of more, every value of the text is looked up. */
const FEW = 20;

const STRING = /"(?:[^"\\]|\\.)*"/g;
const NUMBER = /(?<=[:[,\s]|^)-?\d+(?:\.\d+)?(?=[\s,}\]]|$)/g;

export class Mentions {
  readonly #ids: ReadonlySet<string>;
  /** As JSON writes them. */
  readonly #quoted: ReadonlySet<string>;
  readonly #hasNumbers: boolean;
  /** True when a client could write one of the ids in several ways, so that a text must be parsed to be sure. */
  readonly isSpeltManyWays: boolean;

  constructor(userIds: Iterable<string>) {
    this.#ids = new Set(userIds);
    this.#quoted = new Set([...this.#ids].map((id) => JSON.stringify(id)));
    this.#hasNumbers = [...this.#ids].some((id) => id.trim() !== '' && String(Number(id)) === id);
    this.isSpeltManyWays = this.#hasNumbers || [...this.#ids].some((id) => !/^[\w.@:+ -]+$/.test(id));
  }

  has(userId: string | null): boolean {
    return userId !== null && this.#ids.has(userId);
  }

  /** Of JSON text, or any text with the ids in double quotes. */
  inText(text: string): boolean {
    if (this.#hasNumbers && (text.match(NUMBER) ?? []).some((number) => this.#ids.has(number))) return true;
    if (this.#quoted.size > FEW) return (text.match(STRING) ?? []).some((value) => this.#quoted.has(value));
    for (const id of this.#quoted) if (text.includes(id)) return true;
    return false;
  }

  /** The name of an alias call is `previousId → userId`. */
  inName(name: string): boolean {
    return this.#ids.has(name) || name.split(' → ').some((part) => this.#ids.has(part));
  }
}
