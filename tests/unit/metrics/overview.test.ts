import { describe, expect, it } from 'vitest';
import { KEPT_MINUTES } from '../../../src/core/metrics/metrics.ts';
import { AttemptCounts, minuteOf, newMinute } from '../../../src/core/metrics/minute.ts';
import { aggregate, headroomOf, retryWindow, spanOf } from '../../../src/core/metrics/overview.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 20, 14, 33, 30);
const minute = minuteOf(NOW);

describe('bars', () => {
  it('are minutes for 15 min and 1 h, the last one being this minute', () => {
    expect(spanOf('15m', NOW, 0)).toMatchObject({ bars: 15, step: 1, first: minute - 14 });
    expect(spanOf('1h', NOW, 0)).toMatchObject({ bars: 60, step: 1, first: minute - 59 });
  });
  it('are 4 min for 4 h, and begin at the same minutes whenever one looks', () => {
    for (let later = 0; later < 9; later++) {
      const span = spanOf('4h', NOW + later * MINUTE, 0);
      expect(span).toMatchObject({ bars: 60, step: 4 });
      expect(span.first % 4).toBe(0);
      const end = span.first + 240;
      expect(minute + later).toBeGreaterThanOrEqual(end - 4);
      expect(minute + later).toBeLessThan(end);
    }
  });
  it.each([
    [0, 15, 1],
    [14, 15, 1],
    [58, 59, 1],
    [200, null, 4],
    [1439, null, 30],
    [9000, null, 30],
  ])('of a session that began %i min ago hold all of it and end now', (age, bars, step) => {
    const span = spanOf('session', NOW, NOW - age * MINUTE);
    expect(span.step).toBe(step);
    expect(span.bars).toBeLessThanOrEqual(60);
    if (bars !== null) expect(span.bars).toBe(bars);
    expect(span.countFrom).toBe(minute - Math.min(age, KEPT_MINUTES - 1));
    expect(span.first).toBeLessThanOrEqual(span.countFrom);
    expect(span.first + span.bars * span.step).toBeGreaterThan(minute);
    expect(span.first + (span.bars - 1) * span.step).toBeLessThanOrEqual(minute);
    expect(span.cut).toBe(age >= KEPT_MINUTES);
  });
  it('sum up to the totals, and count nothing from before the session', () => {
    const minutes = Array.from({ length: 120 }, (_, i) => {
      const one = newMinute(minute - 119 + i);
      one.messages.received = i + 1;
      return one;
    });
    const span = spanOf('session', NOW, NOW - 100 * MINUTE);
    const { bars, totals } = aggregate(minutes, span, NOW, [], () => undefined, 5000);
    expect(totals.received).toBe(bars.reduce((sum, bar) => sum + bar.received, 0));
    expect(totals.received).toBe(((20 + 120) / 2) * 101);
    expect(bars.at(-1)!.at).toBeLessThanOrEqual(NOW);
  });
});

describe('what ended', () => {
  it('was received, even where a crash lost its beginning; bars and totals agree', () => {
    const lost = newMinute(minute);
    Object.assign(lost.messages, { received: 1, delivered: 3, rejected: 1, repeats: 2 });
    const { bars, totals, repeats } = aggregate([lost], spanOf('15m', NOW, 0), NOW, [], () => undefined, 5000);
    expect(totals.received).toBe(4);
    expect(bars.at(-1)!.received).toBe(4);
    expect(repeats).toBe(2);
  });
});

const counts = (
  attempts: ReadonlyArray<readonly ['accepted' | 'failed' | 'timed_out' | 'no_connection', number, number]>,
) => {
  const all = new AttemptCounts();
  for (const [outcome, durationMs, limitMs] of attempts) all.record({ outcome, durationMs }, limitMs);
  return all;
};
const over = (all: AttemptCounts) => headroomOf(all).over.map(({ n, of }) => [n, of]);

