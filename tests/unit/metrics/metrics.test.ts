import { describe, expect, it, onTestFinished } from 'vitest';
import { DELIVERY_EDGES, quantile } from '../../../src/core/metrics/histogram.ts';
import { KEPT_MINUTES, Metrics } from '../../../src/core/metrics/metrics.ts';
import { MESSAGE_COUNTS, MessageCounts, minuteOf } from '../../../src/core/metrics/minute.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { SqliteMetrics } from '../../../src/core/store/metrics.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import type { MetricsStore } from '../../../src/core/store/ports/metrics.ts';
import { SimTime } from '../../helpers/sim-ports.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const MINUTE = 60_000;

interface Bench {
  readonly time: SimTime;
  readonly db: Db;
  readonly store: MetricsStore;
  readonly metrics: Metrics;
  /** Writes asked for so far. */
  readonly writes: () => number;
  fail(on: boolean): void;
  /** Another life on the same store. */
  again(): Metrics;
}

function bench(): Bench {
  const time = new SimTime();
  const db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.pragma('synchronous = OFF');
  const store = new SqliteMetrics(db);
  let writes = 0;
  let failing = false;
  const start = () =>
    new Metrics({
      store,
      clock: time,
      timers: time,
      write: async (job) => {
        writes += 1;
        if (failing) throw new Error('disk full');
        return job(new Changes());
      },
    });
  return {
    time,
    db,
    store,
    metrics: start(),
    writes: () => writes,
    fail: (on) => {
      failing = on;
    },
    again: start,
  };
}

const hook = (id: number, more: object = {}) => ({
  id,
  slot: id,
  name: `hook ${id}`,
  url: `http://h${id}.test/`,
  ...more,
});
const queued = { state: 'queued', reason: null } as const;
const fresh = (n: number) => Array.from({ length: n }, (_, i) => ({ id: i + 1, duplicate: false }));

function totals(metrics: Metrics, from: number, to: number): MessageCounts {
  const all = new MessageCounts();
  for (const minute of metrics.range(minuteOf(from), minuteOf(to))) all.add(minute.messages);
  return all;
}
const counted = (counts: MessageCounts) =>
  Object.fromEntries(MESSAGE_COUNTS.map((name) => [name, counts[name]]).filter(([, n]) => n !== 0));

describe('a message', () => {
  const life = (moves: Array<{ from: string; to: string; round: number; after?: number }>) => {
    const { time, metrics } = bench();
    const receivedAt = time.wall();
    metrics.stored(receivedAt, [queued], fresh(1));
    for (const { from, to, round, after = 0 } of moves)
      metrics.moved({
        receivedAt,
        from: from as never,
        to: to as never,
        round,
        at: receivedAt + after,
        missed: to === 'delivered' ? [hook(3)] : [],
      });
    return { metrics, receivedAt, counts: totals(metrics, receivedAt, receivedAt) };
  };

  it('that the first round delivers is first time, with the time from its receipt', () => {
    const { counts, metrics, receivedAt } = life([{ from: 'delivering', to: 'delivered', round: 1, after: 400 }]);
    expect(counted(counts)).toEqual({ received: 1, firstRound: 1, delivered: 1 });
    expect(quantile(DELIVERY_EDGES, counts.deliveryMs, 1)).toBe(400);
    expect([...metrics.range(minuteOf(receivedAt), minuteOf(receivedAt))][0]!.webhooks.get(1)!.missed).toBe(1);
  });
  it('that waits for a sender is still in its round', () => {
    expect(counted(life([{ from: 'waiting', to: 'delivered', round: 1 }]).counts)).toMatchObject({ firstRound: 1 });
    expect(counted(life([{ from: 'waiting', to: 'retrying', round: 1 }]).counts)).toEqual({ received: 1, retried: 1 });
    expect(counted(life([{ from: 'waiting', to: 'failed', round: 1 }]).counts)).toEqual({ received: 1, failed: 1 });
  });
  it('needs a retry as soon as its first round has not delivered it, and is counted once however many follow', () => {
    const { counts } = life([
      { from: 'delivering', to: 'retrying', round: 1 },
      { from: 'delivering', to: 'retrying', round: 2 },
      { from: 'delivering', to: 'retrying', round: 3 },
    ]);
    expect(counted(counts)).toEqual({ received: 1, retried: 1 });
  });
  it('that a later round delivers stays one that needed a retry', () => {
    const { counts } = life([
      { from: 'delivering', to: 'retrying', round: 1 },
      { from: 'delivering', to: 'delivered', round: 2 },
    ]);
    expect(counted(counts)).toEqual({ received: 1, retried: 1, delivered: 1 });
  });
  it.each([
    ['retrying', 2],
    ['paused', 1],
    ['retrying', 1],
    ['delivering', 5],
  ])('that expires from %s in round %i is moved from needed a retry to expired', (from, round) => {
    const { counts } = life([
      { from: 'delivering', to: 'retrying', round: 1 },
      { from, to: 'expired', round },
    ]);
    expect(counted(counts)).toEqual({ received: 1, expired: 1 });
  });
  it.each([
    ['expired', 'delivering', 1],
    ['failed', 'delivering', 1],
    ['failed', 'queued', 0],
  ])('that is %s from %s in round %i never needed a retry', (to, from, round) => {
    expect(counted(life([{ from, to, round }]).counts)).toEqual({ received: 1, [to]: 1 });
  });
  it('that a person stops stays what it was', () => {
    const { counts } = life([
      { from: 'delivering', to: 'retrying', round: 1 },
      { from: 'retrying', to: 'stopped', round: 1 },
    ]);
    expect(counted(counts)).toEqual({ received: 1, retried: 1, stopped: 1 });
  });
  it('that is rejected or not selected is counted by its reason, and a repeat is not counted', () => {
    const { time, metrics } = bench();
    const at = time.wall();
    metrics.stored(
      at,
      [
        { state: 'rejected', reason: 'unknown_source' },
        { state: 'rejected', reason: 'unknown_source' },
        { state: 'rejected', reason: 'invalid_json' },
        { state: 'not_selected', reason: 'integrations_off' },
        queued,
      ],
      [...fresh(4), { id: 1, duplicate: true }],
    );
    const counts = totals(metrics, at, at);
    expect(counted(counts)).toEqual({ received: 4, rejected: 3, notSelected: 1 });
    expect([...counts.rejectedBy]).toEqual([
      ['unknown_source', 2],
      ['invalid_json', 1],
    ]);
    metrics.heldTaken(at, 2);
    expect(counted(totals(metrics, at, at))).toEqual({ received: 2, rejected: 1, notSelected: 1 });
    expect([...totals(metrics, at, at).rejectedBy]).toEqual([['invalid_json', 1]]);
  });
  it('is counted in the minute of its receipt whenever it moves', async () => {
    const { time, metrics } = bench();
    const receivedAt = time.wall();
    metrics.stored(receivedAt, [queued], fresh(1));
    await time.advance(20 * MINUTE);
    metrics.moved({ receivedAt, from: 'delivering', to: 'delivered', round: 2, at: time.wall(), missed: [] });
    expect(totals(metrics, time.wall(), time.wall()).delivered).toBe(0);
    expect(totals(metrics, receivedAt, receivedAt).delivered).toBe(1);
  });
  it('that a crash left uncounted takes nothing below zero', () => {
    const { time, metrics } = bench();
    const receivedAt = time.wall();
    metrics.moved({ receivedAt, from: 'retrying', to: 'expired', round: 4, at: receivedAt, missed: [] });
    expect(counted(totals(metrics, receivedAt, receivedAt))).toEqual({ expired: 1 });
  });
});

