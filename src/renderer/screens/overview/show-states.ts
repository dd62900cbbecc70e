import type { MessageStateName } from '../../../contract/values.ts';
import { emptyQuery, withValues } from '../../stores/live/filter.ts';
import { liveStream } from '../../stores/live/store.ts';
import { HOME, navigate } from '../../stores/route.ts';

/** Opens the live stream filtered by these states, or unfiltered without any. */
export function showStates(states: readonly MessageStateName[]): void {
  liveStream.setQuery(withValues(emptyQuery, 'status', states));
  navigate(HOME);
}
