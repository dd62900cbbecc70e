import { describe, expect, it } from 'vitest';
import { MOST_VALUES, ValueCounts } from '../../../../src/renderer/stores/live/value-counts.ts';

/** An engine with these events, from the oldest to the newest, that counts `step` of them an answer. */
function over(events: string[], step: number) {
  const timers: Array<() => void> = [];
  const call = async (_: string, { before = events.length + 1, after = 0 }: { before?: number; after?: number }) => {
    const bottom = Math.max(after + 1, before - step);
    const counts = new Map<string, number>();
    for (const event of events.slice(bottom - 1, before - 1)) counts.set(event, (counts.get(event) ?? 0) + 1);
    const ends = { newest: events.length, oldest: 1, total: events.length };
    return { counts: [...counts], scannedTo: bottom, more: bottom > after + 1, ...ends };
  };
  let now = 0;
  const counts = new ValueCounts(
    'event',
    {},
    {
      call: call as never,
      now: () => now,
      after: (_, run) => void timers.push(run),
      onChange: () => {},
    },
  );
  const settle = async () => {
    for (let i = 0; i < 60_000 && (i < 200 || counts.view?.progress !== null); i += 1) await Promise.resolve();
  };
  const later = async () => {
    now += 1_000;
    for (const run of timers.splice(0)) run();
    await settle();
  };
  const values = () => [...(counts.view?.counts.values.values() ?? [])].map(({ value, n }) => [value, n]);
  return { counts, settle, later, values };
}

describe('counting values', () => {
  it('adds the answers, and takes events that differ in case for one', async () => {
    const all = over(['b', 'Order', 'a', 'ORDER', 'order', 'a'], 2);
    all.counts.start();
    await all.settle();
    expect(all.counts.view).toMatchObject({ progress: null, total: 6, counts: { isCut: false } });
    expect(all.values()).toEqual([
      ['order', 3],
      ['a', 2],
      ['b', 1],
    ]);
  });

  it('adds what came later', async () => {
    const events = ['a', 'b'];
    const all = over(events, 10);
    all.counts.start();
    await all.settle();
    events.push('b', 'c');
    all.counts.changed();
    await all.later();
    expect(all.values().sort()).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ]);
  });

  it('keeps so many values with exact numbers, and says that there are others', async () => {
    const events = Array.from({ length: MOST_VALUES + 5 }, (_, n) => `e${n}`);
    const all = over([...events, ...events.slice(-3)], 2_000);
    all.counts.start();
    await all.settle();
    expect(all.counts.view?.counts.isCut).toBe(true);
    expect(all.values()).toHaveLength(MOST_VALUES);
    expect(all.values().filter(([, n]) => n === 2)).toHaveLength(3);
  });
});
