/** What an index of texts can know of a filter. */
import { termsOf } from './filter.ts';
import { piecesOf } from './filter-pattern.ts';
import type { ListFilter, Term } from './filter-terms.ts';

/** Texts that every message has which matches: parts of its event, an id, a body or a response. Empty when that is not known. */
export const textsIn = (filter: ListFilter): string[] =>
  termsOf(filter).flatMap((term) => (term.not === true ? [] : textsOf(term)));

function textsOf(term: Term): readonly string[] {
  // Of several values any one is enough.
  if (term.values.length !== 1) return [];
  switch (term.key) {
    case 'text':
      return term.values;
    case 'user':
      return term.values.flatMap((value) => (typeof value === 'string' ? partsOf(value) : value.id));
    case 'event':
      return term.values.flatMap(partsOf);
    default:
      return [];
  }
}

const partsOf = (pattern: string): string[] => piecesOf(pattern).filter((piece) => piece !== '');
