/** Which columns of the message table fit a width. Widths in px, as in the grid template. */
import type { OptionalColumn } from './live-store.ts';

export type Column = 'received' | 'type' | 'event' | 'user' | 'hooks' | 'state' | OptionalColumn;

const WIDTHS: Record<Exclude<Column, 'event'>, number> = {
  received: 86,
  type: 72,
  user: 80,
  source: 96,
  size: 64,
  round: 44,
  messageId: 84,
  hooks: 76,
  state: 128,
};
/** The event's name is what a row is recognised by: below this it is not worth showing another column. */
const MIN_EVENT = 104;
const GAP = 12;
const PADDING = 36;

const ORDER: readonly Column[] = [
  'received',
  'type',
  'event',
  'user',
  'source',
  'messageId',
  'size',
  'round',
  'hooks',
  'state',
];

/** The chosen columns in their order, then the user, while the event keeps its room. */
export function fitColumns(width: number, chosen: readonly OptionalColumn[]): Column[] {
  const shown = new Set<Column>(['received', 'type', 'event', 'hooks', 'state']);
  let free = width - PADDING - MIN_EVENT - WIDTHS.received - WIDTHS.type - WIDTHS.hooks - WIDTHS.state - 4 * GAP;
  for (const column of [...chosen, 'user'] as const) {
    if (WIDTHS[column] + GAP > free) continue;
    free -= WIDTHS[column] + GAP;
    shown.add(column);
  }
  return ORDER.filter((column) => shown.has(column));
}

/** The CSS grid template of these columns. */
export const columnTemplate = (columns: readonly Column[]): string =>
  columns.map((column) => (column === 'event' ? 'minmax(0,1fr)' : `${WIDTHS[column]}px`)).join(' ');