describe('headroom', () => {
  it('does not know under 5 s what would have come within 10 s', () => {
    expect(
      over(
        counts([
          ['accepted', 100, 5000],
          ['failed', 4400, 5000],
          ['timed_out', 5001, 5000],
          ['no_connection', 2, 5000],
        ]),
      ),
    ).toEqual([
      [2, 3],
      [1, 3],
      [null, 0],
    ]);
  });
  it('knows all three under 10 s', () => {
    expect(
      over(
        counts([
          ['accepted', 100, 10_000],
          ['accepted', 4400, 10_000],
          ['accepted', 7000, 10_000],
          ['timed_out', 10_002, 10_000],
        ]),
      ),
    ).toEqual([
      [3, 4],
      [2, 4],
      [1, 4],
    ]);
  });
  it('takes each share only from requests that had that long', () => {
    expect(
      over(
        counts([
          ['timed_out', 4000, 4000],
          ['accepted', 900, 4000],
          ['accepted', 7000, 10_000],
          ['accepted', 20, 10_000],
        ]),
      ),
    ).toEqual([
      [2, 4],
      [1, 2],
      [0, 2],
    ]);
  });
  it('is not misled by a limit that was changed while an attempt was open', () => {
    // Begun under 10 s, recorded under 5 s, and the other way round.
    expect(over(counts([['timed_out', 10_001, 5000]]))).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect(over(counts([['timed_out', 5000, 10_000]]))[2]).toEqual([null, 0]);
    expect(over(counts([['accepted', 8000, 5000]]))).toEqual([
      [1, 1],
      [1, 1],
      [null, 0],
    ]);
  });
  it('has no figures of nothing', () => {
    expect(headroomOf(new AttemptCounts())).toEqual({
      answers: 0,
      p50Ms: null,
      p95Ms: null,
      over: [4000, 5000, 10_000].map((ms) => ({ ms, n: null, of: 0 })),
    });
  });
});

describe('response times', () => {
  const classes = (all: AttemptCounts, timeoutMs: number) => {
    const one = newMinute(minute);
    one.webhooks.set(1, all);
    const { responseTimes } = aggregate([one], spanOf('15m', NOW, 0), NOW, [], () => undefined, timeoutMs);
    return { ...responseTimes, classes: responseTimes.classes.map(({ upToMs, n }) => [upToMs, n]) };
  };
  it('are drawn in eight classes and none under a limit of 5 s, removed webhooks included', () => {
    const drawn = classes(
      counts([
        ['accepted', 12, 5000],
        ['accepted', 50, 5000],
        ['failed', 51, 5000],
        ['accepted', 3300, 5000],
        ['timed_out', 5000, 5000],
        ['no_connection', 1, 5000],
      ]),
      5000,
    );
    expect(drawn.classes).toEqual([
      [50, 2],
      [100, 1],
      [200, 0],
      [400, 0],
      [800, 0],
      [1600, 0],
      [3200, 0],
      [5000, 1],
    ]);
    expect([drawn.answers, drawn.none]).toEqual([4, 1]);
  });
  it('get a class up to 10 s, and an open one, where a limit or an answer goes so far', () => {
    expect(classes(counts([]), 10_000).classes.at(-1)).toEqual([10_000, 0]);
    expect(classes(counts([['accepted', 7000, 10_000]]), 5000).classes.at(-1)).toEqual([10_000, 1]);
    expect(classes(counts([['accepted', 12_000, 15_000]]), 5000).classes.slice(-2)).toEqual([
      [10_000, 0],
      [null, 1],
    ]);
  });
});

describe('the retry window', () => {
  const row = (id: number, age: number, windowMs = 1000) => ({
    id,
    name: '',
    userId: null,
    anonymousId: null,
    round: 2,
    firstAttemptAt: NOW - age,
    windowEndsAt: NOW - age + windowMs,
  });
  it('places each message in its own window, merging those that stand at one place', () => {
    const view = retryWindow(
      [row(1, 0), row(2, 500), row(3, 501), row(4, 2000), row(5, -5), row(6, 5, 0)],
      9,
      NOW,
      1000,
    );
    expect(view.marks.map(({ at, n }) => [at, n])).toEqual([
      [0, 2],
      [0.5, 2],
      [1, 2],
    ]);
    expect([view.retrying, view.shown]).toEqual([9, 6]);
  });
});