describe('writing', () => {
  it('happens at most once a second while something changes, and never while nothing does', async () => {
    const { time, metrics, writes } = bench();
    await time.advance(10_000);
    expect(writes()).toBe(0);
    for (let i = 0; i < 50; i++) {
      metrics.stored(time.wall(), [queued], fresh(1));
      metrics.recorded(hook(1), { outcome: 'accepted', durationMs: 12 }, time.wall(), 5000);
      await time.advance(100);
    }
    expect(writes()).toBeGreaterThanOrEqual(4);
    expect(writes()).toBeLessThanOrEqual(5);
    await time.advance(2000);
    const after = writes();
    await time.advance(60_000);
    expect(writes()).toBe(after);
    expect(time.pending).toBe(0);
  });
  it('keeps every count over a stop', async () => {
    const { time, metrics, again } = bench();
    const at = time.wall();
    metrics.stored(at, [queued, { state: 'rejected', reason: 'invalid_json' }], fresh(2));
    metrics.stored(at - 3 * MINUTE, [{ state: 'not_selected', reason: 'no_webhook' }], fresh(1));
    metrics.moved({ receivedAt: at, from: 'delivering', to: 'delivered', round: 1, at: at + 1300, missed: [hook(2)] });
    metrics.recorded(hook(1), { outcome: 'accepted', durationMs: 1234 }, at, 5000);
    metrics.recorded(hook(1), { outcome: 'timed_out', durationMs: 10_000 }, at, 10_000);
    metrics.recorded(hook(2), { outcome: 'refused_certificate', durationMs: 3 }, at, 5000);
    metrics.close();
    await time.settle();
    const next = again();
    const all = (of: Metrics) =>
      [...of.range(minuteOf(at) - 10, minuteOf(at))].map((minute) => structuredClone(minute));
    expect(all(next)).toEqual(all(metrics));
    expect(all(next)).toHaveLength(2);
    expect(time.pending).toBe(0);
  });
  it('is tried again after the store could not be written, and loses nothing', async () => {
    const { time, metrics, fail, again, writes } = bench();
    fail(true);
    metrics.stored(time.wall(), [queued], fresh(1));
    await time.advance(1000);
    expect(writes()).toBe(1);
    metrics.stored(time.wall(), [queued], fresh(1));
    fail(false);
    await time.advance(6000);
    expect(totals(again(), time.wall() - MINUTE, time.wall()).received).toBe(2);
  });
  it('keeps 24 h of minutes in memory and in the store, and no older minute comes back', async () => {
    const { time, metrics, db, again } = bench();
    const start = time.wall();
    metrics.stored(start, [queued], fresh(1));
    metrics.recorded(hook(1), { outcome: 'accepted', durationMs: 1 }, start, 5000);
    metrics.stored(start + 2 * KEPT_MINUTES * MINUTE + MINUTE, [queued], fresh(1));
    await time.advance(KEPT_MINUTES * MINUTE);
    metrics.stored(time.wall(), [queued], fresh(1));
    await time.advance(1000);
    for (const one of [metrics, again()]) {
      expect(totals(one, start, start).received).toBe(0);
      expect(totals(one, time.wall(), time.wall()).received).toBe(1);
    }
    metrics.moved({ receivedAt: start, from: 'retrying', to: 'expired', round: 9, at: time.wall(), missed: [] });
    expect(totals(metrics, start, start).expired).toBe(0);
    expect(db.prepare('SELECT count(*) FROM metric_attempts').pluck().get()).toBe(0);
  });
});
