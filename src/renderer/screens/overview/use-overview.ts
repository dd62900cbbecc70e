/** Fetches the Overview about once a second while it is on screen, and at once when the range changes. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { create } from 'zustand';
import type { OverviewRange, OverviewView } from '../../../contract/overview.ts';
import { useLate } from '../../lib/use-late.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { useNow } from '../../stores/ticker.ts';

/** Kept while the page is open, so that the range is the same on return. */
export const useOverviewRange = create<{ range: OverviewRange }>()(() => ({ range: '1h' }));

/** The placeholder for the first answer appears after this time, in milliseconds. */
const SKELETON_MS = 300;

export interface LoadedOverview {
  /** The last answer. It may be for the previous range while the next one is loading. */
  readonly view: OverviewView | null;
  /** True when the last fetch failed, so that the data may be old. */
  readonly failed: boolean;
  readonly showSkeleton: boolean;
  retry(): void;
}

export function useOverview(range: OverviewRange): LoadedOverview {
  const now = useNow();
  const connected = useRecords((state) => state.connection === 'open');
  const [view, setView] = useState<OverviewView | null>(null);
  const [failed, setFailed] = useState(false);
  const wanted = useRef(range);
  const asking = useRef<OverviewRange | null>(null);
  wanted.current = range;

  const ask = useCallback((asked: OverviewRange) => {
    if (asking.current === asked) return;
    asking.current = asked;
    call('overview.get', { range: asked })
      .then(
        (answer) => {
          if (wanted.current !== asked) return;
          setView(answer);
          setFailed(false);
        },
        () => {
          if (wanted.current === asked) setFailed(true);
        },
      )
      .finally(() => {
        if (asking.current === asked) asking.current = null;
      });
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each tick asks again
  useEffect(() => {
    if (!document.hidden && connected) ask(range);
  }, [ask, range, now, connected]);

  return { view, failed, showSkeleton: useLate(view === null, SKELETON_MS) && view === null, retry: () => ask(range) };
}
