/**
 * The text of the filter field: free words, and tokens such as `type:track` or `user:"Ada L"`. A token acts as soon as
 * it can be read; what cannot be read is named, never searched for as text without a word.
 */
import { type Cell, MARKS, MESSAGE_STATES, MESSAGE_TYPES } from '../../../contract/names.ts';
import type { SourceView } from '../../../contract/values.ts';
import type { Query } from './filter.ts';

type Value =
  | { readonly kind: 'query'; readonly query: Query }
  /** More of it has to be typed. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'wrong'; readonly problem: string };

export interface Reading {
  /** With every readable token in its place; its text is the free words alone. */
  readonly query: Query;
  /** What cannot be read, and what to do about it; null when all can. */
  readonly problem: string | null;
}

/** Words by blanks; quotes keep blanks together. */
const words = (text: string): string[] => text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
const unquoted = (text: string): string => text.replaceAll('"', '');

/** `key:value`, or null for a free word. An address such as `https://…` is a free word, and so is what is quoted. */
function tokenOf(word: string): { key: string; value: string } | null {
  const [, key, value] = /^(-?[a-z][a-z.]*):((?!\/\/).*)$/is.exec(word) ?? [];
  return key === undefined || value === undefined ? null : { key: key.toLowerCase(), value: unquoted(value) };
}

/** `done` when nothing more is typed (Enter): then a begun token is a wrong one. */
export function readText(query: Query, sources: readonly SourceView[], done = false): Reading {
  let read: Query = { ...query, text: '' };
  let problem: string | null = null;
  const free: string[] = [];
  const all = words(query.text);
  const open = done || /\s$/.test(query.text) ? -1 : all.length - 1;
  for (const [i, word] of all.entries()) {
    const token = tokenOf(word);
    if (token === null) free.push(unquoted(word));
    else {
      const value = readValue(read, token, sources);
      if (value.kind === 'query') read = value.query;
      else if (value.kind === 'wrong') problem ??= value.problem;
      else if (i !== open) problem ??= `${token.key}: needs ${NEEDS[token.key as Key]}.`;
    }
  }
  return { query: { ...read, text: free.join(' ') }, problem };
}

/** Takes finished tokens out of the text: those that a blank follows, with `all` (Enter) every one. */
export function takeTokens(query: Query, sources: readonly SourceView[], all = false): Query {
  const text = query.text;
  const found = words(text);
  const open = all || /\s$/.test(text) ? found.length : found.length - 1;
  let next = query;
  const left = found.filter((word, i) => {
    const token = i < open ? tokenOf(word) : null;
    const value = token === null ? null : readValue(next, token, sources);
    if (value?.kind !== 'query') return true;
    next = value.query;
    return false;
  });
  if (next === query) return query;
  const rest = left.join(' ');
  return { ...next, text: rest !== '' && !all && /\s$/.test(text) ? `${rest} ` : rest };
}

const KEYS = ['type', 'status', 'source', 'user', 'hook', 'code', 'is', 'note', 'reason'] as const;
type Key = (typeof KEYS)[number];
const isKey = (key: string): key is Key => (KEYS as readonly string[]).includes(key);

const NEEDS: Record<Key, string> = {
  type: `a call: ${MESSAGE_TYPES.join(', ')}`,
  status: 'a state, such as retrying',
  source: 'the name of a source',
  user: 'a user id',
  hook: 'a webhook: hook:3, or hook:3=timeout for its last result',
  code: 'a status: code:503, or code:5xx for all of them',
  is: 'dropped, noted, repeated or replayed',
  note: 'the code of a note',
  reason: 'the code of a reason',
};

