import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MESSAGE_STATES } from '../../../../src/contract/names.ts';
import type { MessageStateName } from '../../../../src/contract/values.ts';
import { countsShown } from '../../../../src/renderer/screens/live/counts-shown.ts';
import { fitChips, widthOfChip } from '../../../../src/renderer/screens/live/fit-chips.ts';
import { queryOf } from '../../../../src/renderer/stores/live/filter.ts';
import {
  type CountsView,
  FilterCounts,
  type StateCounts,
  sumOf,
} from '../../../../src/renderer/stores/live/filter-counts.ts';

/** An engine that counts `step` rows an answer, with a clock that is moved by hand; each answer takes `costMs`. */
function setUp(rows: MessageStateName[], step = 1_000, costMs = 0) {
  let now = 0;
  let asked = 0;
  const timers: Array<{ at: number; run: () => void }> = [];
  const views: CountsView[] = [];
  const call = async (_name: string, { before = rows.length + 1, after = 0 }: { before?: number; after?: number }) => {
    asked += 1;
    now += costMs;
    const bottom = Math.max(after + 1, before - step);
    const counts: StateCounts = {};
    for (let id = before - 1; id >= bottom; id -= 1) {
      const state = rows[id - 1]!;
      counts[state] = (counts[state] ?? 0) + 1;
    }
    return { counts, scannedTo: bottom, more: bottom > after + 1, newest: rows.length, oldest: 1, total: rows.length };
  };
  const counts: FilterCounts = new FilterCounts(
    { terms: [{ key: 'text', values: ['x'] }] },
    {
      call: call as never,
      now: () => now,
      after: (ms, run) => void timers.push({ at: now + ms, run }),
      onChange: () => views.push(counts.view!),
    },
  );
  const settle = async () => {
    for (let i = 0; i < 200; i += 1) await Promise.resolve();
  };
  const advance = async (ms: number) => {
    now += ms;
    for (const timer of timers.splice(0)) {
      if (timer.at <= now) timer.run();
      else timers.push(timer);
    }
    await settle();
  };
  return { counts, views, settle, advance, asked: () => asked };
}

describe('counting what matches', () => {
  it('tells how far it is, and then the whole', async () => {
    const all = setUp(
      Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? 'failed' : 'delivered')),
      10,
    );
    all.counts.start();
    await all.settle();
    expect(all.views.map(({ progress }) => progress)).toEqual([0.25, 0.5, 0.75, null]);
    expect(all.views.at(-1)).toEqual({ counts: { failed: 10, delivered: 30 }, total: 40, progress: null });
    for (const { counts, total } of all.views) expect(sumOf(counts)).toBeLessThanOrEqual(total);
  });

  it('counts what comes at once and what moved as soon as its share of the time allows', async () => {
    const rows: MessageStateName[] = Array.from({ length: 10 }, () => 'queued');
    const all = setUp(rows, 1_000, 100);
    all.counts.start();
    await all.settle();
    rows.push('queued');
    rows[0] = 'delivered';
    all.counts.changed();
    await all.advance(250);
    expect(all.counts.view).toMatchObject({ counts: { queued: 11 }, total: 11 });
    await all.advance(4_000);
    expect(all.asked()).toBe(2);
    await all.advance(2_000);
    await all.advance(250);
    expect(all.counts.view).toMatchObject({ counts: { queued: 10, delivered: 1 }, total: 11 });
    await all.advance(60_000);
    expect(all.asked()).toBe(3);
  });

  it('asks nothing more once it is closed', async () => {
    const all = setUp(['queued']);
    all.counts.start();
    all.counts.close();
    await all.settle();
    all.counts.changed();
    await all.advance(60_000);
    expect(all.asked()).toBe(1);
    expect(all.views).toEqual([]);
  });
});

describe('the numbers of the chips', () => {
  it('add up to All and to the total, whatever states there are', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200_000), { minLength: MESSAGE_STATES.length }), (numbers) => {
        const counts = Object.fromEntries(MESSAGE_STATES.map((state, i) => [state, numbers[i]!])) as Record<
          MessageStateName,
          number
        >;
        const status = { counts, total: sumOf(counts) };
        const shown = countsShown({ read: queryOf({ key: 'status', values: ['failed'] }), counts: null }, status)!;
        expect(sumOf(shown.counts)).toBe(shown.total);
        const filtered: CountsView = { counts: { failed: 2 }, total: 9, progress: null };
        expect(countsShown({ read: queryOf({ key: 'text', values: ['a'] }), counts: filtered }, status)).toBe(filtered);
      }),
    );
  });

  it('are all shown, in the row or in the menu at its end, and never wider than the row', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 24 })), fc.nat(1_500), (texts, width) => {
        const chips = texts.map((words) => ({ words }));
        const { fit, rest } = fitChips(chips, width, 66);
        expect([...fit, ...rest]).toEqual(chips);
        const used = fit.reduce((sum, { words }) => sum + widthOfChip(words, true), rest.length > 0 ? 66 : 0);
        if (fit.length > 0) expect(used).toBeLessThanOrEqual(width);
      }),
    );
  });
});
