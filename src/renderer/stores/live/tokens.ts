/** The text of the filter field: which of its words act, and which become tokens. */
import { type FilterContext, type FilterProblem, readFilter } from '../../../contract/filter.ts';
import { type Query, withTerms } from './filter.ts';

export interface Reading {
  /** The query with every readable word as a term, and no text. */
  readonly query: Query;
  /** Names what is unreadable and how to fix it; null when everything is readable. */
  readonly problem: FilterProblem | null;
}

/** `done` when typing has ended (Enter). An unfinished token is then an error. */
export function readText(query: Query, context: FilterContext, done = false): Reading {
  const { filter, problem } = readFilter(query.text, context, { done });
  return { query: { ...withTerms(query, filter.terms ?? []), text: '' }, problem };
}

/** Moves finished tokens out of the text: those followed by a space, or all of them with `all` (Enter). Free words stay. */
export function takeTokens(query: Query, context: FilterContext, all = false): Query {
  const { text } = query;
  const { words } = readFilter(text, context);
  const ended = all || /\s$/.test(text) ? words.length : words.length - 1;
  const taken = words.filter(({ term }, i) => i < ended && term !== null && term.key !== 'text');
  if (taken.length === 0) return query;
  const rest = words
    .filter((word) => !taken.includes(word))
    .map((word) => word.text)
    .join(' ');
  const next = withTerms(
    query,
    taken.flatMap(({ term }) => term ?? []),
  );
  return { ...next, text: rest !== '' && !all && /\s$/.test(text) ? `${rest} ` : rest };
}
