/** How large a call may be, and how much the queue holds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_CALL_BYTES } from '../../../src/client/limits.ts';
import { bytesOf, isTooDeep } from '../../../src/client/measure.ts';
import { call } from './any-call.ts';
import { simClient } from './sim-client.ts';

describe('sizes', () => {
  /** A call of exactly so many bytes. */
  const ofBytes = (bytes: number, character = 'x'): object => {
    const message = (note: string): object => ({ userId: 'u', event: 'E', properties: { note }, messageId: 'm' });
    const around = bytesOf(
      '{"properties":{"note":""},"userId":"u","event":"E","type":"track","messageId":"m","timestamp":"2025-01-15T12:00:00.000Z"}',
    );
    const width = bytesOf(character);
    const count = Math.floor((bytes - around) / width);
    return message(character.repeat(count) + 'x'.repeat(bytes - around - count * width));
  };

  it.each(['x', 'é', '😀'])('a call of 32 KiB is taken, one of a byte more is refused (%s)', (character) => {
    expect(call('track', ofBytes(MAX_CALL_BYTES, character))).toBeNull();
    const error = call('track', ofBytes(MAX_CALL_BYTES + 1, character));
    expect(error).toMatchObject({ code: 'call_too_large' });
    expect(error!.message).toBe('track is 32769 bytes as JSON; a call may have 32768.');
  });

  it('the length of any text in UTF-8 is that of an encoder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 4_000 }), (text, times) => {
        const long = text.repeat(times);
        expect(bytesOf(long)).toBe(new TextEncoder().encode(long).length);
      }),
      { numRuns: 50 },
    );
  });

  it('510 levels are taken, 511 are refused, brackets in texts do not count', () => {
    const nested = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;
    // The message itself is one level.
    expect(call('identify', { userId: 'u', traits: nested(509) })).toBeNull();
    expect(call('identify', { userId: 'u', traits: nested(510) })).toMatchObject({
      code: 'too_deep',
      message: 'identify nests deeper than 510 levels.',
    });
    expect(call('identify', { userId: 'u', traits: { text: '[{"\\'.repeat(2_000) } })).toBeNull();
    expect(isTooDeep('['.repeat(511) + ']'.repeat(511))).toBe(true);
    expect(isTooDeep('['.repeat(510) + ']'.repeat(510))).toBe(false);
  });
});

describe('the bounds of the queue', () => {
  it('refuse what does not fit, and take calls again when some were sent', async () => {
    const { client, time, requests, setAnswer } = simClient({ size: 5, maxQueuedMessages: 10 });
    setAnswer(() => ({ status: 200, afterMs: 100 }));
    const codes = Array.from({ length: 12 }, (_, n) => client.track({ userId: 'u', event: `E${n}` })?.code ?? 'taken');
    expect(codes).toEqual([...Array(10).fill('taken'), 'queue_full', 'queue_full']);
    const error = client.track({ userId: 'u', event: 'E' });
    expect(error!.message).toMatch(/^The queue is full \(10 messages, \d+ bytes; at most 10 and 33554432\)\.$/);
    await time.advance(100);
    expect(client.stats).toMatchObject({ accepted: 10, refused: 3, sent: 5, queued: 5 });
    expect(client.track({ userId: 'u', event: 'E' })).toBeNull();
    await time.advance(5_000);
    expect(requests.flatMap(({ body }) => body.batch)).toHaveLength(11);
    expect(client.stats).toMatchObject({ queued: 0, queuedBytes: 0 });
  });

  it('hold in bytes too', () => {
    const { client } = simClient({ maxQueuedBytes: 40_000, size: 1 });
    const properties = { note: 'é'.repeat(10_000) };
    expect(client.track({ userId: 'u', event: 'E', properties })).toBeNull();
    expect(client.track({ userId: 'u', event: 'E', properties })?.code).toBe('queue_full');
    expect(client.stats.queuedBytes).toBeLessThan(40_000);
  });
});
