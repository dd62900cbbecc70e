/** The first rows of a long list in an order, without sorting all of it. */

export interface WindowAsk<R> {
  /** The highest first, and of equal ones the one that comes first; null for the order in which they come. */
  readonly by: ((row: R) => number) | null;
  /** How many to skip. */
  readonly from: number;
  readonly limit: number;
}

export interface WindowOf<R> {
  readonly rows: R[];
  /** How many rows are wanted in all. Looks at the rest of them. */
  matching(): number;
}

/** Of many rows few are shown, so a row is put into place only when it is among the first so far. */
export function windowOf<R>(
  all: Iterable<R>,
  isWanted: (row: R) => boolean,
  { by, from, limit }: WindowAsk<R>,
): WindowOf<R> {
  const most = from + limit;
  const first: Array<{ readonly row: R; readonly rank: number }> = [];
  const rest = all[Symbol.iterator]();
  let count = 0;
  for (let next = rest.next(); next.done !== true; next = rest.next()) {
    if (!isWanted(next.value)) continue;
    count += 1;
    const one = { row: next.value, rank: by === null ? 0 : by(next.value) };
    if (first.length < most) first.splice(placeOf(first, one.rank), 0, one);
    else if (one.rank > (first.at(-1)?.rank ?? Number.POSITIVE_INFINITY)) {
      first.pop();
      first.splice(placeOf(first, one.rank), 0, one);
    }
    if (by === null && first.length === most) break;
  }
  const matching = (): number => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) if (isWanted(next.value)) count += 1;
    return count;
  };
  return { rows: first.slice(from).map(({ row }) => row), matching };
}

/** Behind the last one that is as high. */
function placeOf(sorted: ReadonlyArray<{ readonly rank: number }>, rank: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]!.rank >= rank) low = middle + 1;
    else high = middle;
  }
  return low;
}
