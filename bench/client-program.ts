/**
 * The same program over either library, in a process of its own: so many track calls of about 330 B as JSON, a turn
 * of the event loop after every thousand, then close. Tells the time spent in the calls and its peak memory.
 */
import { readFileSync } from 'node:fs';
import type { Client } from '../src/client/index.ts';

const [library, endpoint, count] = process.argv.slice(2) as ['hookbench' | 'analytics-node', string, string];
const CALLS = Number(count);
const TURN = 1_000;

interface Library {
  /** False: not taken now. */
  track(message: Parameters<Client['track']>[0]): boolean;
  /** Resolves when calls are taken again. */
  room(): Promise<unknown>;
  close(): Promise<unknown>;
}

/** Only the one that is measured is loaded. */
const libraries: Record<typeof library, () => Promise<Library>> = {
  hookbench: async () => {
    const { Client } = await import('../src/client/index.ts');
    const client = new Client('bench', { endpoint, logger: () => {} });
    return {
      track: (message) => client.track(message) === null,
      room: () => client.flush(),
      close: async () => {
        const { lost } = await client.close();
        if (lost > 0) throw new Error(`${lost} messages lost`);
      },
    };
  },
  'analytics-node': async () => {
    const { Analytics } = await import('@segment/analytics-node');
    const analytics = new Analytics({ writeKey: 'bench', host: endpoint, flushAt: 20, flushInterval: 5_000 });
    analytics.on('error', ({ code, reason }) => {
      throw new Error(`${code}: ${String(reason)}`);
    });
    return {
      track: (message) => {
        analytics.track(message as Parameters<typeof analytics.track>[0]);
        return true;
      },
      room: () => Promise.resolve(),
      close: () => analytics.closeAndFlush({ timeout: 600_000 }),
    };
  },
};

const note = 'x'.repeat(60);
const messageOf = (n: number) => ({
  userId: `usr_${n % 997}`,
  event: 'Order Completed',
  properties: { n, orderId: `A-${n}`, total: 184.5, currency: 'EUR', coupon: 'WINTER & CO', items: 3, note },
  context: { ip: '203.0.113.24', locale: 'de-AT' },
});

const peakMb = (): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

const sender = await libraries[library]();
const startedAt = performance.timeOrigin + performance.now();
let inCallsMs = 0;
for (let n = 0; n < CALLS; ) {
  const from = performance.now();
  let taken = true;
  const end = Math.min(CALLS, n + TURN);
  while (n < end) {
    taken = sender.track(messageOf(n));
    if (!taken) break;
    n += 1;
  }
  inCallsMs += performance.now() - from;
  if (!taken) await sender.room();
  await new Promise((resolve) => setImmediate(resolve));
}
await sender.close();
const { user, system } = process.cpuUsage();
process.send!({ startedAt, inCallsMs, peakMb: peakMb(), cpuSeconds: (user + system) / 1e6 });
process.disconnect();
