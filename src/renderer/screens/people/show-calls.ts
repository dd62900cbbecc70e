import { FILTER_LIMITS } from '../../../contract/filter.ts';
import type { PersonView } from '../../../contract/persons.ts';
import { queryOf } from '../../stores/live/filter.ts';
import { liveStream } from '../../stores/live/store.ts';
import { HOME, navigate } from '../../stores/route.ts';

/** Opens the live stream with the calls that carry one of a person's ids. */
export function showCalls({ userIds, anonymousIds }: PersonView): void {
  const ids = [...userIds, ...anonymousIds].map(({ id }) => ({ id }));
  liveStream.setQuery(queryOf({ key: 'user', values: ids.slice(0, FILTER_LIMITS.values) }));
  navigate(HOME);
}
