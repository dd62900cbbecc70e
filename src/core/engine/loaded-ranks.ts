import type { ListStore } from '../store/ports/lists.ts';
import { Ranks } from '../store/ranks.ts';

/** The ranks of all `total` stored messages. Usually the ids have no gaps, and then no scan is needed. */
export function loadedRanks(lists: Pick<ListStore, 'idRange' | 'allIds'>, total: number): Ranks {
  const ranks = new Ranks();
  const range = lists.idRange();
  if (range === null) return ranks;
  if (range.last - range.first + 1 === total) ranks.appendRange(range.first, range.last);
  else for (const id of lists.allIds()) ranks.append(id);
  return ranks;
}
