/** The user's preferences for the table of messages. Kept in localStorage. */
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { forgivingStorage } from '../forgiving-storage.ts';

export const OPTIONAL_COLUMNS = ['source', 'size', 'round', 'messageId'] as const;
export type OptionalColumn = (typeof OPTIONAL_COLUMNS)[number];
/** Columns whose width can be chosen. */
export type SizedColumn = 'received' | 'type' | 'user' | 'state' | OptionalColumn;
/** In px; a column without one has its usual width. */
export type ColumnWidths = Readonly<Partial<Record<SizedColumn, number>>>;
export type Density = 'compact' | 'default' | 'comfortable';

/** Heights of a row in px (design/ui, section 3). */
export const ROW_HEIGHTS: Record<Density, number> = { compact: 26, default: 30, comfortable: 36 };

export interface LivePreferences {
  columns: OptionalColumn[];
  widths: ColumnWidths;
  density: Density;
}

export const useLivePreferences = create<LivePreferences>()(
  persist((): LivePreferences => ({ columns: [], widths: {}, density: 'default' }), {
    name: 'hookbench.live',
    version: 1,
    storage: createJSONStorage<LivePreferences>(() => forgivingStorage),
  }),
);

export function toggleColumn(column: OptionalColumn): void {
  useLivePreferences.setState(({ columns }) => ({
    columns: OPTIONAL_COLUMNS.filter((name) => columns.includes(name) !== (name === column)),
  }));
}

export function setWidth(column: SizedColumn, px: number): void {
  useLivePreferences.setState(({ widths }) => ({ widths: { ...widths, [column]: px } }));
}
export function resetWidth(column: SizedColumn): void {
  useLivePreferences.setState(({ widths: { [column]: _, ...rest } }) => ({ widths: rest }));
}
