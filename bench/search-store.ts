/** A store full of messages for the benchmark of search: calls as shops send them, received in batches, with answers. */

import { randomUUID } from 'node:crypto';
import { systemClock, systemTimers } from '../src/core/adapters/clock.ts';
import { receivedCalls } from '../src/core/ingest/received-call.ts';
import type { NewMessage } from '../src/core/model/records.ts';
import type { Sealer } from '../src/core/ports.ts';
import { openStores } from '../src/core/store/stores.ts';
import { quietLogger } from './people-store.ts';

/** Calls of a request, and requests of a transaction. */
const BATCH = 20;
const TOGETHER = 50;

/** Words that the bodies have in every message, in one of a thousand, and in one of them all. */
export const COMMON = 'Coffee grinder';
export const SOME = 'Grinder-of-the-week';
export const RARE = 'only-in-one-message';
export const ABSENT = 'in no message at all';

export function callOf(n: number, rare: boolean): Record<string, unknown> {
  const at = new Date(1.75e12 + n * 50).toISOString();
  const ids = { messageId: randomUUID(), anonymousId: randomUUID(), userId: `usr_${(n * 7_919) % 100_000}` };
  const name = n % 1_000 === 7 ? SOME : COMMON;
  const page = { url: `https://shop.example/p/${(n * 31) % 5_000}`, referrer: 'https://search.example/' };
  return {
    type: 'track',
    event: 'Order Completed',
    ...ids,
    timestamp: at,
    context: { library: { name: 'analytics-node', version: '2.3.0' }, ip: '203.0.113.7', page },
    properties: {
      orderId: `A-${n * 31}`,
      total: (n % 900) / 10,
      currency: 'EUR',
      products: [{ sku: `S-${n % 1_000}`, name }],
    },
    ...(rare && { note: RARE }),
  };
}

function messageOf(call: Record<string, unknown>, position: number): NewMessage {
  const wire = Buffer.from(JSON.stringify({ ...call, receivedAt: call.timestamp, version: 2 }));
  return {
    messageId: String(call.messageId),
    position,
    origin: 'sdk',
    type: 'track',
    name: String(call.event),
    userId: String(call.userId),
    anonymousId: String(call.anonymousId),
    state: 'not_selected',
    reason: 'destination_off',
    reasonDetail: null,
    size: wire.length,
    notes: [],
    wire,
  };
}

/** Returns the seconds that it took. The rare word is in the middle. */
export async function fillSearchStore(folder: string, sealer: Sealer, total: number): Promise<number> {
  const startedAt = performance.now();
  const store = openStores({
    workspace: folder,
    clock: systemClock,
    timers: systemTimers,
    sealer,
    logger: quietLogger,
    receivedCalls,
  });
  for (let from = 0; from < total; from += BATCH * TOGETHER) {
    const requests = Array.from({ length: TOGETHER }, (_, r) => {
      const first = from + r * BATCH;
      const calls = Array.from({ length: BATCH }, (__, i) => callOf(first + i, first + i === Math.floor(total / 2)));
      const body = Buffer.from(JSON.stringify({ batch: calls, sentAt: calls[0]!.timestamp }));
      const request = {
        receivedAt: Date.now(),
        method: 'POST',
        path: '/v1/batch',
        headers: [],
        body,
        encoding: null,
        decodedBytes: body.length,
        writeKey: 'bench',
        sourceId: 1,
        status: 200,
        code: null,
      };
      return store.ports.ingest.storeRequest({ request, messages: calls.map(messageOf), dedupe: false, dueAt: 0 });
    });
    await Promise.all(requests);
  }
  store.close();
  return (performance.now() - startedAt) / 1_000;
}
