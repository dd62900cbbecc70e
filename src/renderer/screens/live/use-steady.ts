import { useRef } from 'react';
import type { Suggestion, Suggestions } from '../../stores/live/suggestions.ts';

export interface SteadySuggestions extends Suggestions {
  /** Values that stay listed, because they were shown for this text before their number was known. */
  readonly steady: ReadonlySet<string>;
}

/**
 * Keeps the values of one text in their places while numbers come in: nothing moves under the cursor. Values that were not
 * there stand at the end. With the next letter everything is ordered anew.
 */
export function useSteady(suggestions: Suggestions | null, text: string | null): SteadySuggestions | null {
  const shown = useRef<{ text: string | null; order: readonly string[] }>({ text: null, order: [] });
  const before = shown.current.text === text ? shown.current.order : [];
  const items = suggestions === null ? [] : inOrder(suggestions.items, before);
  const listed = items.filter(({ text: value, count }) => count !== 0 || before.includes(value));
  shown.current = { text, order: listed.map(({ text: value }) => value) };
  return suggestions === null ? null : { ...suggestions, items, steady: new Set(before) };
}

function inOrder(items: readonly Suggestion[], order: readonly string[]): Suggestion[] {
  const placeOf = ({ text }: Suggestion): number => {
    const place = order.indexOf(text);
    return place === -1 ? order.length : place;
  };
  return [...items].sort((a, b) => placeOf(a) - placeOf(b));
}
