import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addCall, bodyOf, emptyBatch, isTooMuch, splitBatch } from '../../../src/client/batch.ts';
import { nextFlushAt } from '../../../src/client/flush-rule.ts';
import { MAX_BATCH_BYTES, MAX_CALL_BYTES } from '../../../src/client/limits.ts';
import { bytesOf } from '../../../src/client/measure.ts';
import { numbered, numbersOf, simClient } from './sim-client.ts';

describe('flush by count', () => {
  it('sends 20 messages as soon as the twentieth is there, and no request in the call itself', async () => {
    const { client, time, requests } = simClient();
    for (let n = 0; n < 19; n++) client.track(numbered(n));
    await time.settle();
    expect(requests).toHaveLength(0);
    client.track(numbered(19));
    expect(requests).toHaveLength(0);
    await time.settle();
    expect(requests.map(({ body }) => body.batch.length)).toEqual([20]);
  });

  it.each(['size', 'flushAt'] as const)('sends every message by itself with %s 1', async (name) => {
    const { client, time, requests } = simClient({ [name]: 1 });
    for (let n = 0; n < 5; n++) client.track(numbered(n));
    await time.settle(200);
    expect(requests.map(({ body }) => body.batch.length)).toEqual([1, 1, 1, 1, 1]);
    expect(time.pending).toBe(0);
  });

  it('cuts 45 calls of one turn into 20, 20 and, after the interval, 5', async () => {
    const { client, time, requests } = simClient();
    for (let n = 0; n < 45; n++) client.track(numbered(n));
    await time.settle(200);
    expect(requests.map(({ body }) => body.batch.length)).toEqual([20, 20]);
    await time.advance(4_999);
    expect(requests).toHaveLength(2);
    await time.advance(1);
    expect(requests.map(({ at, body }) => [at, body.batch.length])).toEqual([
      [0, 20],
      [0, 20],
      [5_000, 5],
    ]);
  });
});

describe('flush by time', () => {
  it.each(['flushAfterMs', 'flushAfter'] as const)('sends what is queued %s after the last flush', async (name) => {
    const { client, time, requests } = simClient({ [name]: 700, size: 3 });
    await time.advance(100);
    for (let n = 0; n < 3; n++) client.track(numbered(n));
    await time.advance(50);
    client.track(numbered(3));
    await time.advance(649);
    expect(requests.map(({ at }) => at)).toEqual([100]);
    await time.advance(1);
    expect(requests.map(({ at }) => at)).toEqual([100, 800]);
  });

  it('counts an interval without messages as a flush, so that a burst after a silence travels together', async () => {
    const { client, time, requests } = simClient();
    await time.advance(61_000);
    client.track(numbered(0));
    client.track(numbered(1));
    await time.advance(3_999);
    expect(requests).toHaveLength(0);
    await time.advance(1);
    expect(requests.map(({ at, body }) => [at, body.batch.length])).toEqual([[65_000, 2]]);
    expect(time.pending).toBe(0);
  });

  it('is at most one interval ahead and never now', () => {
    const ms = fc.integer({ min: 0, max: 10_000_000 });
    fc.assert(
      fc.property(ms, ms, fc.integer({ min: 1, max: 100_000 }), (last, since, after) => {
        const now = last + since;
        const at = nextFlushAt(last, now, after);
        expect(at).toBeGreaterThan(now);
        expect(at - now).toBeLessThanOrEqual(after);
        expect((at - last) % after).toBe(0);
      }),
    );
  });
});

/** Text of exactly so many bytes as a JSON string body, in characters of one to four bytes. */
const texts = fc
  .tuple(fc.integer({ min: 0, max: 15_000 }), fc.constantFrom('x', 'é', '€', '😀', '"', '\ud800'))
  .map(([length, character]) => {
    const width = bytesOf(JSON.stringify(character)) - 2;
    return character.repeat(Math.floor(length / Math.max(1, width)) * (width > 3 ? 1 : 2));
  });

