/** The filter of the live stream: removable tokens, and the text that is still being typed. */
import type { MessageFilter } from '../../../contract/commands.ts';
import { FILTER_LIMITS, type FilterContext, printTerm, type Term } from '../../../contract/filter.ts';
import type { MessageStateName } from '../../../contract/values.ts';

export interface Query {
  readonly terms: readonly Term[];
  readonly text: string;
}

export const emptyQuery: Query = { terms: [], text: '' };
export const queryOf = (...terms: readonly Term[]): Query => ({ terms, text: '' });

/** A part of a query that can be shown and removed on its own. */
export interface Token {
  /** As typed: `type:track`. */
  readonly text: string;
  readonly without: Query;
}

/** The limit of the field. */
export const MAX_TEXT = FILTER_LIMITS.characters;

export const isEmpty = (query: Query): boolean => query.text.trim() === '' && query.terms.length === 0;

/** The filter of the tokens, for the engine. */
export const toFilter = ({ terms }: Query): MessageFilter => (terms.length === 0 ? {} : { terms });

export const tokensOf = (query: Query, sources: FilterContext['sources']): Token[] =>
  query.terms.map((term) => ({
    text: printTerm(term, sources),
    without: { ...query, terms: query.terms.filter((other) => other !== term) },
  }));

const isSame = (a: Term, b: Term): boolean => JSON.stringify(a) === JSON.stringify(b);

/** With these terms added, each once. */
export function withTerms(query: Query, added: readonly Term[]): Query {
  const terms = [...query.terms];
  for (const term of added) if (!terms.some((other) => isSame(other, term))) terms.push(term);
  return { ...query, terms };
}

/** Keys whose values a menu can switch. */
type ListKey = 'type' | 'status' | 'source' | 'is';
type ValueOf<K extends ListKey> = Extract<Term, { key: K }>['values'][number];

const wants = (term: Term, key: Term['key']): boolean => term.key === key && term.not !== true;

/** The values asked for, of all terms with this key that exclude nothing. */
export const valuesAsked = <K extends ListKey>({ terms }: Query, key: K): ValueOf<K>[] =>
  terms.flatMap((term) => (wants(term, key) ? (term.values as ValueOf<K>[]) : []));

/** With exactly these values asked for. */
export function withValues<K extends ListKey>(query: Query, key: K, values: readonly ValueOf<K>[]): Query {
  const others = query.terms.filter((term) => !wants(term, key));
  return { ...query, terms: values.length === 0 ? others : [...others, { key, values } as Term] };
}

export function toggled<K extends ListKey>(query: Query, key: K, value: ValueOf<K>): Query {
  const asked = valuesAsked(query, key);
  const rest = asked.filter((one) => one !== value);
  return withValues(query, key, rest.length < asked.length ? rest : [...asked, value]);
}

/** Without what it says about states. */
export const withoutStates = (query: Query): Query => ({
  ...query,
  terms: query.terms.filter(({ key }) => key !== 'status'),
});

/** Whether the terms on states let this one pass. */
export const letsPass = ({ terms }: Query, state: MessageStateName): boolean =>
  terms.every((term) => term.key !== 'status' || term.values.includes(state) !== (term.not === true));
