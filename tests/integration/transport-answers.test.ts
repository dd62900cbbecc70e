import { afterEach, describe, expect, it } from 'vitest';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import { createHttpTransport, type HttpTransport } from '../../src/core/delivery/transport/http-transport.ts';
import type { AttemptResult } from '../../src/core/model/attempt.ts';
import { type RawReceiver, startRawReceiver } from '../helpers/raw-receiver.ts';
import { receiverKinds } from '../helpers/receivers.ts';

const SHORT_LIMIT_MS = 300;
const LONG_LIMIT_MS = 5000;
/** Every attempt ends this soon after its limit (reliability, goal 5). */
const GRACE_MS = 250;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function transport(): HttpTransport {
  const made = createHttpTransport({ clock: systemClock, timers: systemTimers });
  closing.push(() => made.close());
  return made;
}

async function receiver(...args: Parameters<typeof startRawReceiver>): Promise<RawReceiver> {
  const started = await startRawReceiver(...args);
  closing.push(() => started.close());
  return started;
}

const post = (to: HttpTransport, url: string, limitMs: number): Promise<AttemptResult> =>
  to.send({ url, headers: [['Content-Type', 'application/json']], body: Buffer.from('{"type":"track"}'), limitMs });

describe('a receiver of every kind', () => {
  it.each(receiverKinds)('$name', async ({ behave, expected, endless }) => {
    const limitMs = endless ? SHORT_LIMIT_MS : LONG_LIMIT_MS;
    const target = await receiver(behave);

    const result = await post(transport(), target.url, limitMs);

    expect(result).toMatchObject({
      outcome: expected.outcome,
      reason: expected.reason ?? null,
      status: expected.status ?? null,
      responseCut: expected.cut ?? false,
    });
    if (expected.kept !== undefined) expect(result.responseBody.length).toBe(expected.kept);
    expect(result.responseBytes).toBeGreaterThanOrEqual(result.responseBody.length);
    expect(result.durationMs).toBeLessThanOrEqual(limitMs + GRACE_MS);
    if (endless) expect(result.durationMs).toBeGreaterThanOrEqual(limitMs - 5);
    expect(target.connections).toBe(1);
  });
});
