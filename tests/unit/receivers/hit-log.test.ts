import { describe, expect, it } from 'vitest';
import { type Hit, HitLog, MAX_HITS, MAX_KEPT_BODY, MAX_LOG_BYTES } from '../../../src/core/receivers/hit-log.ts';

const hit = (receiver: string, over: Partial<Hit> = {}): Omit<Hit, 'id'> => ({
  receiver,
  at: 1,
  method: 'POST',
  path: `/r/${receiver}`,
  type: 'track',
  name: 'Order Completed',
  status: 200,
  answer: 'status',
  verdict: 'verified',
  reserialises: true,
  bodyBytes: 2,
  durationMs: null,
  gone: false,
  ...over,
});
const fill = (log: HitLog, receiver: string, count: number, body = Buffer.from('{}')): void => {
  for (let i = 0; i < count; i++) log.add(hit(receiver), ['Host', 'x'], body);
};

describe('the request log', () => {
  it('keeps the newest 1,000 requests of each receiver and counts them all', () => {
    const log = new HitLog();
    fill(log, 'a', MAX_HITS + 5);
    fill(log, 'b', 2);
    expect(log.page('a', Number.MAX_SAFE_INTEGER, 10_000)).toMatchObject({ kept: MAX_HITS, nextBefore: null });
    expect(log.page('a', Number.MAX_SAFE_INTEGER, 10_000).rows.at(-1)?.id).toBe(6);
    expect(log.summary('a').hits).toBe(MAX_HITS + 5);
    expect(log.summary('b').hits).toBe(2);
  });

  it('gives pages newest first, and where the next one begins', () => {
    const log = new HitLog();
    fill(log, 'a', 5);
    const first = log.page('a', Number.MAX_SAFE_INTEGER, 2);
    expect([first.rows.map(({ id }) => id), first.nextBefore]).toEqual([[5, 4], 4]);
    const last = log.page('a', 3, 2);
    expect([last.rows.map(({ id }) => id), last.nextBefore]).toEqual([[2, 1], null]);
    expect(log.page('nobody', 9, 9)).toEqual({ rows: [], kept: 0, nextBefore: null });
  });

  it('keeps 64 KiB of a body as a copy', () => {
    const log = new HitLog();
    const body = Buffer.alloc(MAX_KEPT_BODY + 1, 'x');
    const { id } = log.add(hit('a'), [], body);
    body.fill('y');
    expect(log.get('a', id)?.body.length).toBe(MAX_KEPT_BODY);
    expect(log.get('a', id)?.body[0]).toBe('x'.charCodeAt(0));
  });

  it('stays within its bytes by dropping the oldest request of all', () => {
    const log = new HitLog(1024 * 1024);
    fill(log, 'old', 3);
    fill(log, 'big', 100, Buffer.alloc(MAX_KEPT_BODY));
    expect(log.bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(log.page('old', Number.MAX_SAFE_INTEGER, 10).kept).toBe(0);
    expect(log.summary('old').hits).toBe(3);
    expect(log.page('big', Number.MAX_SAFE_INTEGER, 10).kept).toBeGreaterThan(10);
    expect(MAX_LOG_BYTES).toBe(32 * 1024 * 1024);
  });

  it('takes in how an answer ended, also in the strip', () => {
    const log = new HitLog();
    const { id } = log.add(hit('a'), [], Buffer.alloc(0));
    log.finish(id, { status: null, durationMs: 12, gone: true });
    expect(log.page('a', 9, 9).rows[0]).toMatchObject({ status: null, durationMs: 12, gone: true });
    expect(log.summary('a').recent).toEqual([{ status: null, answer: 'status', at: 1 }]);
    expect(log.finish(99, { status: 200, durationMs: 1, gone: false })).toBeUndefined();
  });

  it('forgets a receiver when it is cleared, its bytes too', () => {
    const log = new HitLog();
    fill(log, 'a', 3);
    fill(log, 'b', 1);
    const { bytes } = log;
    log.clear('a');
    expect(log.summary('a')).toEqual({ hits: 0, kept: 0, recent: [], verdict: null });
    expect(log.bytes).toBe(bytes / 4);
  });

  it('shows the newest 20 outcomes, oldest first, and the newest verdict that was reached', () => {
    const log = new HitLog();
    for (let at = 1; at <= 25; at++)
      log.add(hit('a', { at, verdict: at === 25 ? null : 'mismatch' }), [], Buffer.alloc(0));
    const { recent, verdict } = log.summary('a');
    expect(recent.map(({ at }) => at)).toEqual(Array.from({ length: 20 }, (_unused, i) => i + 6));
    expect(verdict).toBe('mismatch');
  });

  it('says how many requests it still holds', () => {
    const log = new HitLog();
    for (const userId of ['u1', 'u2']) log.add(hit('a'), [], Buffer.from(JSON.stringify({ type: 'track', userId })));
    expect(log.summary('a')).toMatchObject({ hits: 2, kept: 2 });
    log.erase(new Set(['u1']), true);
    expect(log.summary('a')).toMatchObject({ hits: 2, kept: 1 });
  });

  it('forgets what is about some users, and keeps notices of their deletion', () => {
    const log = new HitLog();
    const add = (body: object, type = 'track'): void =>
      void log.add(hit('a', { type }), [], Buffer.from(JSON.stringify(body)));
    add({ type: 'track', userId: 'u1' });
    add({ type: 'track', userId: 'u10' });
    add({ type: 'alias', 'Previous ID': 'u1', 'User ID': 'u2' }, 'alias');
    add({ type: 'delete', userId: 'u1' }, 'delete');
    const users = new Set(['u1']);
    expect(log.erase(users, false).entries).toBe(2);
    expect(log.page('a', 99, 9).rows).toHaveLength(4);
    expect(log.erase(users, true)).toEqual({ entries: 2, receivers: new Set(['a']) });
    expect(log.page('a', 99, 9).rows.map(({ id }) => id)).toEqual([4, 2]);
  });
});
