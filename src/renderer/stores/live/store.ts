/** The one live stream of the window, fed by the connection, and how the person likes its table. */
import { useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { formatDay } from '../../lib/format.ts';
import { call, onBatch, onHello } from '../../platform/connect.ts';
import { cacheRows, getRow, useRecords } from '../records.ts';
import { useView } from '../view.ts';
import type { LiveSnapshot } from './snapshot.ts';
import { LiveStream } from './stream.ts';

export const liveStream = new LiveStream({
  call,
  getRow,
  cacheRows,
  now: () => Date.now(),
  after: (ms, run) => void setTimeout(run, ms),
  dayOf: formatDay,
  sources: () => useRecords.getState().sources,
});

export const useLive = (): LiveSnapshot => useSyncExternalStore(liveStream.subscribe, liveStream.snapshot);

let resets = useRecords.getState().resets;

/** The records store hears of each greeting first and counts what became void. */
function connected(total: number): void {
  const now = useRecords.getState().resets;
  liveStream.connected(total, now !== resets);
  resets = now;
}

onHello((hello) => connected(hello.parts.status.total));
onBatch((batch) => {
  resets = useRecords.getState().resets;
  liveStream.batch(batch);
});
const { ready, status } = useRecords.getState();
if (ready && status !== null) connected(status.total);

// Days begin elsewhere in another zone, and the lists know where they do.
useView.subscribe(({ timeZone }, before) => {
  const { status } = useRecords.getState();
  if (timeZone !== before.timeZone && status !== null) liveStream.connected(status.total, true);
});

export const OPTIONAL_COLUMNS = ['source', 'size', 'round', 'messageId'] as const;
export type OptionalColumn = (typeof OPTIONAL_COLUMNS)[number];
export type Density = 'compact' | 'default' | 'comfortable';

/** Heights of a row in px (design/ui, section 3). */
export const ROW_HEIGHTS: Record<Density, number> = { compact: 26, default: 30, comfortable: 36 };

export interface LivePreferences {
  columns: OptionalColumn[];
  density: Density;
}

const storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem: (key) => attempt(() => localStorage.getItem(key)) ?? null,
  setItem: (key, value) => void attempt(() => localStorage.setItem(key, value)),
  removeItem: (key) => void attempt(() => localStorage.removeItem(key)),
};

/** A full or refused storage is no error. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export const useLivePreferences = create<LivePreferences>()(
  persist((): LivePreferences => ({ columns: [], density: 'default' }), {
    name: 'hookbench.live',
    version: 1,
    storage: createJSONStorage(() => storage),
  }),
);

export function toggleColumn(column: OptionalColumn): void {
  useLivePreferences.setState(({ columns }) => ({
    columns: OPTIONAL_COLUMNS.filter((name) => columns.includes(name) !== (name === column)),
  }));
}