function readValue(
  query: Query,
  { key, value }: { key: string; value: string },
  sources: readonly SourceView[],
): Value {
  if (!isKey(key)) return { kind: 'wrong', problem: unknownKey(key) };
  if (value === '') return { kind: 'begun' };
  const wanted = value.toLowerCase();
  switch (key) {
    case 'type':
      return several(wanted, MESSAGE_TYPES, NEEDS.type, 'type', (types) => ({
        ...query,
        types: union(query.types, types),
      }));
    case 'status':
      return several(wanted, MESSAGE_STATES, `one of ${STATE_TOKENS}`, 'status', (states) => ({
        ...query,
        states: union(query.states, states),
      }));
    case 'source': {
      const source = sources.find(({ name }) => name.toLowerCase() === wanted);
      if (source !== undefined) return { kind: 'query', query: { ...query, sourceId: source.id } };
      if (sources.some(({ name }) => name.toLowerCase().startsWith(wanted))) return { kind: 'begun' };
      return { kind: 'wrong', problem: `There is no source ${value}.` };
    }
    case 'is':
      return several(wanted, MARKS, NEEDS.is, 'is', (is) => ({ ...query, is: union(query.is, is) }));
    case 'hook':
      return hookValue(query, wanted);
    case 'code':
      if (/^[1-5](\d\d|xx)$/.test(wanted)) return { kind: 'query', query: { ...query, code: wanted } };
      if (/^[1-5](\d|x)?$/.test(wanted)) return { kind: 'begun' };
      return { kind: 'wrong', problem: `code: needs ${NEEDS.code}.` };
    case 'note':
    case 'reason': {
      const code = wanted.replaceAll('-', '_');
      if (!/^[a-z][a-z_]{0,58}$/.test(code))
        return { kind: 'wrong', problem: `${key}: needs ${NEEDS[key]}, such as ${EXAMPLES[key]}.` };
      return { kind: 'query', query: { ...query, [key]: code } };
    }
    case 'user':
      return { kind: 'query', query: { ...query, user: value } };
  }
}

const EXAMPLES = { note: 'duplicate-key', reason: 'no-user-anon-id' };
const STATE_TOKENS = MESSAGE_STATES.map((state) => state.replaceAll('_', '-')).join(', ');
const union = <T>(a: readonly T[], b: readonly T[]): T[] => [...new Set([...a, ...b])];

/** Names with commas between them. */
function several<T extends string>(
  value: string,
  known: readonly T[],
  needs: string,
  key: string,
  take: (names: T[]) => Query,
): Value {
  const names: T[] = [];
  const parts = value.replaceAll('-', '_').split(',');
  for (const [i, part] of parts.entries()) {
    const name = known.find((one) => one === part);
    if (name !== undefined) names.push(name);
    else if (part !== '' || i !== parts.length - 1) {
      if (i === parts.length - 1 && known.some((one) => one.startsWith(part))) return { kind: 'begun' };
      return { kind: 'wrong', problem: `There is no ${key}:${part.replaceAll('_', '-')}. It is ${needs}.` };
    }
  }
  return { kind: 'query', query: take(names) };
}

/** Results of a webhook as they are typed, and the cell that shows each. */
export const HOOK_RESULTS: Readonly<Record<string, Cell>> = {
  accepted: 'a',
  failed: 'f',
  timeout: 't',
  'no-connection': 'n',
  refused: 'r',
  declined: 'd',
  redirect: 'm',
  throttled: 'l',
  interrupted: 'i',
  sending: 's',
  waiting: 'w',
  'not-needed': 'x',
  paused: 'p',
};

function hookValue(query: Query, value: string): Value {
  const [, slot, equals, result] = /^([1-5])(?:(=)(.*))?$/.exec(value) ?? [];
  if (slot === undefined) return { kind: 'wrong', problem: `hook: needs ${NEEDS.hook}.` };
  if (equals === undefined) return { kind: 'query', query: { ...query, hook: { slot: Number(slot) } } };
  const name = (result ?? '').replaceAll('_', '-');
  const cell = Object.hasOwn(HOOK_RESULTS, name) ? HOOK_RESULTS[name] : undefined;
  if (cell !== undefined) return { kind: 'query', query: { ...query, hook: { slot: Number(slot), cell } } };
  if (Object.keys(HOOK_RESULTS).some((one) => one.startsWith(name))) return { kind: 'begun' };
  return {
    kind: 'wrong',
    problem: `There is no result ${name}. It is one of ${Object.keys(HOOK_RESULTS).join(', ')}.`,
  };
}

function unknownKey(key: string): string {
  const near = KEYS.find((known) => distance(key.replace(/^-/, ''), known) <= 1);
  const help = near === undefined ? 'Put it in quotes to search for it as text.' : `Did you mean ${near}:?`;
  return `There is no filter ${key}:. ${help}`;
}

/** How many letters differ, as far as 2: enough for a slip of the finger. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 1) return 2;
  let [i, j, apart] = [0, 0, 0];
  while (i < a.length && j < b.length && apart < 2) {
    if (a[i] === b[j]) {
      i += 1;
      j += 1;
      continue;
    }
    apart += 1;
    // Two neighbours that changed places are one slip.
    if (a[i] === b[j + 1] && a[i + 1] === b[j]) {
      i += 2;
      j += 2;
    } else {
      if (a.length >= b.length) i += 1;
      if (b.length >= a.length) j += 1;
    }
  }
  return apart + (a.length - i) + (b.length - j);
}
