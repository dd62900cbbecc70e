/** How large calls and requests may be, and what is answered beyond that. */
import { Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_CALL_BYTES, MAX_CALLS, MAX_REQUEST_BYTES } from '../../src/core/model/call.ts';
import { type Running, send, sendJson, startIngest, stopAll, track } from '../helpers/ingest-http.ts';
import { basic, KEY } from '../helpers/ingest-parts.ts';

let ingest: Running;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(stopAll);

/** Made piece by piece, so that the test itself stays small. */
async function gzipOfZeros(megabytes: number): Promise<Buffer> {
  const gzip = createGzip();
  const megabyte = Buffer.alloc(1024 * 1024);
  const source = Readable.from(Array.from({ length: megabytes }, () => megabyte));
  return Buffer.concat(await source.pipe(gzip).toArray());
}

describe('limits', () => {
  const callOf = (bytes: number) => {
    const call = { userId: 'u', event: 'E', pad: '' };
    return { ...call, pad: 'x'.repeat(bytes - JSON.stringify(call).length) };
  };
  it.each([
    [MAX_CALL_BYTES - 1, 200],
    [MAX_CALL_BYTES, 200],
    [MAX_CALL_BYTES + 1, 400],
  ])('a call of %i bytes is answered %i', async (bytes, status) => {
    const answer = await sendJson(ingest.port, '/v1/track', callOf(bytes));
    expect(answer.status).toBe(status);
    expect(ingest.store.messages).toMatchObject([{ size: bytes, state: status === 200 ? 'queued' : 'rejected' }]);
    if (status === 400) {
      expect(answer.json).toMatchObject({
        code: 'call_too_large',
        message: 'This call is 32.1 KB. The limit is 32 KB per call.',
      });
      expect(ingest.store.messages[0]).toMatchObject({ reason: 'call_too_large', reasonDetail: '32.1 KB' });
    }
  });

  it('the size of a call does not count its spaces', async () => {
    const body = JSON.stringify(callOf(MAX_CALL_BYTES), null, 8);
    expect(body.length).toBeGreaterThan(MAX_CALL_BYTES);
    expect((await send(ingest.port, { path: '/v1/track', body })).status).toBe(200);
  });

  it('the other calls of a batch with an over-size one are kept', async () => {
    const batch = [track(), { type: 'track', ...callOf(MAX_CALL_BYTES) }, track()];
    const answer = await sendJson(ingest.port, '/v1/batch', { batch });
    expect([answer.status, answer.json.code]).toEqual([400, 'call_too_large']);
    expect(answer.json.message).toMatch(/^Call 2 of 3: This call is 32\.1 KB\./);
    expect(ingest.store.messages.map(({ state }) => state)).toEqual(['queued', 'rejected', 'queued']);
  });

  const bodyOf = (bytes: number) => {
    const head = `{"batch":[${JSON.stringify(track())}]`;
    return `${head}${' '.repeat(bytes - head.length - 1)}}`;
  };
  it.each([
    [MAX_REQUEST_BYTES - 1, 200],
    [MAX_REQUEST_BYTES, 200],
    [MAX_REQUEST_BYTES + 1, 400],
  ])('a request of %i bytes is answered %i, plain, chunked and after inflating', async (bytes, status) => {
    const body = bodyOf(bytes);
    const gzip = { Authorization: basic(KEY), 'Content-Encoding': 'gzip' };
    const plain = await send(ingest.port, { body });
    const chunked = await send(ingest.port, { body, chunked: true });
    const zipped = await send(ingest.port, { body: gzipSync(body), headers: gzip });
    expect([plain.status, chunked.status, zipped.status]).toEqual([status, status, status]);
    const states = ingest.store.messages.map(({ state, reason, reasonDetail }) => [state, reason, reasonDetail]);
    if (status === 200) expect(states).toEqual([1, 2, 3].map(() => ['queued', null, null]));
    else {
      expect(plain.json.message).toBe(
        "This batch is 501 KB. The limit is 500 KB per batch. Lower the SDK's flush size.",
      );
      expect(states).toEqual([
        ['rejected', 'batch_too_large', '501 KB'],
        ['rejected', 'batch_too_large', 'over 500 KB'],
        ['rejected', 'batch_too_large', 'over 500 KB'],
      ]);
    }
  });

  it.each([
    [MAX_CALLS - 1, 'segment', 200, 'queued', MAX_CALLS - 1],
    [MAX_CALLS, 'segment', 200, 'queued', MAX_CALLS],
    [MAX_CALLS + 1, 'segment', 400, 'rejected', 1],
    [MAX_CALLS + 1, 'strict', 400, 'rejected', 1],
  ] as const)('%i calls in %s mode are answered %i and %s', async (count, mode, status, state, rows) => {
    ingest.settings = { ...ingest.settings, mode };
    const batch = Array.from({ length: count }, () => track());
    expect((await sendJson(ingest.port, '/v1/batch', { batch })).status).toBe(status);
    expect(ingest.store.messages).toHaveLength(rows);
    expect(ingest.store.messages[0]).toMatchObject({ state });
    if (state === 'rejected') expect(ingest.store.messages[0]?.reasonDetail).toBe('2,501 calls');
  });

  it('a gzip bomb of 1 GB costs no memory and no time', async () => {
    const bomb = await gzipOfZeros(1024);
    const before = process.memoryUsage().rss;
    const cpuBefore = process.cpuUsage();
    const headers = [
      ['Host', 'localhost'],
      ['Content-Encoding', 'gzip'],
    ] as const;
    const request = { method: 'POST', target: '/v1/batch', headers, body: bomb, remote: null };
    expect((await ingest.ingest.handle(request)).status).toBe(400);
    const { user, system } = process.cpuUsage(cpuBefore);
    expect((user + system) / 1_000).toBeLessThan(500);
    expect(process.memoryUsage().rss - before).toBeLessThan(16 * 1024 * 1024);
    // Over the socket it is refused before it is read to its end.
    const answer = await send(ingest.port, { body: bomb, headers: { 'Content-Encoding': 'gzip' } });
    expect([answer.status, answer.json.code]).toEqual([400, 'batch_too_large']);
  });
});
