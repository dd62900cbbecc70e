import { type FocusEvent, type KeyboardEvent, useMemo, useState } from 'react';
import type { MessageFilter } from '../../../contract/commands.ts';
import type { MessageStateName } from '../../../contract/values.ts';
import type { Query } from '../../stores/live/filter.ts';
import { letsPass } from '../../stores/live/filter.ts';
import type { StateCounts } from '../../stores/live/filter-counts.ts';
import { filterContext } from '../../stores/live/store.ts';
import {
  moreFilters,
  type Suggestion,
  type Suggestions,
  suggestionsFor,
  type ValueNumbers,
  valuesAsked,
} from '../../stores/live/suggestions.ts';
import type { ValuesView } from '../../stores/live/value-counts.ts';
import { useRecords } from '../../stores/records.ts';
import { useSteady } from './use-steady.ts';
import { useValueCounts } from './use-value-counts.ts';

/** What is suggested now, and what can be done with it. */
export interface SuggestionList {
  readonly suggestions: Suggestions | null;
  /** Suggested values or keys, then more filters. A value with no match is named in `none` instead. */
  readonly values: readonly Suggestion[];
  readonly more: readonly Suggestion[];
  readonly none: readonly Suggestion[];
  /** Place of the chosen one among values and more filters, or null. */
  readonly active: number | null;
  readonly showsAll: boolean;
  /** How far the counts are; null where they need no counting. */
  readonly counted: ValuesView | null;
  /** How many messages match the other tokens, where the values add up to that. */
  readonly total: number | null;
  choose(item: Suggestion): void;
  toggleAll(): void;
}

interface Options {
  readonly query: Query;
  /** Complete counts of the other tokens by state, or null. */
  readonly counts: StateCounts | null;
  /** Takes the text with the suggestion in it; `isWhole` when it may become a token. */
  readonly onChoose: (text: string, isWhole: boolean) => void;
}

/** `list` is null while nothing is suggested. `onKey` says whether it used the key. */
export function useSuggestions({ query, counts, onChoose }: Options) {
  const { text } = query;
  const webhooks = useRecords((records) => records.webhooks);
  const [focused, setFocused] = useState(false);
  /** Opened or closed by a key, as long as the text is this one. */
  const [decided, setDecided] = useState<{ text: string; open: boolean } | null>(null);
  const [moved, setMoved] = useState<{ text: string; place: number } | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  // The filter before the typed word is read once, because a time in it counts from now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: all that it depends on
  const asked = useMemo(() => (focused ? valuesAsked(query, filterContext()) : null), [focused, query.terms, text]);
  const counted = useValueCounts(asked?.key === 'status' ? null : asked);
  const numbers = asked?.key === 'status' ? ofStates(counts, asked.filter) : numbersOf(counted);
  const suggestions = useSteady(suggestionsFor(text, { ...filterContext(), webhooks }, numbers), focused ? text : null);
  const open = focused && (decided?.text === text ? decided.open : suggestions !== null);
  const items = suggestions?.items ?? [];
  const values = items.filter(({ text: value, count }) => count !== 0 || suggestions?.steady.has(value));
  const more = suggestions?.key === null && !showsAll ? [] : moreFilters(text, showsAll);
  const all = [...values, ...more];
  const first = suggestions?.choosesFirst === true && values.length > 0 ? 0 : null;
  const active = moved !== null && moved.text === text && moved.place < all.length ? moved.place : first;

  const close = () => {
    setDecided({ text, open: false });
    setShowsAll(false);
  };
  const choose = (item: Suggestion) => {
    setMoved(null);
    setShowsAll(false);
    onChoose(item.becomes, item.isWhole);
  };
  const move = (by: number) => {
    if (!open) return setDecided({ text, open: true });
    const from = active ?? (by > 0 ? -1 : all.length);
    setMoved({ text, place: (from + by + all.length) % all.length });
  };
  const onKey = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const item = open && active !== null ? all[active] : undefined;
    if (key === 'ArrowDown' || key === 'ArrowUp') move(key === 'ArrowDown' ? 1 : -1);
    else if (open && key === 'Escape') close();
    else if (item !== undefined && key === 'Enter') choose(item);
    else if (open && key === 'Tab' && !shiftKey && (item ?? values[0]) !== undefined) complete((item ?? values[0])!);
    else return false;
    return true;
  };
  /** Puts the value into the text and goes on typing. */
  const complete = (item: Suggestion) => onChoose(item.becomes, false);

  const list: SuggestionList | null = open
    ? {
        suggestions,
        values,
        more,
        none: items.filter((item) => !values.includes(item)),
        counted: asked?.key === 'status' ? null : counted,
        total: asked?.key === 'type' || asked?.key === 'status' ? sumOf(numbers) : null,
        active,
        showsAll,
        choose,
        toggleAll: () => setShowsAll(!showsAll),
      }
    : null;
  const onFocus = () => setFocused(true);
  /** Unless the focus only goes to the list's button. */
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (currentTarget.contains(relatedTarget)) return;
    setFocused(false);
    setShowsAll(false);
  };
  return { list, onKey, onFocus, onBlur };
}

/** Null until they are complete, so that no number rises. */
const numbersOf = (view: ValuesView | null): ValueNumbers | null =>
  view === null || view.progress !== null ? null : view.counts.values;

/** The states have the numbers of the chips, without those that another token on states excludes. */
function ofStates(counts: StateCounts | null, { terms = [] }: MessageFilter): ValueNumbers | null {
  if (counts === null) return null;
  const states = (Object.keys(counts) as MessageStateName[]).filter((state) => letsPass({ terms, text: '' }, state));
  return new Map(states.map((state) => [state, { value: state, n: counts[state] ?? 0 }]));
}

const sumOf = (numbers: ValueNumbers | null): number | null =>
  numbers === null ? null : [...numbers.values()].reduce((sum, { n }) => sum + n, 0);
