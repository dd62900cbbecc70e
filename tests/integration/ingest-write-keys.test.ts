/** Which source a request belongs to, and what becomes of one whose key has none. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Running, send, sendJson, startIngest, stopAll, track } from '../helpers/ingest-http.ts';
import { basic, KEY, sourceWith, textOf } from '../helpers/ingest-parts.ts';

let ingest: Running;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(stopAll);

describe('the write key', () => {
  beforeEach(() => {
    ingest.sources.push(sourceWith({ id: 2, writeKey: 'wk_2' }), sourceWith({ id: 3, writeKey: 'wk_3' }));
  });
  const call = (key?: string) => track(key === undefined ? {} : { writeKey: key });
  it.each([
    ['Basic before the body', basic(KEY), { writeKey: 'wk_2', batch: [call('wk_3')] }, 1],
    ['Basic without a colon', `Basic ${Buffer.from(KEY).toString('base64')}`, { batch: [call()] }, 1],
    ['the body when Basic is empty', basic(''), { writeKey: 'wk_2', batch: [call('wk_3')] }, 2],
    ['the body with a Bearer token', 'Bearer tok', { writeKey: 'wk_2', batch: [call('wk_3')] }, 2],
    ['the first call', null, { batch: [call('wk_3'), call('wk_2')] }, 3],
    ['the first call when the body has an empty one', null, { writeKey: '', batch: [call('wk_3')] }, 3],
    ['none', null, { batch: [call(), call('wk_2')] }, null],
    ['one that is no text', null, { writeKey: 5, batch: [call()] }, null],
  ] as const)('%s', async (_, authorization, body, sourceId) => {
    const headers: Record<string, string> = authorization === null ? {} : { Authorization: authorization };
    expect((await sendJson(ingest.port, '/v1/batch', body, { headers })).status).toBe(200);
    expect(ingest.store.kept[0]?.request.sourceId).toBe(sourceId);
  });
});

describe('an unknown write key', () => {
  const headers = { Authorization: basic('wk_x91') };

  it('is answered 200 and kept as rejected, request and all', async () => {
    expect((await sendJson(ingest.port, '/v1/t', track({ event: 'Held' }), { headers })).body.toString()).toBe(
      '{"success":true}',
    );
    expect(ingest.store.kept[0]).toMatchObject({
      request: { writeKey: 'wk_x91', sourceId: null, status: 200 },
      messages: [{ name: 'Held', state: 'rejected', reason: 'unknown_source', reasonDetail: 'wk_x91', wire: null }],
    });
    expect(ingest.answered).toEqual([{ status: 200, code: null, calls: 1, rejected: 1 }]);
  });

  it('is 401 in strict mode', async () => {
    ingest.settings = { ...ingest.settings, mode: 'strict' };
    const answer = await sendJson(ingest.port, '/v1/t', track(), { headers });
    expect([answer.status, answer.json.code]).toEqual([401, 'unknown_source']);
    expect(answer.json.message).toBe('No source has the write key wk_x91. Copy the key from Sources.');
    expect(ingest.store.messages).toMatchObject([{ reason: 'unknown_source' }]);
  });

  it('can be ingested again when it has a source, as received then', async () => {
    const batch = [track({ event: 'A', timestamp: '2026-11-20T17:32:00Z' }), track({ event: undefined })];
    const body = gzipSync(JSON.stringify({ batch, sentAt: '2026-11-20T17:33:00Z' }));
    await send(ingest.port, { body, headers: { ...headers, 'Content-Encoding': 'gzip' } });
    const held = ingest.store.kept[0]!.request;
    ingest.now += 86_400_000;
    expect(await ingest.ingest.reingest(held)).toBeNull();
    expect(ingest.store.kept).toHaveLength(1);
    ingest.sources.push(sourceWith({ id: 9, writeKey: 'wk_x91' }));
    const again = await ingest.ingest.reingest(held);
    expect(again?.messages.map(({ state, reason }) => [state, reason])).toEqual([
      ['queued', null],
      ['rejected', 'event_not_defined'],
    ]);
    expect(JSON.parse(textOf(again!.messages[0]!.wire)).timestamp).toBe('2026-11-20T17:32:00.000Z');
    expect(ingest.store.kept[1]?.request).toMatchObject({
      sourceId: 9,
      receivedAt: held.receivedAt,
      path: '/v1/batch',
    });
    expect(ingest.observed.at(-1)?.messages).toHaveLength(2);
  });

  it('makes one source when any key is accepted, even for requests at once', async () => {
    ingest.settings = { ...ingest.settings, acceptAnyKey: true };
    let make = () => {};
    ingest.sourceGate = new Promise((resolve) => {
      make = resolve;
    });
    const body = Buffer.from(JSON.stringify(track({ writeKey: 'wk_x91' })));
    const one = { method: 'POST', target: '/v1/t', headers: [['Host', 'localhost']], body, remote: null } as const;
    const answers = [1, 2, 3].map(() => ingest.ingest.handle(one));
    make();
    expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(ingest.made).toEqual(['wk_x91']);
    expect(ingest.store.messages.map((message) => message.state)).toEqual(['queued', 'queued', 'queued']);
    expect((await sendJson(ingest.port, '/v1/t', track(), { headers })).status).toBe(200);
    expect(ingest.made).toEqual(['wk_x91']);
  });

  it.each([`k${'x'.repeat(200)}`, 'a b', 'é'])('makes no source for %j', async (writeKey) => {
    ingest.settings = { ...ingest.settings, acceptAnyKey: true };
    await sendJson(ingest.port, '/v1/t', track({ writeKey }), { headers: {} });
    expect(ingest.made).toEqual([]);
    expect(ingest.store.messages).toMatchObject([{ reason: 'unknown_source' }]);
    expect(ingest.store.kept[0]?.request.writeKey).toBe(writeKey.slice(0, 200));
  });

  it('keeps the call when no more sources can be made', async () => {
    ingest.settings = { ...ingest.settings, acceptAnyKey: true };
    ingest.made.push(...Array.from({ length: 50 }, () => 'x'));
    expect((await sendJson(ingest.port, '/v1/t', track(), { headers })).status).toBe(200);
    expect(ingest.store.messages).toMatchObject([{ reason: 'unknown_source' }]);
  });
});

describe('a source that is off', () => {
  it.each([
    ['segment', 200],
    ['strict', 401],
  ] as const)('rejects its calls (%s mode: %i)', async (mode, status) => {
    ingest.settings = { ...ingest.settings, mode };
    ingest.sources.splice(0, 1, sourceWith({ enabled: false }));
    expect((await sendJson(ingest.port, '/v1/t', track())).status).toBe(status);
    expect(ingest.store.kept[0]).toMatchObject({
      request: { sourceId: 1 },
      messages: [{ state: 'rejected', reason: 'source_disabled', reasonDetail: 'checkout-api' }],
    });
  });
});
