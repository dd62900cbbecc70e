/** The live stream of this window. `feed.ts` passes on the engine's news. */
import { useSyncExternalStore } from 'react';
import type { FilterContext } from '../../../contract/filter.ts';
import { formatDay } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { cacheRows, getRow, useRecords } from '../records.ts';
import { showFailure } from '../toasts.ts';
import type { SelectionView } from './selection.ts';
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
  onSelectFailure: (error) => showFailure('read the selected messages', error),
});

/** What the text of a filter refers to now. */
export const filterContext = (): FilterContext => ({ sources: useRecords.getState().sources, now: Date.now() });

export const useLive = (): LiveSnapshot => useSyncExternalStore(liveStream.subscribe, liveStream.snapshot);

/** One value of the snapshot. Its user is drawn when that value changes, and not for each key of the filter. */
export const useLiveValue = <T>(select: (live: LiveSnapshot) => T): T =>
  useSyncExternalStore(liveStream.subscribe, () => select(liveStream.snapshot()));

export const useSelection = (): SelectionView =>
  useSyncExternalStore(liveStream.selection.subscribe, liveStream.selection.snapshot);
