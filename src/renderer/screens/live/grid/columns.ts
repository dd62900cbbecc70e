/**
 * Which columns of the message table fit a given width, and how wide they are. Widths in px, as in the grid template.
 */
import type { ColumnWidths, OptionalColumn, SizedColumn } from '../../../stores/live/preferences.ts';

export type Column = 'received' | 'type' | 'event' | 'user' | 'hooks' | 'state' | OptionalColumn;

/** The columns for one width of the list. */
export interface Layout {
  readonly columns: readonly Column[];
  /** The CSS grid template of these columns. */
  readonly template: string;
  /** The event needs the room, so types are icons only and times have no milliseconds. */
  readonly tight: boolean;
  readonly stateWidth: number;
}

const WIDTHS: Record<Exclude<Column, 'event'>, number> = {
  received: 86,
  type: 76,
  user: 80,
  source: 96,
  size: 64,
  round: 44,
  messageId: 84,
  hooks: 76,
  // The glyph, "Rejected" and nine more characters.
  state: 140,
};
const TIGHT = { received: 62, type: 20 };
/** What still shows something. */
export const MIN_WIDTHS: Record<SizedColumn, number> = {
  received: 62,
  type: 36,
  user: 48,
  source: 48,
  size: 44,
  round: 36,
  messageId: 56,
  state: 90,
};
export const MAX_WIDTH = 480;
/** Users recognise a row by its event. Another column is shown only if the event keeps this width. */
const MIN_EVENT = 104;
/** Below this the columns beside the event are tightened. */
const SHORT_EVENT = 140;
/** Above this width the event shares further room with the state, which then gives the reason in full. */
const WIDE_EVENT = 320;
const WIDEST_STATE = 360;
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

/** Columns with a width of their own: the event takes what is left, and the marks of the webhooks are five. */
export const isSized = (column: Column): column is SizedColumn => column !== 'event' && column !== 'hooks';

/** The chosen columns in order, then the user column, as long as the event keeps its width. `own` are the widths that the user chose. */
export function layoutOf(width: number, chosen: readonly OptionalColumn[], own: ColumnWidths = {}): Layout {
  const always: Column[] = ['received', 'type', 'event', 'hooks', 'state'];
  const wanted = { ...WIDTHS, ...own };
  const tight = eventRoom(width, always, wanted) < SHORT_EVENT;
  const widths = tight ? { ...wanted, ...TIGHT } : wanted;
  const shown = new Set<Column>(always);
  for (const column of [...chosen, 'user'] as const)
    if (eventRoom(width, [...shown, column], widths) >= MIN_EVENT) shown.add(column);
  const columns = ORDER.filter((column) => shown.has(column));
  const spare = Math.max(0, eventRoom(width, columns, widths) - WIDE_EVENT);
  const stateWidth = own.state ?? Math.min(WIDEST_STATE, widths.state + Math.floor(spare / 2));
  const widthOf = (column: Column): string => {
    if (column === 'event') return 'minmax(0,1fr)';
    return `${column === 'state' ? stateWidth : widths[column]}px`;
  };
  return { columns, template: columns.map(widthOf).join(' '), tight, stateWidth };
}

/** The width that a column has now, in px. */
export const pxOf = ({ columns, template }: Layout, column: SizedColumn): number =>
  Number.parseInt(template.split(' ')[columns.indexOf(column)] ?? '', 10);

/** The width that these columns leave for the event. */
function eventRoom(width: number, columns: readonly Column[], widths: typeof WIDTHS): number {
  const others = columns.reduce((sum, column) => sum + (column === 'event' ? 0 : widths[column]), 0);
  return width - PADDING - others - (columns.length - 1) * GAP;
}
