/**
 * A search before anybody asks for one. The first that reads messages takes a process ten times as long as a later one: of
 * 64 messages 30 ms in place of 3.
 */
import type { ListStore } from '../store/ports/lists.ts';

/** So many of the newest messages are read at once. */
const ROWS = 16;
const FILTER = { terms: [{ key: 'text' as const, values: ['no message has this'] }] };

export function readForText(lists: Pick<ListStore, 'ids' | 'idRange'>): void {
  const newest = lists.idRange()?.last ?? 0;
  const range = { before: newest + 1, after: Math.max(0, newest - ROWS) };
  lists.ids({ filter: FILTER, ...range, limit: 1, keepGoing: () => false });
}
