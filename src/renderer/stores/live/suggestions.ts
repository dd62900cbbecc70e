/** What the filter field suggests for the word at the end of its text. */
import {
  asWritten,
  FILTER_KEYS,
  type FilterContext,
  type FilterKey,
  fieldGrammar,
  filterGrammar,
  HOOK_RESULTS,
  isFilterKey,
  printTerm,
  readFilter,
} from '../../../contract/filter.ts';
import { MESSAGE_STATES } from '../../../contract/names.ts';
import type { MessageStateName } from '../../../contract/values.ts';

export interface Suggestion {
  /** As written: `failed`, `status:`. */
  readonly text: string;
  /** The whole text of the field once it is chosen. */
  readonly becomes: string;
  /** False when something must follow, as after `status:`. */
  readonly isWhole: boolean;
  readonly state?: MessageStateName | undefined;
  readonly help?: string | undefined;
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
const TIMES = ['10m', '1h', '1d'];

function valuesOf(key: FilterKey, typed: string, { sources }: FilterContext): readonly string[] {
  const slot = /^([1-5])=/.exec(typed)?.[1];
  switch (key) {
    case 'source':
      return sources.map(({ id }) => printTerm({ key: 'source', values: [id] }, sources).slice('source:'.length));
    case 'hook':
      return slot === undefined ? SLOTS : Object.keys(HOOK_RESULTS).map((result) => `${slot}=${result}`);
    case 'code':
      return CODES;
    case 'after':
    case 'before':
      return TIMES;
    default:
      return filterGrammar[key].values ?? [];
  }
}

const startsWith = (value: string, start: string): boolean =>
  value.toLowerCase().replace(/^"/, '').startsWith(start.toLowerCase().replace(/^"/, '').replaceAll('_', '-'));
const stateOf = (value: string): MessageStateName | undefined =>
  MESSAGE_STATES.find((state) => asWritten(state) === value);

/** Null when nothing fits, as for a free word, or after a value that cannot be read. */
export function suggestionsFor(text: string, context: FilterContext): Suggestions | null {
  const [, before = '', word = ''] = /^([\s\S]*?)((?:[^\s"]|"[^"]*"?)*)$/.exec(text) ?? [];
  const [, minus = '', head = '', colon, values = ''] = /^(-?)([a-z]*)(:?)([\s\S]*)$/i.exec(word) ?? [];
  const key = head.toLowerCase();
  if (colon === ':' && isFilterKey(key)) return ofValues(key, values, `${before}${minus}${key}:`, context);
  return colon === ':' || values !== '' || head === '' ? null : ofKeys(key, `${before}${minus}`);
}

function ofValues(key: FilterKey, values: string, start: string, context: FilterContext): Suggestions | null {
  const comma = values.lastIndexOf(',') + 1;
  const [chosen, typed] = [values.slice(0, comma), values.slice(comma)];
  const taken = chosen.split(',');
  if (chosen !== '' && readFilter(`${key}:${chosen.slice(0, -1)} `, context).problem !== null) return null;
  const items = valuesOf(key, typed, context)
    .filter((value) => startsWith(value, typed) && !taken.includes(value))
    .slice(0, MOST)
    .map((value) => ({
      text: value,
      becomes: `${start}${chosen}${value}`,
      isWhole: true,
      state: key === 'status' ? stateOf(value) : undefined,
    }));
  return items.length === 0 ? null : { key, items, choosesFirst: LISTED.includes(key) };
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
