/** From a filter to the text that reads as it. */
import { asWritten, HOOK_RESULTS } from './filter-grammar.ts';
import type { HookTried, ListFilter, Term, WholeId } from './filter-terms.ts';
import { patternAsWritten, plainAsWritten, wordAsWritten } from './filter-text.ts';
import { timeAsWritten } from './filter-time.ts';
import type { FilterContext } from './filter-values.ts';

type Sources = FilterContext['sources'];

export const printFilter = ({ terms = [] }: ListFilter, sources: Sources): string =>
  terms.map((term) => printTerm(term, sources)).join(' ');

export const printTerm = (term: Term, sources: Sources): string =>
  `${term.not === true ? '-' : ''}${printed(term, sources)}`;

function printed(term: Term, sources: Sources): string {
  switch (term.key) {
    case 'text':
      return term.values.map(wordAsWritten).join(' ');
    case 'field': {
      const write = term.op === '=' || term.op === '!=' ? patternAsWritten : plainAsWritten;
      return `${term.path}${term.op === '=' ? ':' : term.op}${term.values.map(write).join(',')}`;
    }
    default:
      return `${term.key}:${valuesAsWritten(term, sources).join(',')}`;
  }
}

function valuesAsWritten(term: Exclude<Term, { key: 'text' | 'field' }>, sources: Sources): string[] {
  switch (term.key) {
    case 'source':
      return term.values.map((id) => sourceAsWritten(id, sources));
    case 'hook':
      return term.values.map(hookAsWritten);
    case 'user':
      return term.values.map(userAsWritten);
    case 'event':
      return term.values.map(patternAsWritten);
    case 'took':
      return term.values.map(spanAsWritten);
    case 'after':
    case 'before':
      return term.values.map(timeAsWritten);
    default:
      return term.values.map(asWritten);
  }
}

const spanAsWritten = (ms: number): string => (ms > 0 && ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`);

const userAsWritten = (value: string | WholeId): string =>
  typeof value === 'string' ? patternAsWritten(value) : `=${plainAsWritten(value.id)}`;

/** By its name, or by its id when the source is gone or the name is not its alone. */
function sourceAsWritten(id: number, sources: Sources): string {
  const name = sources.find((source) => source.id === id)?.name;
  const shared = sources.filter((source) => source.name.toLowerCase() === name?.toLowerCase());
  return name === undefined || shared.length > 1 || /^#\d{1,15}$/.test(name) ? `#${id}` : plainAsWritten(name);
}

function hookAsWritten({ slot, cell }: HookTried): string {
  const result = Object.keys(HOOK_RESULTS).find((name) => HOOK_RESULTS[name] === cell);
  return result === undefined ? String(slot) : `${slot}=${result}`;
}
