/**
 * One kind of id in the rows of a table: which rows have which id. The rows of an id are linked from the newest to the
 * oldest. An id is forgotten with its last row.
 */
import { NONE } from '../call-log.ts';
import { grown } from '../grown.ts';

export class IdColumn {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #free: number[] = [];
  #newest = new Int32Array(0);
  #rows = new Int32Array(0);
  #ids = new Int32Array(0);
  #previous = new Int32Array(0);

  has(text: string): boolean {
    return this.#numbers.has(text);
  }

  /** How many rows have it. */
  count(text: string): number {
    const id = this.#numbers.get(text);
    return id === undefined ? 0 : this.#rows[id]!;
  }

  /** Null for a row without an id of this kind. */
  at(row: number): string | null {
    const id = this.#ids[row]!;
    return id === NONE ? null : this.#texts[id]!;
  }

  /** Newest first. */
  *rowsOf(text: string): Generator<number> {
    const id = this.#numbers.get(text);
    if (id === undefined) return;
    for (let row = this.#newest[id]!; row !== NONE; row = this.#previous[row]!) if (this.#ids[row] === id) yield row;
  }

  /** `row` is above every row before it. */
  push(row: number, text: string | null): void {
    this.#ids = grown(this.#ids, row + 1);
    this.#previous = grown(this.#previous, row + 1);
    const id = text === null ? NONE : this.#idOf(text);
    this.#ids[row] = id;
    if (id !== NONE) this.#link(row, id);
  }

  #link(row: number, id: number): void {
    this.#previous[row] = this.#newest[id]!;
    this.#newest[id] = row;
    this.#rows[id]! += 1;
  }

  #idOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const id = this.#free.pop() ?? this.#texts.length;
    this.#newest = grown(this.#newest, id + 1);
    this.#rows = grown(this.#rows, id + 1);
    this.#numbers.set(text, id);
    this.#texts[id] = text;
    this.#newest[id] = NONE;
    this.#rows[id] = 0;
    return id;
  }

  clear(row: number): void {
    const id = this.#ids[row]!;
    if (id === NONE) return;
    this.#ids[row] = NONE;
    this.#rows[id]! -= 1;
    if (this.#rows[id]! > 0) return;
    this.#numbers.delete(this.#texts[id]!);
    this.#texts[id] = '';
    this.#free.push(id);
  }

  /** Begins to close gaps: every row that stays is then {@link move}d, in order. */
  unlink(): void {
    this.#newest.fill(NONE);
    this.#rows.fill(0);
  }

  move(from: number, to: number): void {
    const id = this.#ids[from]!;
    this.#ids[to] = id;
    if (id !== NONE) this.#link(to, id);
  }
}
