/**
 * Which calls pass the tests of one condition, and the value that a computed trait takes from them. It is filled once
 * from the stored bodies and then call by call, so that nothing is read again when people are counted.
 */
import type { JsonObject } from '../model/call.ts';
import { allOf, type FieldTest, type Matches } from '../model/comparison.ts';
import { pathReader, type ReadPath } from '../model/field-path.ts';
import { grown } from './grown.ts';

export interface ColumnSpec {
  /** Name of the track calls; null for every call. */
  readonly event: string | null;
  readonly where: readonly FieldTest[];
  readonly path: string | null;
}

/** Columns of the same key are one column. */
export const columnKey = ({ event, where, path }: ColumnSpec): string => JSON.stringify([event, where, path]);

export class CallColumn {
  /** Number of the calls' kind; null for every kind. */
  readonly kind: number | null;
  /** False when the kind alone decides, so that there is nothing to fill. */
  readonly needsBodies: boolean;
  /** Rows below this one were looked at, apart from those that are not its kind. */
  filledTo = 0;
  /** Rows that arrived from this one on were filled when they came. */
  readonly since: number;
  readonly #matches: Matches;
  readonly #read: ReadPath | null;
  readonly #values = new Map<number, unknown>();
  #matching = new Uint8Array(0);

  /** `since` is the number of rows at its beginning. */
  constructor({ where, path }: ColumnSpec, kind: number | null, since: number) {
    this.kind = kind;
    this.since = since;
    this.needsBodies = where.length > 0 || path !== null;
    this.#matches = allOf(where);
    this.#read = path === null ? null : pathReader(path);
    if (!this.needsBodies) this.filledTo = since;
  }

  /** Whether it knows all rows. */
  get isFull(): boolean {
    return this.filledTo >= this.since;
  }

  takes(kind: number): boolean {
    return this.kind === null || this.kind === kind;
  }

  /** Looks at a call of its kind. A body that cannot be read, or was removed, matches nothing that looks into it. */
  fill(row: number, body: JsonObject | null): void {
    if (!this.needsBodies) return;
    const matches = body !== null && this.#matches(body);
    this.#set(row, matches ? 1 : 0, matches ? this.#read?.(body) : undefined);
  }

  /** Also clears what an earlier row at this place left. */
  #set(row: number, matching: number, value: unknown): void {
    this.#matching = grown(this.#matching, row + 1);
    this.#matching[row] = matching;
    if (value === undefined) this.#values.delete(row);
    else this.#values.set(row, plain(value));
  }

  /** Whether a row of its kind matches. */
  has(row: number): boolean {
    return !this.needsBodies || this.#matching[row] === 1;
  }

  value(row: number): unknown {
    return this.#values.get(row);
  }

  /** Every value. */
  values(): Iterable<unknown> {
    return this.#values.values();
  }

  /** The log moved a row. Rows move in order and never up. */
  moved(from: number, to: number): void {
    if (from === to || !this.needsBodies) return;
    this.#set(to, this.#matching[from] ?? 0, this.#values.get(from));
  }
}

/** Objects and arrays are no values of a trait; only that there was one is kept. */
const plain = (value: unknown): unknown => (typeof value === 'object' && value !== null ? NOT_PLAIN : value);
const NOT_PLAIN = Object.freeze({});
