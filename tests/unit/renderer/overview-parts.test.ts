import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MESSAGE_STATES } from '../../../src/contract/names.ts';
import { countTicks } from '../../../src/renderer/components/charts/scale.ts';
import { countsTold } from '../../../src/renderer/screens/overview/counts-told.ts';
import { limitPlace } from '../../../src/renderer/screens/overview/response-panel.tsx';
import {
  formatShare,
  notSelectedShort,
  reasonList,
  restOf,
  tilesOf,
} from '../../../src/renderer/screens/overview/words.ts';

describe('the scale of counts', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [31, [0, 10, 20, 30, 40]],
    [100, [0, 50, 100]],
    [270_000, [0, 100_000, 200_000, 300_000]],
    [200, [0, 50, 100, 150, 200]],
  ])('up to %i has round lines', (highest, ticks) => {
    const scale = countTicks(highest);
    expect(scale.ticks).toEqual(ticks);
    expect(scale.top).toBeGreaterThanOrEqual(highest);
    expect(scale.top).toBe(scale.ticks.at(-1));
  });
});

describe('the limit line', () => {
  const upTo = (...limits: Array<number | null>) => limits.map((upToMs) => ({ upToMs, n: 0 }));
  const eight = upTo(50, 100, 200, 400, 800, 1600, 3200, 5000);
  it('stands where its limit does among the classes', () => {
    expect(limitPlace(eight, 5000)).toBe(8);
    expect(limitPlace(eight, 4000)).toBeCloseTo(7.5, 2);
    expect(limitPlace(eight, 1600)).toBe(6);
    expect(limitPlace([...eight, ...upTo(10_000)], 10_000)).toBe(9);
    expect(limitPlace([...eight, ...upTo(10_000, null)], 30_000)).toBe(9.5);
    expect(limitPlace(eight, 30_000)).toBe(8);
  });
});

describe('words', () => {
  it('keep small shares apart from none', () => {
    expect([formatShare(0, 900), formatShare(1, 5000), formatShare(3, 1272), formatShare(71, 1183)]).toEqual([
      '0%',
      '<0.1%',
      '0.2%',
      '6.0%',
    ]);
    expect([formatShare(500, 1000), formatShare(7, 7)]).toEqual(['50%', '100%']);
  });
  it('shorten reasons as the list does, and keep a code that has no words', () => {
    expect(
      reasonList([
        { reason: 'call_too_large', n: 1200 },
        { reason: 'from_the_future', n: 1 },
      ]),
    ).toBe('1,200 too large, 1 from_the_future');
    // These are calls; they may all be of one user.
    expect(reasonList([{ reason: 'user_suppressed', n: 1 }])).toBe('1 of a suppressed user');
    expect(reasonList([{ reason: 'user_suppressed', n: 3 }])).toBe('3 of a suppressed user');
    expect(
      notSelectedShort([
        { reason: 'integrations_off', n: 3 },
        { reason: 'integrations_all_off', n: 2 },
        { reason: 'no_webhook', n: 1 },
      ]),
    ).toBe('by integrations, no webhook then');
  });
  it('count what is neither delivered first time, retried nor bad, and never less than nothing', () => {
    const none = {
      received: 0,
      notSelected: 0,
      rejected: 0,
      firstRound: 0,
      retried: 0,
      delivered: 0,
      failed: 0,
      expired: 0,
      stopped: 0,
    };
    expect(
      restOf({ ...none, received: 10, firstRound: 4, retried: 1, failed: 1, expired: 1, rejected: 1, notSelected: 1 }),
    ).toBe(2);
    expect(restOf({ ...none, received: 1, firstRound: 2 })).toBe(0);
  });
});

describe('the figures', () => {
  const n = fc.nat(100_000);
  const ended = { delivered: n, failed: n, expired: n, rejected: n, notSelected: n, stopped: n };
  it('add up to what was received, whatever became of it', () => {
    fc.assert(
      fc.property(fc.record(ended), n, (counts, open) => {
        const received = Object.values(counts).reduce((sum, one) => sum + one, open);
        const totals = { ...counts, received, firstRound: 0, retried: 0 };
        const tiles = tilesOf(totals);
        expect(tiles.reduce((sum, tile) => sum + tile.n, 0)).toBe(received);
        for (const tile of tiles) expect(tile.n).toBeGreaterThanOrEqual(0);
        const shown = tiles.flatMap(({ states }) => states);
        expect(new Set(shown).size).toBe(shown.length);
        expect([...shown, ...(counts.stopped === 0 ? ['stopped'] : [])].sort()).toEqual([...MESSAGE_STATES].sort());
      }),
    );
  });
});

describe('the retry window', () => {
  it('writes no count over another', () => {
    const marks = Array.from({ length: 200 }, (_, i) => ({ at: i / 200, n: 1_000 + i, id: i + 1 }));
    const told = [...countsTold(marks, 800)].map((at) => at * 800);
    expect(told.length).toBeGreaterThan(10);
    for (const [i, x] of told.entries()) if (i > 0) expect(x - told[i - 1]!).toBeGreaterThan(32);
    expect(countsTold([{ at: 0.5, n: 1, id: 1 }], 800).size).toBe(0);
  });
});
