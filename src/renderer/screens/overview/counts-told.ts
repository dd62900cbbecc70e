import type { RetryWindowView } from '../../../contract/overview.ts';
import { formatCount } from '../../lib/format.ts';

/** Width of a digit of the 11 px labels, and the least gap between two labels, in px. */
const DIGIT = 6.5;
const APART = 4;

/** The marks with room for their count, so that no count overlaps its neighbour. The table has all counts. */
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
