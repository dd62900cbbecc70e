/** A store full of stored calls for the benchmarks of people: made through the port that ingest uses. */

import { systemClock, systemTimers } from '../src/core/adapters/clock.ts';
import { receivedCalls } from '../src/core/ingest/received-call.ts';
import type { NewMessage } from '../src/core/model/records.ts';
import type { Sealer } from '../src/core/ports.ts';
import { openStores } from '../src/core/store/stores.ts';

export const KEY = 'bench';
export const DAY = 86_400_000;
export const quietLogger = { log: () => {} };
const BATCH = 2_500;

export interface StoreToFill {
  readonly folder: string;
  readonly sealer: Sealer;
  readonly messages: number;
  readonly people: number;
}

/**
 * A tenth identify, a fifth `Order Completed`, the rest other track calls. The shift from pass to pass gives each user
 * calls of every kind; without it, whoever identifies would never order.
 */
function messageOf(n: number, at: number, people: number): NewMessage {
  const userId = `usr_${(n * 7_919 + Math.floor(n / people) * 3) % people}`;
  const timestamp = new Date(at).toISOString();
  const base = { messageId: `m-${n}`, position: n % BATCH, origin: 'sdk', userId, anonymousId: null } as const;
  const rest = { state: 'not_selected', reason: 'destination_off', reasonDetail: null, size: 500, notes: [] } as const;
  const wire = (body: object): Uint8Array => Buffer.from(JSON.stringify({ ...body, userId, timestamp, version: 1 }));
  if (n % 10 === 0) {
    const traits = {
      name: `Person ${n}`,
      plan: ['free', 'pro'][n % 3 === 0 ? 1 : 0],
      email: `${n}@x.example`,
      seats: n % 50,
    };
    const address = { country: ['AT', 'DE', 'FR', 'IT', 'US'][n % 7 < 5 ? n % 7 : 4] };
    return {
      ...base,
      ...rest,
      type: 'identify',
      name: '',
      wire: wire({ type: 'identify', traits: { ...traits, address } }),
    };
  }
  const event = ['Order Completed', 'Product Viewed', 'Product Viewed', 'Cart Viewed'][n % 4]!;
  const properties = { total: n % 90, currency: 'EUR', orderId: `A-${n}`, note: 'x'.repeat(300) };
  return { ...base, ...rest, type: 'track', name: event, wire: wire({ type: 'track', event, properties }) };
}

/** Stores messages of the last 14 days. Returns the seconds that it took. */
export async function fillStore({ folder, sealer, messages: total, people }: StoreToFill): Promise<number> {
  const startedAt = performance.now();
  const logger = quietLogger;
  const store = openStores({
    workspace: folder,
    clock: systemClock,
    timers: systemTimers,
    sealer,
    logger,
    receivedCalls,
  });
  const now = Date.now();
  for (let from = 0; from < total; from += BATCH) {
    const receivedAt = Math.round(now - 14 * DAY * (1 - from / total));
    const messages = Array.from({ length: Math.min(BATCH, total - from) }, (_, i) =>
      messageOf(from + i, receivedAt, people),
    );
    const request = {
      receivedAt,
      method: 'POST',
      path: '/v1/batch',
      headers: [],
      body: Buffer.from('{}'),
      encoding: null,
      decodedBytes: 2,
      writeKey: KEY,
      sourceId: 1,
      status: 200,
      code: null,
    };
    await store.ports.ingest.storeRequest({ request, messages, dedupe: false, dueAt: receivedAt });
  }
  store.close();
  return (performance.now() - startedAt) / 1_000;
}
