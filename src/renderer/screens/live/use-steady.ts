import { useRef } from 'react';
import type { Suggestion, Suggestions } from '../../stores/live/suggestions.ts';

export interface SteadySuggestions extends Suggestions {
  /** Values that stay listed, because they were shown for this text before their number was known. */
  readonly steady: ReadonlySet<string>;
}

interface Shown {
  readonly text: string | null;
  readonly since: number;
  /** True once the values had numbers. */
  readonly numbered: boolean;
  readonly order: readonly string[];
}

/** Numbers that come so soon after the values may still order them, in milliseconds: nobody has aimed at one yet. */
const SOON_MS = 250;

/**
 * Keeps the values of one text in their places when numbers come in late: nothing moves under the cursor. Values that were
 * not there stand at the end. With the next letter everything is ordered anew.
 */
export function useSteady(suggestions: Suggestions | null, text: string | null): SteadySuggestions | null {
  const shown = useRef<Shown>({ text: null, since: 0, numbered: false, order: [] });
  const isSame = shown.current.text === text && shown.current.order.length > 0;
  const numbered = suggestions?.items.some(({ count }) => count !== undefined) ?? false;
  const isSoon = isSame && numbered && !shown.current.numbered && Date.now() - shown.current.since < SOON_MS;
  const before = isSame && !isSoon ? shown.current.order : [];
  const items = suggestions === null ? [] : inOrder(suggestions.items, before);
  const listed = items.filter(({ text: value, count }) => count !== 0 || before.includes(value));
  const since = isSame ? shown.current.since : Date.now();
  shown.current = { text, since, numbered, order: listed.map(({ text: value }) => value) };
  return suggestions === null ? null : { ...suggestions, items, steady: new Set(before) };
}

function inOrder(items: readonly Suggestion[], order: readonly string[]): Suggestion[] {
  const placeOf = ({ text }: Suggestion): number => {
    const place = order.indexOf(text);
    return place === -1 ? order.length : place;
  };
  return [...items].sort((a, b) => placeOf(a) - placeOf(b));
}
