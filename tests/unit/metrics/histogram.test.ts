import { describe, expect, it } from 'vitest';
import {
  bucketOf,
  classesOf,
  countOf,
  countOver,
  DELIVERY_EDGES,
  mergeInto,
  newHistogram,
  quantile,
  RESPONSE_EDGES,
} from '../../../src/core/metrics/histogram.ts';
import { seededRandom } from '../../helpers/sim-ports.ts';

const of = (...durations: number[]) => {
  const histogram = newHistogram(RESPONSE_EDGES);
  for (const ms of durations) histogram[bucketOf(RESPONSE_EDGES, ms)]! += 1;
  return histogram;
};

describe('buckets', () => {
  it('run from 1 ms to 30 s in steps of at most 28 %, with every drawn class and limit as an edge', () => {
    expect([RESPONSE_EDGES[0], RESPONSE_EDGES.at(-1)]).toEqual([1, 30_000]);
    for (const edges of [RESPONSE_EDGES, DELIVERY_EDGES])
      for (const [i, edge] of edges.entries()) if (i > 0) expect(edge / edges[i - 1]!).toBeLessThanOrEqual(1.2801);
    for (const ms of [50, 100, 200, 400, 800, 1600, 3200, 4000, 5000, 10_000]) expect(RESPONSE_EDGES).toContain(ms);
    expect(DELIVERY_EDGES.at(-1)).toBeGreaterThan(4 * 3_600_000);
  });
  it('hold what is at most their edge, and the rest goes on top', () => {
    expect(bucketOf(RESPONSE_EDGES, 0)).toBe(0);
    expect(bucketOf(RESPONSE_EDGES, -3)).toBe(0);
    for (const [i, edge] of RESPONSE_EDGES.entries()) {
      expect(bucketOf(RESPONSE_EDGES, edge)).toBe(i);
      expect(bucketOf(RESPONSE_EDGES, edge + 0.001)).toBe(i + 1);
    }
    expect(bucketOf(RESPONSE_EDGES, Number.POSITIVE_INFINITY)).toBe(RESPONSE_EDGES.length);
  });
});

describe('what is read off', () => {
  it('counts exactly over an edge', () => {
    const histogram = of(3999, 4000, 4000.1, 5000, 9999, 40_000);
    expect(countOver(RESPONSE_EDGES, histogram, 4000)).toBe(4);
    expect(countOver(RESPONSE_EDGES, histogram, 5000)).toBe(2);
    expect(countOver(RESPONSE_EDGES, histogram, 30_000)).toBe(1);
    expect(countOf(histogram)).toBe(6);
  });
  it('is merged into classes without losing or doubling one', () => {
    expect(classesOf(RESPONSE_EDGES, of(1, 50, 51, 150, 200, 900, 6000), [50, 100, 200, 1000])).toEqual([
      2, 1, 2, 1, 1,
    ]);
  });
  it('has quantiles within a bucket of the true ones', () => {
    const random = seededRandom(7);
    const durations = Array.from({ length: 5000 }, () => 2 * 4000 ** random.next()).sort((a, b) => a - b);
    const histogram = of(...durations);
    for (const q of [0.05, 0.5, 0.95, 0.99]) {
      const true_ = durations[Math.floor(q * durations.length)]!;
      expect(Math.abs(quantile(RESPONSE_EDGES, histogram, q)! / true_ - 1)).toBeLessThan(0.05);
    }
  });
  it('has no quantile of nothing, and none beyond its last edge', () => {
    expect(quantile(RESPONSE_EDGES, of(), 0.5)).toBeNull();
    expect(quantile(RESPONSE_EDGES, of(90_000), 0.5)).toBe(30_000);
    expect(quantile(RESPONSE_EDGES, of(150), 0.5)).toBeCloseTo(142.5, 5);
  });
  it('merges by adding', () => {
    const total = of(10, 20);
    mergeInto(total, of(20, 4000));
    expect([...total]).toEqual([...of(10, 20, 20, 4000)]);
  });
});
