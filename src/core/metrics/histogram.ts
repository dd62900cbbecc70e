/**
 * Counts of durations in logarithmic buckets, ten to a decade. Bucket `i` holds durations over edge `i - 1` and up to
 * edge `i`; the last one holds those over every edge. The edges include every limit and every class that is drawn, so
 * those counts are exact. Quantiles are interpolated within a bucket, which is at most 28 % wide.
 */
export type Histogram = Uint32Array;

const STEPS = [1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.4, 8] as const;

const decades = (n: number): number[] =>
  Array.from({ length: n }, (_, power) => STEPS.map((step) => step * 10 ** power)).flat();

/** 1 ms to 30 s: response times. Milliseconds, ascending. */
export const RESPONSE_EDGES: readonly number[] = [...decades(4), 10_000, 12_500, 16_000, 20_000, 25_000, 30_000];

/** 1 ms to 4 h 27 min: from receipt to delivery. Milliseconds, ascending. */
export const DELIVERY_EDGES: readonly number[] = [...decades(7), 10_000_000, 12_500_000, 16_000_000];

export const newHistogram = (edges: readonly number[]): Histogram => new Uint32Array(edges.length + 1);

/** The bucket of a duration. */
export function bucketOf(edges: readonly number[], ms: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ms <= edges[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function mergeInto(total: Histogram, part: Histogram): void {
  for (let i = 0; i < part.length; i++) total[i]! += part[i]!;
}

export const countOf = (histogram: Histogram): number => histogram.reduce((sum, n) => sum + n, 0);

/** How many durations are over `ms`, which must be an edge. */
export function countOver(edges: readonly number[], histogram: Histogram, ms: number): number {
  let n = 0;
  for (let i = edges.indexOf(ms) + 1; i < histogram.length; i++) n += histogram[i]!;
  return n;
}

/**
 * The value that a share `q` (0 to 1) of the counted durations does not exceed, in milliseconds; null when nothing was
 * counted. What lies over the last edge counts as the last edge.
 */
export function quantile(edges: readonly number[], histogram: Histogram, q: number): number | null {
  const total = countOf(histogram);
  if (total === 0) return null;
  const wanted = q * total;
  let below = 0;
  for (const [i, n] of histogram.entries()) {
    if (n > 0 && below + n >= wanted) {
      const from = i === 0 ? 0 : edges[i - 1]!;
      const to = edges[i] ?? from;
      return from + (to - from) * ((wanted - below) / n);
    }
    below += n;
  }
  return edges.at(-1)!;
}

/** The count between each of `limits` (edges, ascending) and the one before, and the count over the last. */
export function classesOf(edges: readonly number[], histogram: Histogram, limits: readonly number[]): number[] {
  const over = limits.map((limit) => countOver(edges, histogram, limit));
  const total = countOf(histogram);
  return [...limits.map((_, i) => (i === 0 ? total : over[i - 1]!) - over[i]!), over.at(-1) ?? total];
}
