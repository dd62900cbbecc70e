/**
 * The text of the filter field: free words, and tokens such as `type:track` or `user:"Ada L"`. A token takes effect as
 * soon as it is readable. An unreadable token is reported and never silently searched as text.
 */
import type { SourceView } from '../../../contract/values.ts';
import type { Query } from './filter.ts';
import { needsText, readValue } from './token-values.ts';

export interface Reading {
  /** The query with every readable token applied. Its text has only the free words. */
  readonly query: Query;
  /** What is unreadable and how to fix it; null when everything is readable. */
  readonly problem: string | null;
}

/** Splits at spaces, except inside quotes. */
const words = (text: string): string[] => text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
const unquoted = (text: string): string => text.replaceAll('"', '');

/** `key:value`, or null for a free word. Addresses such as `https://…` and quoted text are free words. */
function tokenOf(word: string): { key: string; value: string } | null {
  const [, key, value] = /^(-?[a-z][a-z.]*):((?!\/\/).*)$/is.exec(word) ?? [];
  return key === undefined || value === undefined ? null : { key: key.toLowerCase(), value: unquoted(value) };
}

/** `done` when typing has ended (Enter). An unfinished token is then an error. */
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
      else if (i !== open) problem ??= needsText(token.key);
    }
  }
  return { query: { ...read, text: free.join(' ') }, problem };
}

/** Moves finished tokens out of the text: those followed by a space, or all of them with `all` (Enter). */
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
