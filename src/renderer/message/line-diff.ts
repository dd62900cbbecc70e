/** A line diff for two short texts, laid out side by side. Pure. */

export interface DiffRow {
  /** Line number and text, or null where the other side has a line more. */
  readonly left: { readonly number: number; readonly text: string } | null;
  readonly right: { readonly number: number; readonly text: string } | null;
  readonly same: boolean;
}

/** Above this many cells the middle is shown as wholly replaced: the table would cost more than it tells. */
const MAX_TABLE = 1_000_000;

type Pair = readonly [left: number, right: number];

/** Index pairs of a longest common subsequence of lines. */
function commonLines(left: readonly string[], right: readonly string[]): Pair[] {
  if (left.length * right.length > MAX_TABLE) return [];
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        left[i] === right[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  const pairs: Pair[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Rows of both texts: equal lines face each other, changed ones stand side by side. */
export function diffLines(leftText: string, rightText: string): DiffRow[] {
  const left = leftText === '' ? [] : leftText.split('\n');
  const right = rightText === '' ? [] : rightText.split('\n');
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head += 1;
  let tail = 0;
  while (
    tail < left.length - head &&
    tail < right.length - head &&
    left[left.length - 1 - tail] === right[right.length - 1 - tail]
  )
    tail += 1;
  const middle = commonLines(left.slice(head, left.length - tail), right.slice(head, right.length - tail));
  const pairs: Pair[] = [
    ...Array.from({ length: head }, (_, k): Pair => [k, k]),
    ...middle.map(([l, r]): Pair => [l + head, r + head]),
    ...Array.from({ length: tail }, (_, k): Pair => [left.length - tail + k, right.length - tail + k]),
    [left.length, right.length],
  ];
  const rows: DiffRow[] = [];
  const side = (lines: readonly string[], at: number, end: number) =>
    at < end ? { number: at + 1, text: lines[at] ?? '' } : null;
  let i = 0;
  let j = 0;
  for (const [l, r] of pairs) {
    for (; i < l || j < r; i = Math.min(l, i + 1), j = Math.min(r, j + 1))
      rows.push({ left: side(left, i, l), right: side(right, j, r), same: false });
    if (l < left.length) rows.push({ left: side(left, l, l + 1), right: side(right, r, r + 1), same: true });
    i = l + 1;
    j = r + 1;
  }
  return rows;
}
