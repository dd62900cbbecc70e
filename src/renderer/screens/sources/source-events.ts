/** Which events the dialog of a source lists. */
import type { SourceEvent } from '../../../contract/values.ts';

/** The counted events plus those switched off since, filtered by names that contain `search`, ignoring case. */
export function shownEvents(counted: readonly SourceEvent[], off: readonly string[], search: string): SourceEvent[] {
  const known = new Set(counted.map(({ name }) => name));
  const added = off
    .filter((name) => !known.has(name))
    .map((name): SourceEvent => ({ name, received: 0, off: 0, lastAt: null, whole: true }));
  const wanted = search.trim().toLowerCase();
  return [...added, ...counted].filter(({ name }) => name.toLowerCase().includes(wanted));
}

/** `All on`, `2 off`, as the table shows for a source. */
export const eventsText = (off: readonly string[]): string => (off.length === 0 ? 'All on' : `${off.length} off`);