describe('any calls at any times', () => {
  const action = fc.oneof(
    { weight: 6, arbitrary: fc.record({ calls: fc.integer({ min: 1, max: 40 }), note: fc.constant('') }) },
    { weight: 3, arbitrary: fc.record({ calls: fc.integer({ min: 1, max: 30 }), note: texts }) },
    { weight: 3, arbitrary: fc.record({ waitMs: fc.integer({ min: 1, max: 12_000 }) }) },
    { weight: 1, arbitrary: fc.constant('flush' as const) },
  );

  it('lose nothing, keep the order, stay under every limit, and leave at the count or at the interval', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.array(action, { maxLength: 25 }), async (size, actions) => {
        const { client, time, requests } = simClient({ size, maxQueuedBytes: 1e9, maxQueuedMessages: 1e6 });
        const madeAt: number[] = [];
        const flushedBefore: number[] = [];
        const flushedAt: number[] = [0];
        for (const act of actions) {
          if (act === 'flush') {
            void client.flush();
            flushedBefore.push(madeAt.length);
            flushedAt.push(time.mono());
          } else if ('waitMs' in act) {
            // Requests go out one after the other, each some turns after the last.
            await time.settle(2_000);
            await time.advance(act.waitMs);
          } else
            for (let i = 0; i < act.calls; i++) {
              const error = client.track(numbered(madeAt.length, { note: act.note }));
              if (error === null) madeAt.push(time.mono());
              else expect(error.code).toBe('call_too_large');
            }
        }
        await closing(client.close(), time);
        const { sent, lost } = client.stats;
        expect({ sent, lost }).toEqual({ sent: madeAt.length, lost: 0 });
        expect(numbersOf(requests)).toEqual(madeAt.map((_, n) => n));
        let first = 0;
        for (const { at, bytes, body } of requests) {
          const count = body.batch.length;
          expect(bytes).toBeLessThanOrEqual(MAX_BATCH_BYTES);
          expect(count).toBeLessThanOrEqual(size);
          expect(at - madeAt[first]!).toBeLessThanOrEqual(5_000);
          const last = first + count;
          const next = requests.find(({ body: other }) => other.batch[0]?.properties?.n === last);
          const wasFull = count === size;
          const wasLarge = next !== undefined && bytes + 1 + sizeOf(next.body.batch[0]) > MAX_BATCH_BYTES;
          // An asked flush begins the interval anew, also when it found nothing to send.
          const begun = [...flushedAt, lastCut(requests, first)];
          const wasDue = begun.some((since) => at > since && (at - since) % 5_000 === 0);
          const wasAsked = flushedBefore.includes(last) || last === madeAt.length;
          expect(wasFull || wasLarge || wasDue || wasAsked).toBe(true);
          first = last;
        }
        const { queued, queuedBytes, accepted } = client.stats;
        expect({ queued, queuedBytes, accepted }).toEqual({ queued: 0, queuedBytes: 0, accepted: madeAt.length });
        expect(time.pending).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

const sizeOf = (value: unknown): number => bytesOf(JSON.stringify(value));

/** When the batch before the one that begins with message `first` was cut: requests are instant here. */
function lastCut(requests: readonly { at: number; body: { batch: readonly unknown[] } }[], first: number): number {
  let seen = 0;
  let at = 0;
  for (const request of requests) {
    if (seen >= first) break;
    seen += request.body.batch.length;
    at = request.at;
  }
  return at;
}

async function closing<T>(promise: Promise<T>, time: { settle(turns?: number): Promise<void> }): Promise<T> {
  await time.settle(2_000);
  return promise;
}

describe('the split of a batch', () => {
  it('keeps every call in its order, under the limit, with the sizes that it says', () => {
    const calls = fc.array(
      texts.map((text) => JSON.stringify({ text })),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(calls, fc.integer({ min: 300, max: 80_000 }), (all, limit) => {
        const whole = emptyBatch('whole', 7);
        for (const json of all) addCall(whole, json, bytesOf(json));
        let made = 0;
        const pieces = splitBatch(whole, limit, () => `piece-${++made}`);
        expect(pieces.flatMap((piece) => piece.calls)).toEqual(all);
        for (const piece of pieces) {
          const body = bodyOf(piece, '2026-11-20T17:31:04.089Z');
          expect(piece.bytes).toBe(new TextEncoder().encode(body).length);
          expect(piece.order).toBe(7);
          expect(piece.bytes <= limit || piece.calls.length === 1).toBe(true);
          expect((JSON.parse(body) as { batch: unknown[] }).batch).toHaveLength(piece.calls.length);
        }
        expect(new Set(pieces.map(({ id }) => id)).size).toBe(pieces.length);
      }),
      { numRuns: 100 },
    );
  });

  it('takes a body of exactly the limit and not one byte more', () => {
    const batch = emptyBatch('b', 1);
    addCall(batch, '{}', 2);
    const room = MAX_BATCH_BYTES - batch.bytes - 1;
    expect(isTooMuch(batch, room)).toBe(false);
    expect(isTooMuch(batch, room + 1)).toBe(true);
  });

  it('takes any single call into an empty batch', () => {
    expect(isTooMuch(emptyBatch('b', 1), MAX_CALL_BYTES, 100)).toBe(false);
  });
});
