import { useEffect, useState } from 'react';
import { create } from 'zustand';
import type { MessageFilter } from '../../../contract/commands.ts';
import type { SavedFilters } from '../../../contract/saved-filters.ts';
import { whenRested } from '../../lib/deferred.tsx';
import { call } from '../../platform/connect.ts';
import { SavedCounts } from '../../stores/live/saved-counts.ts';
import { type NamedFilter, NO_SAVED_FILTERS, shownFilters } from '../../stores/live/saved-filters.ts';
import { liveStream } from '../../stores/live/store.ts';
import { useRecords } from '../../stores/records.ts';
import { showFailure } from '../../stores/toasts.ts';

/** The dialog that saves and edits filters. */
export const useSavedDialog = create<{ open: boolean }>()(() => ({ open: false }));

export const savedNow = (): SavedFilters => useRecords.getState().savedFilters ?? NO_SAVED_FILTERS;
export const useSaved = (): SavedFilters => useRecords((state) => state.savedFilters) ?? NO_SAVED_FILTERS;

/** True once the engine has stored them. */
export async function saveFilters(all: SavedFilters): Promise<boolean> {
  try {
    await call('filters.save', all);
    return true;
  } catch (error) {
    showFailure('The filters could not be saved', error);
    return false;
  }
}

/** Replaces the filter of the list. */
export const applyFilter = ({ filter }: NamedFilter): void =>
  liveStream.setQuery({ terms: filter.terms ?? [], text: '' });

export function applyNth(place: number): void {
  const one = shownFilters(savedNow())[place];
  if (one !== undefined) applyFilter(one);
}

/** The number of each filter among all messages, null until it is counted. */
export function useMatchCounts(filters: readonly MessageFilter[]): (filter: MessageFilter) => number | null {
  const [, redraw] = useState(0);
  const [counts] = useState(
    () =>
      new SavedCounts({
        call,
        now: () => Date.now(),
        after: (ms, run) => void setTimeout(run, ms),
        isHeld: () => liveStream.snapshot().starting,
        onChange: () => redraw((times) => times + 1),
      }),
  );
  const key = JSON.stringify(filters);
  // Not beside the first rows, nor while a filter is typed: each number draws the chips again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which filters there are
  useEffect(() => whenRested(() => counts.watch(filters)), [counts, key]);
  useEffect(() => liveStream.subscribeMessages(() => counts.changed()), [counts]);
  useEffect(() => () => counts.watch([]), [counts]);
  return (filter) => counts.of(filter);
}
