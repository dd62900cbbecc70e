import { expect, it } from 'vitest';
import { wireKey } from '../../../src/core/model/wire-place.ts';
import { HitLog } from '../../../src/core/receivers/hit-log.ts';
import type { ArrivedRequest, SentRequest } from '../../../src/core/receivers/same-request.ts';
import { MAX_SENT, SentLog } from '../../../src/core/receivers/sent-log.ts';

const sent = (attempt: number, over: Partial<SentRequest> = {}): SentRequest => ({
  attempt,
  message: 1,
  receiver: 'ok',
  place: { client: '127.0.0.1:50001', port: 8766, order: 1 },
  bodyBytes: 20,
  at: 10_000,
  limitMs: 5_000,
  ...over,
});
const arrived = (of: SentRequest, over: Partial<ArrivedRequest> = {}): ArrivedRequest => ({
  receiver: of.receiver,
  wire: wireKey(of.place),
  bodyBytes: of.bodyBytes,
  at: of.at + 2,
  ...over,
});
const logOf = (...all: SentRequest[]): SentLog => {
  const log = new SentLog();
  for (const one of all) log.add(one);
  return log;
};
const at = (client: string, order = 1) => ({ client, port: 8766, order });

it('does not swap two equal bodies sent at once, on two connections or one after the other on the same', () => {
  const one = sent(1, { place: at('127.0.0.1:50001') });
  const other = sent(2, { place: at('127.0.0.1:50002') });
  const next = sent(3, { place: at('127.0.0.1:50001', 2) });
  const log = logOf(one, other, next);
  expect([other, next, one].map((request) => log.senderOf(arrived(request)))).toEqual([other, next, one]);
});

it('says that a request came from elsewhere when port, order, receiver, length or time differ', () => {
  const one = sent(1);
  const log = logOf(one);
  const odd: Array<Partial<ArrivedRequest>> = [
    { wire: wireKey(at('127.0.0.1:50002')) },
    { wire: wireKey(at('[::1]:50001')) },
    { wire: wireKey(at('127.0.0.1:50001', 2)) },
    { receiver: 'flaky' },
    { bodyBytes: 21 },
    { at: one.at - 1_001 },
    { at: one.at + 6_001 },
  ];
  expect(odd.map((over) => log.senderOf(arrived(one, over)))).toEqual(odd.map(() => 'elsewhere'));
  expect([one.at - 1_000, one.at + 6_000].map((when) => log.senderOf(arrived(one, { at: when })))).toEqual([one, one]);
});

it('keeps apart two connections that had the same port, by the time', () => {
  const early = sent(1);
  const late = sent(2, { at: 100_000 });
  const log = logOf(early, late);
  expect([log.senderOf(arrived(early)), log.senderOf(arrived(late))]).toEqual([early, late]);
});

it('says unknown for a request as old as what it forgot, and keeps the newest of each receiver', () => {
  const log = logOf(sent(999_999, { receiver: 'flaky' }));
  const all = Array.from({ length: MAX_SENT + 1 }, (_unused, i) =>
    sent(i + 1, { place: at('127.0.0.1:50001', i + 1), at: 10_000 + 10_000 * i }),
  );
  for (const one of all) log.add(one);
  expect(log.senderOf(arrived(all[0]!))).toBe('unknown');
  expect(log.ofAttempt(1)).toEqual([]);
  expect(log.senderOf(arrived(all[1]!))).toBe(all[1]);
  expect(log.senderOf(arrived(all[1]!, { bodyBytes: 1 }))).toBe('elsewhere');
  expect(log.ofAttempt(2)).toEqual([all[1]]);
  expect(log.ofAttempt(999_999)).toHaveLength(1);
});

it('gives the requests of an attempt that followed redirects in the order sent', () => {
  const hops = [sent(1, { receiver: 'redirect' }), sent(1, { place: at('127.0.0.1:50001', 2), bodyBytes: 0 })];
  expect(logOf(...hops, sent(2)).ofAttempt(1)).toEqual(hops);
});

it('the request log finds the request of an attempt by its place, not by its bytes', () => {
  const log = new HitLog();
  const kept = [1, 2, 3].map((order) => {
    const hit = {
      ...{ receiver: 'ok', at: 10_001, method: 'POST', path: '/r/ok', type: 'track', name: 'Order Completed' },
      ...({ status: 200, answer: 'status', verdict: null, reserialises: null, durationMs: null, gone: false } as const),
      bodyBytes: 20,
    };
    return log.add(hit, [], Buffer.alloc(20), wireKey(at('127.0.0.1:50001', order)));
  });
  expect(log.find(sent(1, { place: at('127.0.0.1:50001', 2) }))?.id).toBe(kept[1]!.id);
  expect(log.find(sent(1, { place: at('127.0.0.1:50001', 4) }))).toBeUndefined();
  expect(log.find(sent(1, { receiver: 'gone' }))).toBeUndefined();
});
