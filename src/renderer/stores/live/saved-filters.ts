/** Saved filters: the built-in ones and those of the workspace, and what can be done with them. */
import type { MessageFilter } from '../../../contract/commands.ts';
import { BUILT_IN_FILTERS, type BuiltInFilter, SAVED_FILTER_LIMITS } from '../../../contract/saved-filter-limits.ts';
import type { SavedFilters } from '../../../contract/saved-filters.ts';
import type { Query } from './filter.ts';

/** A filter under its name. Built-in ones have a key and can be hidden, not edited. */
export interface NamedFilter {
  readonly name: string;
  readonly filter: MessageFilter;
  readonly builtIn: BuiltInFilter | null;
  /** Shown while the pointer or the focus rests on its chip. */
  readonly hint?: string;
}

const BUILT_IN: Readonly<Record<BuiltInFilter, Omit<NamedFilter, 'builtIn'>>> = {
  dropped: {
    name: '200 but dropped',
    filter: { terms: [{ key: 'is', values: ['dropped'] }] },
    hint: 'The SDK was told 200. Segment would drop the call without a word.',
  },
  replays: { name: 'Replays', filter: { terms: [{ key: 'is', values: ['replayed'] }] } },
  slow: {
    name: 'Slow answers',
    filter: { terms: [{ key: 'took', values: [1_000] }] },
    hint: 'A webhook took 1 s or more to answer.',
  },
  deletions: { name: 'Deletions', filter: { terms: [{ key: 'type', values: ['delete'] }] } },
};

export const NO_SAVED_FILTERS: SavedFilters = { filters: [], hidden: [] };

export const builtInName = (key: BuiltInFilter): string => BUILT_IN[key].name;

/** The user's in their order, then the built-in ones that are shown. */
export const shownFilters = ({ filters, hidden }: SavedFilters): NamedFilter[] => [
  ...filters.map((one) => ({ ...one, builtIn: null })),
  ...BUILT_IN_FILTERS.filter((key) => !hidden.includes(key)).map((key) => ({ ...BUILT_IN[key], builtIn: key })),
];

const termsOf = ({ terms = [] }: MessageFilter): string => JSON.stringify(terms);
export const isFilterOf = (terms: Query['terms'], filter: MessageFilter): boolean =>
  termsOf({ terms }) === termsOf(filter);

/** The same name takes the new filter in its place. */
export function withFilter(all: SavedFilters, name: string, filter: MessageFilter): SavedFilters {
  const at = all.filters.findIndex((one) => one.name === name);
  const filters = at === -1 ? [...all.filters, { name, filter }] : all.filters.with(at, { name, filter });
  return { ...all, filters };
}

export const without = (all: SavedFilters, place: number): SavedFilters => ({
  ...all,
  filters: all.filters.filter((_, i) => i !== place),
});

export const renamed = (all: SavedFilters, place: number, name: string): SavedFilters => ({
  ...all,
  filters: all.filters.with(place, { ...all.filters[place]!, name }),
});

/** One place up. */
export function raised(all: SavedFilters, place: number): SavedFilters {
  const above = all.filters[place - 1];
  const one = all.filters[place];
  if (above === undefined || one === undefined) return all;
  return { ...all, filters: all.filters.with(place - 1, one).with(place, above) };
}

export const switched = (all: SavedFilters, key: BuiltInFilter): SavedFilters => ({
  ...all,
  hidden: all.hidden.includes(key) ? all.hidden.filter((one) => one !== key) : [...all.hidden, key],
});

/** Why a name cannot be given, or null. `place` is the filter that has it now. */
export function nameProblem(all: SavedFilters, name: string, place: number | null = null): string | null {
  const wanted = name.trim();
  if (wanted === '') return 'Enter a name.';
  if (wanted.length > SAVED_FILTER_LIMITS.name) return `A name has at most ${SAVED_FILTER_LIMITS.name} characters.`;
  if (place !== null && all.filters.some((one, i) => i !== place && one.name === wanted))
    return 'Another filter has this name.';
  if (
    place === null &&
    all.filters.length >= SAVED_FILTER_LIMITS.filters &&
    !all.filters.some((one) => one.name === wanted)
  )
    return `There are ${SAVED_FILTER_LIMITS.filters} saved filters. Remove one first.`;
  return null;
}
