/** The user's preferences for the table of messages. Kept in localStorage. */
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { forgivingStorage } from '../forgiving-storage.ts';

export const OPTIONAL_COLUMNS = ['source', 'size', 'round', 'messageId'] as const;
export type OptionalColumn = (typeof OPTIONAL_COLUMNS)[number];
export type Density = 'compact' | 'default' | 'comfortable';

/** Heights of a row in px (design/ui, section 3). */
export const ROW_HEIGHTS: Record<Density, number> = { compact: 26, default: 30, comfortable: 36 };

export interface LivePreferences {
  columns: OptionalColumn[];
  density: Density;
}

export const useLivePreferences = create<LivePreferences>()(
  persist((): LivePreferences => ({ columns: [], density: 'default' }), {
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
