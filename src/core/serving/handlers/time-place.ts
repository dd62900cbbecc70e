/** Where in the whole list a time is. Messages are in the order in which they were received. */
import type { ListStore } from '../../store/ports/lists.ts';
import type { Ranks } from '../../store/ranks.ts';

/** The rank of the message that was received nearest to a time, the older one of two; null in an empty store. */
export function rankNear(
  time: number,
  ranks: Pick<Ranks, 'total' | 'idAt'>,
  lists: Pick<ListStore, 'message'>,
): number | null {
  const receivedAt = (rank: number): number | undefined => {
    const id = ranks.idAt(rank);
    return id === undefined ? undefined : lists.message(id)?.receivedAt;
  };
  if (ranks.total === 0) return null;
  // The first rank that is later than the time.
  let low = 0;
  let high = ranks.total;
  while (low < high) {
    const middle = (low + high) >> 1;
    // A message that cannot be read is as late as the next one that can be.
    let readable = middle;
    while (readable < high && receivedAt(readable) === undefined) readable += 1;
    if (readable === high || receivedAt(readable)! > time) high = middle;
    else low = readable + 1;
  }
  const [before, after] = [receivedAt(low - 1), receivedAt(low)];
  if (before === undefined) return Math.min(low, ranks.total - 1);
  return after !== undefined && after - time < time - before ? low : low - 1;
}
