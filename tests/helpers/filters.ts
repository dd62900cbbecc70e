import { type MessageFilter, readFilter } from '../../src/contract/filter.ts';

/** The filter that a text says. Throws when it cannot be read. */
export function filterOf(text: string): MessageFilter {
  const { filter, problem } = readFilter(text, { sources: [], now: 0 }, { done: true });
  if (problem !== null) throw new Error(problem.text);
  return filter;
}
