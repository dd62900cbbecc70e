import type { RetryWindowView } from '../../../contract/overview.ts';
import { formatCount } from '../../lib/format.ts';

/** A digit of the 11 px labels, and the least room between two of them, in px. */
const DIGIT = 6.5;
const APART = 4;

/** The marks whose counts have room over them: none is drawn over its neighbour. The table has them all. */
export function countsTold(marks: RetryWindowView['marks'], width: number): Set<number> {
  const told = new Set<number>();
  let free = Number.NEGATIVE_INFINITY;
  for (const { at, n } of marks) {
    const half = (formatCount(n).length * DIGIT) / 2;
    if (n <= 1 || at * width - half < free) continue;
    told.add(at);
    free = at * width + half + APART;
  }
  return told;
}
