import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import {
  createHttpTransport,
  type HttpTransport,
  type HttpTransportOptions,
} from '../../src/core/delivery/transport/http-transport.ts';
import type { AttemptResult } from '../../src/core/model/attempt.ts';
import { answering, type RawReceiver, startRawReceiver } from '../helpers/raw-receiver.ts';
import { pour } from '../helpers/receiver-behaviour.ts';
import { SimTime } from '../helpers/sim-ports.ts';
import { watchDelays } from '../helpers/timer-lasts.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const GRACE_MS = 250;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function transport(options: Partial<HttpTransportOptions> = {}): HttpTransport {
  const made = createHttpTransport({ clock: systemClock, timers: systemTimers, ...options });
  closing.push(() => made.close());
  return made;
}

async function receiver(...args: Parameters<typeof startRawReceiver>): Promise<RawReceiver> {
  const started = await startRawReceiver(...args);
  closing.push(() => started.close());
  return started;
}

const post = (to: HttpTransport, url: string, limitMs = 5000): Promise<AttemptResult> =>
  to.send({ url, headers: [], body: Buffer.from('{}'), limitMs });

describe('the limit of an attempt', () => {
  it('is 5 s from asking for the connection, kept to 250 ms', async () => {
    const target = await receiver(() => {});
    const delays = watchDelays();
    const askedAt = performance.now();

    const result = await post(transport(), target.url, 5000);

    const tookMs = performance.now() - askedAt;
    expect(result).toMatchObject({ outcome: 'timed_out', reason: null, status: null });
    expect(tookMs).toBeGreaterThanOrEqual(4995);
    expect(tookMs).toBeLessThanOrEqual(5000 + GRACE_MS + delays());
    await target.allClosed(1);
  });

  it('holds in the TLS handshake too, and says so', async () => {
    const time = new SimTime();
    const target = await receiver(({ socket }) => void socket.once('data', () => void time.advance(300)));
    const simulated = transport({ clock: time, timers: time });
    const result = await post(simulated, `https://localhost:${target.port}/`, 300);
    expect(result).toMatchObject({ outcome: 'timed_out', reason: null, requestHeaders: [], durationMs: 300 });
    expect(result.detail).toContain('tls');
    expect(result.phases.tlsMs).toBe(300);
    await target.allClosed();
  });

  it('is one for all phases: together they fill the time, and the waiting shows where', async () => {
    const time = new SimTime();
    const target = await receiver(({ onRequest }) => onRequest(() => void time.advance(230)));
    const lookup = async () => {
      await time.advance(70);
      return [{ address: '127.0.0.1', family: 4 } as const];
    };
    const simulated = transport({ clock: time, timers: time, lookup });
    const { phases, outcome, durationMs } = await post(simulated, `http://receiver.test:${target.port}/`, 300);
    expect([outcome, durationMs]).toEqual(['timed_out', 300]);
    expect(phases).toEqual({
      queueMs: null,
      dnsMs: 70,
      tcpMs: 0,
      tlsMs: null,
      certificateMs: null,
      sendMs: 0,
      waitMs: 230,
      readMs: null,
    });
  });

  it('makes late headers a time-out even when the timer has not rung yet', async () => {
    let lateMs = 0;
    const target = await receiver(({ socket, onRequest }) => {
      onRequest(() => {
        lateMs = 6000;
        socket.write(OK);
      });
    });
    const clock = { wall: systemClock.wall, mono: () => systemClock.mono() + lateMs };

    const result = await post(transport({ clock }), target.url, 5000);

    expect(result).toMatchObject({ outcome: 'timed_out', status: null });
  });

  it('leaves no timer behind but that of the kept connection, and none once it is closed', async () => {
    const target = await receiver(answering(OK));
    let armed = 0;
    const timers = {
      soon: systemTimers.soon,
      after: (delayMs: number, run: () => void) => {
        const timer = systemTimers.after(delayMs, run);
        let live = true;
        armed += 1;
        return {
          cancel: () => {
            if (live) armed -= 1;
            live = false;
            timer.cancel();
          },
        };
      },
    };
    const sender = transport({ timers });
    await post(sender, target.url);
    expect(armed).toBe(1);
    await post(sender, target.url);
    expect(armed).toBe(1);
    await sender.close();
    expect(armed).toBe(0);
  });
});

// Refused connections and certificates in number: receiver-table.test.ts.
describe('memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;

  /** Heap and buffers after a collection, in MiB. */
  async function usedMiB(): Promise<number> {
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 2 ** 20;
  }

  async function growthMiB(count: number, act: () => Promise<unknown>): Promise<number> {
    const batch = async (times: number): Promise<void> => {
      for (let left = times; left > 0; left -= 20) await Promise.all(Array.from({ length: Math.min(20, left) }, act));
    };
    await batch(100);
    const before = await usedMiB();
    await batch(count);
    return (await usedMiB()) - before;
  }

  it('does not grow with 200 endless bodies', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'e');
    const target = await receiver(({ socket, onRequest }) => {
      onRequest(() => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        pour(socket, chunk);
      });
    });
    const sender = transport();
    const growth = await growthMiB(200, async () => {
      expect((await post(sender, target.url)).responseBody.length).toBe(64 * 1024);
    });
    await target.allClosed();
    expect(growth).toBeLessThan(5);
  });
});
