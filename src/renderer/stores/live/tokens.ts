/**
 * The text of the filter field: free words, and tokens such as `type:track` or `user:"Ada L"`. A token acts as soon as
 * it can be read; what cannot be read is named, never searched for as text without a word.
 */
import type { SourceView } from '../../../contract/values.ts';
import type { Query } from './filter.ts';
import { needsText, readValue } from './token-values.ts';

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
      else if (i !== open) problem ??= needsText(token.key);
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
