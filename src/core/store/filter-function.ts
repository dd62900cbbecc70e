/**
 * Functions for SQL, so that a term means there what the model says. Parsing each body in JavaScript costs some µs a row
 * more than SQLite's own JSON functions, which see neither lists nor keys with dots; and only JavaScript can take a call
 * out of its batch and content encoding.
 */
import { textOf } from '../model/filter.ts';
import { inEitherReading } from '../model/filter-escapes.ts';
import { fieldTest } from '../model/filter-field.ts';
import { holdsTest } from '../model/filter-pattern.ts';
import type { FieldTerm } from '../model/filter-terms.ts';
import type { Db } from './db.ts';
import type { ReceivedBytes, ReceivedCalls } from './ports/lists.ts';

/** Compiled tests that are kept. A statement has a few, and uses them for every row. */
export const KEPT = 32;

export const fieldParameter = ({ path, op, values }: FieldTerm): string => JSON.stringify({ path, op, values });

const ofField = (term: string) => fieldTest(JSON.parse(term) as Pick<FieldTerm, 'path' | 'op' | 'values'>);

/** Makes each thing once, and forgets all when there are {@link KEPT}. */
export function kept<T>(make: (given: string) => T): (given: string) => T {
  const made = new Map<string, T>();
  return (given) => {
    const known = made.get(given);
    if (known !== undefined) return known;
    if (made.size >= KEPT) made.clear();
    const one = make(given);
    made.set(given, one);
    return one;
  };
}

/**
 * - `matches_field(term, wire)`: whether a field of the delivered body fits.
 * - `holds_text(part, bytes)`: whether a body holds a text, as it is written or with the escapes of JSON undone.
 * - `is_open(request id)`: whether the request is decoded, so that `received_call` needs no bytes of it.
 * - `received_call(position, request id, path, encoding, code, body)`: the bytes of one call.
 */
export class FilterFunctions {
  readonly #receivedCalls: ReceivedCalls;
  /** The request of the last call that was read. Calls of a batch are neighbours in a scan. */
  #open: { readonly id: unknown; call(position: number): Uint8Array } | null = null;

  constructor(db: Pick<Db, 'function'>, receivedCalls: ReceivedCalls) {
    this.#receivedCalls = receivedCalls;
    const fieldTests = kept(ofField);
    const textTests = kept((part) => inEitherReading(part, holdsTest(part)));
    const pure = { deterministic: true, directOnly: true };
    db.function('matches_field', pure, (term: unknown, wire: unknown) =>
      wire instanceof Uint8Array && fieldTests(String(term))(wire) ? 1 : 0,
    );
    db.function('holds_text', pure, (part: unknown, bytes: unknown) =>
      bytes instanceof Uint8Array && textTests(String(part))(textOf(bytes)) ? 1 : 0,
    );
    const impure = { directOnly: true };
    db.function('is_open', impure, (id: unknown) => (this.#open?.id === id ? 1 : 0));
    db.function(
      'received_call',
      impure,
      (position: unknown, id: unknown, path: unknown, encoding: unknown, code: unknown, body: unknown) =>
        this.#call(Number(position), id, { path, encoding, code, body } as ReceivedBytes),
    );
  }

  #call(position: number, id: unknown, request: ReceivedBytes): Uint8Array {
    if (this.#open?.id !== id) this.#open = { id, call: this.#receivedCalls(request) };
    return this.#open!.call(position);
  }

  /** Between two scans a request may change: a deletion takes calls out of it. */
  forget(): void {
    this.#open = null;
  }
}
