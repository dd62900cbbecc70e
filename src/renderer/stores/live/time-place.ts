/** Finds the row of the shown list that was received nearest to a time. */
import type { Client } from '../../../contract/channel.ts';
import type { FilteredList } from './filtered-list.ts';
import type { Lists } from './lists.ts';
import type { RankList } from './rank-list.ts';

export interface TimePlace {
  readonly position: number;
  /** The list has no row at that time or `earlier`, or none at that time or `later`. */
  readonly lacks: 'earlier' | 'later' | null;
}

interface Near {
  readonly id: number;
  readonly rank: number;
  readonly receivedAt: number;
}

/** Null when the list is empty. */
export async function placeOfTime(
  time: number,
  call: Client['call'],
  lists: Pick<Lists, 'filtering' | 'whole'>,
): Promise<TimePlace | null> {
  const { rank, row } = await call('messages.at', { time });
  if (rank === null || row === null) return null;
  const near = { id: row.id, rank, receivedAt: row.receivedAt };
  const filtered = lists.filtering.shown;
  if (filtered === null) return inWhole(time, near, lists.whole.list);
  await filtered.readTo(near.id);
  // Meanwhile another filter may have been set.
  return filtered === lists.filtering.shown ? inFiltered(time, near, call, filtered) : placeOfTime(time, call, lists);
}

function inWhole(time: number, { rank, receivedAt }: Near, list: RankList): TimePlace | null {
  if (list.count === 0) return null;
  const [newest, oldest] = [list.rankAt(0), list.rankAt(list.count - 1)];
  const isOlder = rank < oldest || (rank === oldest && receivedAt > time);
  const isNewer = rank > newest || (rank === newest && receivedAt < time);
  return { position: list.positionNear(rank), lacks: isOlder ? 'earlier' : isNewer ? 'later' : null };
}

/** The nearest match is the one before or the one after the nearest of all messages. */
async function inFiltered(
  time: number,
  { id }: Near,
  call: Client['call'],
  { list }: FilteredList,
): Promise<TimePlace | null> {
  const above = list.countAbove(id);
  const ids = [above, above - 1].flatMap((position) => list.idAt(position) ?? []);
  const rows = await call('messages.byIds', { ids });
  const [nearest] = rows.sort((a, b) => Math.abs(a.receivedAt - time) - Math.abs(b.receivedAt - time));
  const position = nearest === undefined ? undefined : list.positionOf(nearest.id);
  if (nearest === undefined || position === undefined) return null;
  const isOlder = position === list.count - 1 && nearest.receivedAt > time;
  const isNewer = position === 0 && nearest.receivedAt < time;
  return { position, lacks: isOlder ? 'earlier' : isNewer ? 'later' : null };
}
