/**
 * One comparison with a value of a trait or a call. Nothing is converted: the text "5" is not the number 5. Dates are
 * the exception, because JSON has none: `before` and `after` read the texts that a timestamp may be.
 */
import type { JsonObject } from './call.ts';
import { pathReader } from './field-path.ts';
import { parseTimestamp } from './timestamp.ts';
import { COMPARE_WORDS, type CompareOp } from './vocabulary.ts';

export type Scalar = string | number | boolean;

export type Comparison =
  /** There is a value, and it is not null. */
  | { readonly op: 'exists' }
  /** `is_not` is the exact opposite of `is`, so it also holds without a value. */
  | { readonly op: 'is' | 'is_not'; readonly value: Scalar }
  | { readonly op: 'is_one_of'; readonly values: readonly Scalar[] }
  /** Part of a text, or an element of an array. Capital letters count. */
  | { readonly op: 'contains'; readonly value: Scalar }
  | { readonly op: 'starts_with' | 'ends_with'; readonly value: string }
  | { readonly op: 'above' | 'below'; readonly value: number }
  /** ISO 8601 in any form that a call's timestamp may have. */
  | { readonly op: 'before' | 'after'; readonly value: string };

/** A comparison with the value at a path. */
export interface FieldTest {
  readonly path: string;
  readonly test: Comparison;
}

export function compare(test: Comparison, actual: unknown): boolean {
  switch (test.op) {
    case 'exists':
      return actual !== undefined && actual !== null;
    case 'is':
      return actual === test.value;
    case 'is_not':
      return actual !== test.value;
    case 'is_one_of':
      return test.values.includes(actual as Scalar);
    case 'contains':
      return contains(actual, test.value);
    case 'starts_with':
      return typeof actual === 'string' && actual.startsWith(test.value);
    case 'ends_with':
      return typeof actual === 'string' && actual.endsWith(test.value);
    case 'above':
      return typeof actual === 'number' && actual > test.value;
    case 'below':
      return typeof actual === 'number' && actual < test.value;
    case 'before':
    case 'after':
      return comesInOrder(test, actual);
  }
}

function contains(actual: unknown, value: Scalar): boolean {
  if (Array.isArray(actual)) return actual.includes(value);
  return typeof actual === 'string' && typeof value === 'string' && actual.includes(value);
}

function comesInOrder({ op, value }: { readonly op: CompareOp; readonly value: string }, actual: unknown): boolean {
  const time = typeof actual === 'string' ? parseTimestamp(actual) : null;
  const limit = parseTimestamp(value);
  if (time === null || limit === null) return false;
  return op === 'before' ? time < limit : time > limit;
}

/** Whether every test holds of an object. */
export type Matches = (object: JsonObject) => boolean;

export function allOf(tests: readonly FieldTest[]): Matches {
  const compiled = tests.map(({ path, test }) => ({ read: pathReader(path), test }));
  return (object) => compiled.every(({ read, test }) => compare(test, read(object)));
}

/** `address.country is one of AT, DE`. */
export function testSentence({ path, test }: FieldTest): string {
  const words = `${path} ${COMPARE_WORDS[test.op]}`;
  if (test.op === 'exists') return words;
  return `${words} ${test.op === 'is_one_of' ? test.values.join(', ') : test.value}`;
}
