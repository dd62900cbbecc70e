import type { MessageStateName } from '../../../contract/values.ts';
import { emptyQuery } from '../../stores/live/filter.ts';
import { liveStream } from '../../stores/live/store.ts';
import { HOME, navigate } from '../../stores/route.ts';

/** Opens the live stream with the messages of these states; all of them for none. */
export function showStates(states: readonly MessageStateName[]): void {
  liveStream.setQuery({ ...emptyQuery, states: [...states] });
  navigate(HOME);
}
