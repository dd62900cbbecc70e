/** A line diff of two texts, laid out side by side. Pure. */
import { diffArrays } from 'diff';

export interface DiffRow {
  /** Line number and text, or null where only the other side has a line. */
  readonly left: Line | null;
  readonly right: Line | null;
  readonly same: boolean;
}

interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/**
 * When two texts have more changed lines than this, left and right together, everything from the first to the last
 * difference is shown as replaced. The search takes time and memory quadratic in the changes (80 to 150 ms at this
 * bound).
 */
const MAX_CHANGED_LINES = 1_000;

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/** How many lines both begin with. */
function sharedHead(left: readonly string[], right: readonly string[]): number {
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count += 1;
  return count;
}

/** How many lines both end with, beyond the first `head`. */
function sharedTail(left: readonly string[], right: readonly string[], head: number): number {
  const most = Math.min(left.length, right.length) - head;
  let count = 0;
  while (count < most && left.at(-1 - count) === right.at(-1 - count)) count += 1;
  return count;
}

/** A run of lines that both texts share, or a run on the left that the right text replaces. */
interface Run {
  readonly left: number;
  readonly right: number;
  readonly same: boolean;
}

const same = (count: number): Run => ({ left: count, right: count, same: true });

/** The runs between the shared head and the shared tail. A single run of all lines above {@link MAX_CHANGED_LINES}. */
function middleRuns(left: string[], right: string[]): Run[] {
  const changes = diffArrays(left, right, { maxEditLength: MAX_CHANGED_LINES });
  if (changes === undefined) return [{ left: left.length, right: right.length, same: false }];
  const runs: Run[] = [];
  for (const { removed, added, count } of changes) {
    const before = runs.at(-1);
    if (!removed && !added) runs.push(same(count));
    else if (added && before?.same === false) runs.splice(-1, 1, { ...before, right: before.right + count });
    else runs.push({ left: removed ? count : 0, right: added ? count : 0, same: false });
  }
  return runs;
}

/** Rows of both texts. Equal lines and changed lines stand side by side. */
export function diffLines(leftText: string, rightText: string): DiffRow[] {
  const left = linesOf(leftText);
  const right = linesOf(rightText);
  const head = sharedHead(left, right);
  const tail = sharedTail(left, right, head);
  const middle = middleRuns(left.slice(head, left.length - tail), right.slice(head, right.length - tail));
  return rowsOf(left, right, [same(head), ...middle, same(tail)]);
}

function rowsOf(left: readonly string[], right: readonly string[], runs: readonly Run[]): DiffRow[] {
  const rows: DiffRow[] = [];
  const lineAt = (lines: readonly string[], at: number, end: number): Line | null =>
    at < end ? { number: at + 1, text: lines[at] ?? '' } : null;
  let l = 0;
  let r = 0;
  for (const run of runs) {
    for (let n = 0; n < Math.max(run.left, run.right); n += 1)
      rows.push({
        left: lineAt(left, l + n, l + run.left),
        right: lineAt(right, r + n, r + run.right),
        same: run.same,
      });
    l += run.left;
    r += run.right;
  }
  return rows;
}
