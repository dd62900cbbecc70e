import type { StatusView } from '../../../contract/values.ts';
import { type Query, withoutStates } from '../../stores/live/filter.ts';
import type { CountsView } from '../../stores/live/filter-counts.ts';

/**
 * The numbers of the chips. They count what matches the filter without its states, and add up to All. When the filter
 * has only states, they are the engine's own counts, which add up to the total. Null until counted.
 */
export function countsShown(
  live: { readonly read: Query; readonly counts: CountsView | null },
  status: Pick<StatusView, 'counts' | 'total'> | undefined,
): CountsView | null {
  if (withoutStates(live.read).terms.length > 0) return live.counts;
  return status === undefined ? null : { counts: status.counts, total: status.total, progress: null };
}
