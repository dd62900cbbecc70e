/** Which columns of the message table fit a width, and how wide they are. Widths in px, as in the grid template. */
import type { OptionalColumn } from '../../../stores/live/preferences.ts';

export type Column = 'received' | 'type' | 'event' | 'user' | 'hooks' | 'state' | OptionalColumn;

/** The columns of one width of the list. */
export interface Layout {
  readonly columns: readonly Column[];
  /** The CSS grid template of these columns. */
  readonly template: string;
  /** The event needs the room: types are drawings alone, and times have no milliseconds. */
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
const TIGHT_WIDTHS = { ...WIDTHS, received: 62, type: 20 };
/** The event's name is what a row is recognised by: below this it is not worth showing another column. */
const MIN_EVENT = 104;
/** Below this the columns beside the event are tightened. */
const SHORT_EVENT = 140;
/** An event with more room than this shares the rest with the state, which then says why in full. */
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

/** The chosen columns in their order, then the user, while the event keeps its room. */
export function layoutOf(width: number, chosen: readonly OptionalColumn[]): Layout {
  const always: Column[] = ['received', 'type', 'event', 'hooks', 'state'];
  const tight = eventRoom(width, always, WIDTHS) < SHORT_EVENT;
  const widths = tight ? TIGHT_WIDTHS : WIDTHS;
  const shown = new Set<Column>(always);
  for (const column of [...chosen, 'user'] as const)
    if (eventRoom(width, [...shown, column], widths) >= MIN_EVENT) shown.add(column);
  const columns = ORDER.filter((column) => shown.has(column));
  const spare = Math.max(0, eventRoom(width, columns, widths) - WIDE_EVENT);
  const stateWidth = Math.min(WIDEST_STATE, widths.state + Math.floor(spare / 2));
  const widthOf = (column: Column): string => {
    if (column === 'event') return 'minmax(0,1fr)';
    return `${column === 'state' ? stateWidth : widths[column]}px`;
  };
  return { columns, template: columns.map(widthOf).join(' '), tight, stateWidth };
}

/** What these columns leave to the event. */
function eventRoom(width: number, columns: readonly Column[], widths: typeof WIDTHS): number {
  const others = columns.reduce((sum, column) => sum + (column === 'event' ? 0 : widths[column]), 0);
  return width - PADDING - others - (columns.length - 1) * GAP;
}
