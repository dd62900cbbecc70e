/** Which requests outlive their page: browsers allow a page 64 KiB of them at one time. */
import { expect, it } from 'vitest';
import { addCall, type Batch, emptyBatch } from '../../../src/client/batch.ts';
import { defaults, KEEPALIVE_BYTES } from '../../../src/client/limits.ts';
import { Outbox } from '../../../src/client/outbox.ts';
import type { FetchAnswer } from '../../../src/client/types.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

const answer = (status: number): FetchAnswer => ({ status, headers: { get: () => null }, body: null });

interface Sent {
  readonly keepalive: boolean;
  readonly bytes: number;
  end(status: number | 'network'): void;
}

/** A page's outbox; each request ends when the test says so. */
function pageOutbox(concurrency: number) {
  const time = new SimTime();
  const sent: Sent[] = [];
  let settled = 0;
  const outbox = new Outbox({
    url: () => 'http://page.test/v1/batch',
    headers: {},
    clock: time,
    timers: time,
    rules: defaults,
    timeoutMs: 10_000,
    concurrency,
    isBrowser: true,
    newId: () => 'id',
    onSettled: () => {
      settled += 1;
    },
    debug: () => {},
    fetch: (_, { body, keepalive }) =>
      new Promise((resolve, reject) => {
        const end = (status: number | 'network'): void =>
          status === 'network' ? reject(new TypeError('fetch failed')) : resolve(answer(status));
        sent.push({ keepalive, bytes: body.length, end });
      }),
  });
  return { outbox, time, sent, settled: () => settled };
}

function batchOf(bytes: number, order: number): Batch {
  const batch = emptyBatch(`batch-${order}`, order);
  const json = `"${'x'.repeat(bytes - batch.bytes - 2)}"`;
  addCall(batch, json, json.length);
  return batch;
}

it('the bytes of a request that has ended are given back, however it ended', async () => {
  const { outbox, time, sent, settled } = pageOutbox(1);
  const ends = [200, 400, 200, 503, 200, 200] as const;
  for (const order of [1, 2, 3, 4, 5]) outbox.add(batchOf(25_000, order));
  for (const status of ends) {
    await time.advance(0);
    expect(sent.at(-1)).toMatchObject({ keepalive: true, bytes: 25_000 });
    sent.at(-1)!.end(status);
    await time.advance(1_000);
  }
  // 150,000 bytes in all, never more than 25,000 at one time.
  expect([sent.length, settled()]).toEqual([6, 5]);
});

it('at one time no more are on their way than a page may have; what is over goes as an ordinary request', async () => {
  const { outbox, time, sent } = pageOutbox(3);
  outbox.add(batchOf(30_000, 1));
  outbox.add(batchOf(30_000, 2));
  outbox.add(batchOf(2_000, 3));
  await time.advance(0);
  expect(sent.map(({ keepalive }) => keepalive)).toEqual([true, true, false]);
  expect(30_000 * 2).toBe(KEEPALIVE_BYTES);
  // The end of an ordinary request makes no room.
  sent[2]!.end(200);
  await time.advance(0);
  outbox.add(batchOf(2_000, 3));
  await time.advance(0);
  expect(sent.at(-1)?.keepalive).toBe(false);
  sent[0]!.end(200);
  await time.advance(0);
  outbox.add(batchOf(30_000, 4));
  await time.advance(0);
  expect(sent.at(-1)?.keepalive).toBe(true);
});

it('a retry of one that got no answer goes as an ordinary request', async () => {
  const { outbox, time, sent } = pageOutbox(1);
  outbox.add(batchOf(25_000, 1));
  await time.advance(0);
  sent[0]!.end('network');
  await time.advance(200);
  expect(sent.map(({ keepalive }) => keepalive)).toEqual([true, false]);
});
