/** The live stream of this window. `feed.ts` passes on the engine's news. */
import { useSyncExternalStore } from 'react';
import { formatDay } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { cacheRows, getRow, useRecords } from '../records.ts';
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
