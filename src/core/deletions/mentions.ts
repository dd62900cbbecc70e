/** Whether stored text mentions one of some user ids: as a whole JSON value, or as the whole of a column. Pure. */

/** Up to this many ids are looked for one by one, which is fastest. Of more, every value of the text is looked up. */
const FEW = 20;

const NUMBER = /(?<=[:[,\s]|^)-?\d+(?:\.\d+)?(?=[\s,}\]]|$)/g;

export class Mentions {
  readonly #ids: ReadonlySet<string>;
  /** As JSON writes them, without the quotes around them; a text is cut at its quotes and each part looked up. */
  readonly #written: ReadonlySet<string>;
  /** In quotes, looked for one by one: few, or with a quote inside. */
  readonly #oneByOne: readonly string[];
  readonly #hasNumbers: boolean;
  /** True when a client could write one of the ids in several ways, so that a text must be parsed to be sure. */
  readonly isSpeltManyWays: boolean;

  constructor(userIds: Iterable<string>) {
    this.#ids = new Set(userIds);
    const written = [...this.#ids].map((id) => JSON.stringify(id).slice(1, -1));
    const isFew = written.length <= FEW;
    this.#written = new Set(isFew ? [] : written);
    this.#oneByOne = written.filter((id) => isFew || id.includes('"')).map((id) => `"${id}"`);
    this.#hasNumbers = [...this.#ids].some((id) => String(Number(id)) === id);
    this.isSpeltManyWays = this.#hasNumbers || [...this.#ids].some((id) => !/^[\w.@:+ -]+$/.test(id));
  }

  has(userId: string | null): boolean {
    return userId !== null && this.#ids.has(userId);
  }

  /** Of JSON text, or any text with the ids in double quotes. */
  inText(text: string): boolean {
    if (this.#hasNumbers && (text.match(NUMBER) ?? []).some((number) => this.#ids.has(number))) return true;
    if (this.#written.size > 0 && partsInQuotes(text).some((part) => this.#written.has(part))) return true;
    return this.#oneByOne.some((id) => text.includes(id));
  }

  /** The name of an alias call is `previousId → userId`. */
  inName(name: string): boolean {
    return this.#ids.has(name) || name.split(' → ').some((part) => this.#ids.has(part));
  }
}

/** What stands between two quotes that follow each other, also between two strings. */
const partsInQuotes = (text: string): string[] => text.split('"').slice(1, -1);
