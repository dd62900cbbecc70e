/** The language in which people write filters of messages. `filter-schema.ts` has their schema. */
import type { ListFilter } from '../core/model/filter-terms.ts';

export { type FilterRow, hasMark, rowMatches, type Term } from '../core/model/filter.ts';
export * from '../core/model/filter-counted.ts';
export * from '../core/model/filter-grammar.ts';
export { distance } from '../core/model/filter-near-key.ts';
export { literalPattern } from '../core/model/filter-pattern.ts';
export { printFilter, printTerm } from '../core/model/filter-printer.ts';
export { type FilterContext, type FilterProblem, type ReadWord, readFilter } from '../core/model/filter-reader.ts';
export { FILTER_LIMITS } from '../core/model/filter-terms.ts';
export { readTime } from '../core/model/filter-time.ts';

export type MessageFilter = ListFilter;
