/** What the filter field suggests for the word at the end of its text. */
import type { MessageFilter } from '../../../contract/commands.ts';
import {
  asWritten,
  type CountedKey,
  FILTER_KEYS,
  type FilterContext,
  type FilterKey,
  fieldGrammar,
  filterGrammar,
  HOOK_RESULTS,
  isCountedKey,
  isFilterKey,
  printTerm,
  readFilter,
  termOfValue,
} from '../../../contract/filter.ts';
import { MESSAGE_STATES } from '../../../contract/names.ts';
import type { MessageStateName, WebhookView } from '../../../contract/values.ts';
import { type Query, toFilter, withTerms } from './filter.ts';

export interface Suggestion {
  /** As written: `failed`, `status:`. */
  readonly text: string;
  /** The whole text of the field once it is chosen. */
  readonly becomes: string;
  /** False when something must follow, as after `status:`. */
  readonly isWhole: boolean;
  readonly state?: MessageStateName | undefined;
  readonly help?: string | undefined;
  /** How many messages have it, within the other tokens. Left out while that is not known. */
  readonly count?: number | undefined;
}

/** Values with their numbers, where these are known: `3=t` for `hook:3=timeout`, see `termOfValue`. */
export type ValueNumbers = ReadonlyMap<string, { readonly value: string; readonly n: number }>;

/** What the suggestions depend on besides the text: sources, webhooks and the time. */
export interface SuggestionContext extends FilterContext {
  readonly webhooks: readonly Pick<WebhookView, 'slot' | 'name'>[];
}

export interface Suggestions {
  /** The key whose values are suggested, or null for keys. */
  readonly key: FilterKey | null;
  readonly items: readonly Suggestion[];
  /** True where the word means nothing until one is chosen, so that Enter chooses the first. */
  readonly choosesFirst: boolean;
}

/** Keys with a list of values: what is typed of another one is a value by itself. */
const LISTED: readonly FilterKey[] = ['type', 'status', 'source', 'is', 'hook'];
const MOST = 20;
const SLOTS = ['1', '2', '3', '4', '5'];
const CODES = ['2xx', '3xx', '4xx', '5xx'];
const SPANS = ['100ms', '500ms', '1s', '3s'];
const TIMES = ['10m', '1h', '1d'];

