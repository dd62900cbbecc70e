import { FILTER_LIMITS, type Term } from '../../../contract/filter.ts';
import type { PersonView } from '../../../contract/persons.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { queryOf } from '../../stores/live/filter.ts';
import { liveStream } from '../../stores/live/store.ts';
import { HOME, navigate } from '../../stores/route.ts';

/** Neither a rejected call nor a notice of a deletion belongs to a person. */
const OF_NOBODY: readonly Term[] = [
  { key: 'status', values: ['rejected'], not: true },
  { key: 'type', values: ['delete'], not: true },
];

const idsOf = ({ userIds, anonymousIds }: PersonView): string[] => [
  ...new Set([...userIds, ...anonymousIds].map(({ id }) => id)),
];
/** Ids that a filter can take. */
const filterable = (ids: readonly string[]): string[] =>
  ids.filter((id) => id.length <= FILTER_LIMITS.id).slice(0, FILTER_LIMITS.values);

/** Says what {@link showCalls} leads to. Null when no id fits into a filter. */
export function showCallsLabel(person: PersonView): string | null {
  const ids = idsOf(person);
  const shown = filterable(ids).length;
  if (shown === 0) return null;
  if (shown < ids.length) return `Show calls of ${formatCount(shown)} of ${plural(ids.length, 'id')}`;
  return person.callsWithIds === person.calls
    ? `Show ${plural(person.calls, 'call')}`
    : `Show ${plural(person.callsWithIds, 'call')} with ${ids.length === 1 ? 'this id' : 'these ids'}`;
}

/** Opens the live stream with the calls that carry one of a person's ids. */
export function showCalls(person: PersonView): void {
  const values = filterable(idsOf(person)).map((id) => ({ id }));
  liveStream.setQuery(queryOf({ key: 'user', values }, ...OF_NOBODY));
  navigate(HOME);
}
