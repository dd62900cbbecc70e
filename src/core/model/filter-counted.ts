/** Keys whose values are counted beside a filter, and the token that each value stands for. */
import { literalPattern } from './filter-pattern.ts';
import type { Term } from './filter-terms.ts';
import type { Cell } from './vocabulary.ts';

export const COUNTED_KEYS = ['type', 'status', 'source', 'event', 'hook', 'code', 'is', 'note', 'reason'] as const;
export type CountedKey = (typeof COUNTED_KEYS)[number];

export const isCountedKey = (key: string): key is CountedKey => (COUNTED_KEYS as readonly string[]).includes(key);

/** How many messages have a value. One message may have several, of notes for example. */
export type ValueCount = readonly [value: string, n: number];

/** A longer event is not counted, so that its token stays within the limits of a filter. In code points. */
export const LONGEST_EVENT = 200;

/**
 * The value as a term: `3=t` of `hook` is webhook 3 with this cell as its last result, a source is its id, and an event
 * is taken literally, in any case.
 */
export function termOfValue(key: CountedKey, value: string): Term {
  switch (key) {
    case 'source':
      return { key, values: [Number(value)] };
    case 'event':
      return { key, values: [literalPattern(value)] };
    case 'hook': {
      const [slot, cell] = value.split('=');
      return { key, values: [{ slot: Number(slot), ...(cell !== undefined && { cell: cell as Cell }) }] };
    }
    default:
      return { key, values: [value] } as Term;
  }
}