const WORD = /^([\s\S]*?)((?:[^\s"]|"[^"]*"?)*)$/;
const PARTS = /^(-?)([a-z]*)(:?)([\s\S]*)$/i;

/** The key that is typed, and the filter of everything before it. Null where its values are not counted. */
export function valuesAsked(query: Query, context: FilterContext): { key: CountedKey; filter: MessageFilter } | null {
  const [, before = '', word = ''] = WORD.exec(query.text) ?? [];
  const [, , head = '', colon, values = ''] = PARTS.exec(word) ?? [];
  const key = head.toLowerCase();
  if (!isCountedKey(key) || (colon === '' && values !== '')) return null;
  const { terms = [] } = readFilter(before, context).filter;
  return { key, filter: toFilter(withTerms({ ...query, text: '' }, terms)) };
}

function valuesOf(key: FilterKey, typed: string, { sources }: FilterContext): readonly string[] {
  const slot = /^([1-5])=/.exec(typed)?.[1];
  switch (key) {
    case 'source':
      return sources.map(({ id }) => printTerm({ key: 'source', values: [id] }, sources).slice('source:'.length));
    case 'hook':
      return slot === undefined ? SLOTS : Object.keys(HOOK_RESULTS).map((result) => `${slot}=${result}`);
    case 'code':
      return CODES;
    case 'took':
      return SPANS;
    case 'after':
    case 'before':
      return TIMES;
    default:
      return filterGrammar[key].values ?? [];
  }
}

const bare = (value: string): string => value.toLowerCase().replace(/^"/, '');
const startsWith = (key: FilterKey, value: string, start: string): boolean =>
  bare(value).startsWith(key === 'event' ? bare(start) : bare(start).replaceAll('_', '-'));
const stateOf = (value: string): MessageStateName | undefined =>
  MESSAGE_STATES.find((state) => asWritten(state) === value);

/** The name that the webhook in this place has now. Before the `=` only, because all results are of one webhook. */
const webhookName = (value: string, { webhooks }: SuggestionContext): string | undefined =>
  webhooks.find(({ slot }) => String(slot) === value)?.name;

/** The values with the most messages first, but webhooks by their places. */
const inOrder = (key: FilterKey, values: readonly Suggestion[]): readonly Suggestion[] =>
  key === 'hook' && values.every(({ text }) => SLOTS.includes(text))
    ? values
    : values.toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));

/**
 * Null when nothing fits, as for a free word, or after a value that cannot be read. With `numbers`, the values with the
 * most messages come first, and those that only the store knows are there too.
 */
export function suggestionsFor(
  text: string,
  context: SuggestionContext,
  numbers: ValueNumbers | null = null,
): Suggestions | null {
  const [, before = '', word = ''] = WORD.exec(text) ?? [];
  const [, minus = '', head = '', colon, values = ''] = PARTS.exec(word) ?? [];
  const key = head.toLowerCase();
  if (colon === ':' && isFilterKey(key)) return ofValues(key, values, `${before}${minus}${key}:`, context, numbers);
  return colon === ':' || values !== '' || head === '' ? null : ofKeys(key, `${before}${minus}`);
}

function ofValues(
  key: FilterKey,
  values: string,
  start: string,
  context: SuggestionContext,
  numbers: ValueNumbers | null,
): Suggestions | null {
  const taken = piecesOf(values);
  const typed = taken.pop() ?? '';
  const chosen = values.slice(0, values.length - typed.length);
  if (chosen !== '' && readFilter(`${key}:${chosen.slice(0, -1)} `, context).problem !== null) return null;
  const counts = numbersAsWritten(key, numbers, context);
  const known = valuesOf(key, typed, context);
  // A webhook and its results are complete lists.
  const others = key === 'hook' ? [] : [...(counts?.keys() ?? [])].filter((value) => !known.includes(value));
  const items = [...known, ...others]
    .filter((value) => startsWith(key, value, typed) && !taken.includes(value))
    .map((value) => ({
      text: value,
      becomes: `${start}${chosen}${value}`,
      isWhole: true,
      state: key === 'status' ? stateOf(value) : undefined,
      help: key === 'hook' ? webhookName(value, context) : undefined,
      count: counts === null ? undefined : (counts.get(value) ?? 0),
    }));
  const shown = inOrder(key, items).slice(0, MOST);
  return shown.length === 0 ? null : { key, items: shown, choosesFirst: LISTED.includes(key) };
}

/** Between the commas that are not in quotes. */
const piecesOf = (values: string): string[] =>
  [...values.matchAll(/(?<=^|,)(?:[^,"]|"(?:\\[\s\S]|[^"\\])*(?:"|\\?$))*/g)].map(([piece]) => piece);

function numbersAsWritten(
  key: FilterKey,
  numbers: ValueNumbers | null,
  { sources }: FilterContext,
): ReadonlyMap<string, number> | null {
  if (numbers === null || !isCountedKey(key)) return null;
  const written = ([, { value, n }]: readonly [string, { value: string; n: number }]) =>
    [printTerm(termOfValue(key, value), sources).slice(key.length + 1), n] as const;
  return new Map([...numbers].map(written));
}

function ofKeys(typed: string, start: string): Suggestions | null {
  const items = FILTER_KEYS.filter((key) => key.startsWith(typed)).map((key) => keySuggestion(key, start));
  return items.length === 0 ? null : { key: null, items, choosesFirst: false };
}

const keySuggestion = (key: FilterKey, start: string): Suggestion => ({
  text: `${key}:`,
  becomes: `${start}${key}:`,
  isWhole: false,
  help: filterGrammar[key].help,
});

const SHOWN_FIRST: readonly FilterKey[] = ['hook', 'code', 'event'];

/** Help with the filters that the text could go on with: a few, or all of them. */
export function moreFilters(text: string, all: boolean): Suggestion[] {
  const start = text === '' || /\s$/.test(text) ? text : `${text} `;
  const keys = all ? FILTER_KEYS : SHOWN_FIRST;
  const field = { text: fieldGrammar.example, becomes: `${start}properties.`, isWhole: false, help: fieldGrammar.help };
  return [...keys.map((key) => ({ ...keySuggestion(key, start), text: filterGrammar[key].example })), field];
}
