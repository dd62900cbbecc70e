/** Requests with good calls: how they are read, stored and answered. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Agent, type Running, send, sendJson, startIngest, stopAll, track } from '../helpers/ingest-http.ts';
import { basic, KEY, notWritable, sourceWith, textOf } from '../helpers/ingest-parts.ts';

let ingest: Running;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(stopAll);

describe('a request with a good call', () => {
  it.each([
    ['/v1/track', 'track'],
    ['/v1/t', 'track'],
    ['/v1/track/', 'track'],
    ['//v1/t', 'track'],
    ['/v1/identify', 'identify'],
    ['/v1/i', 'identify'],
    ['/v1/page', 'page'],
    ['/v1/p', 'page'],
    ['/v1/screen', 'screen'],
    ['/v1/s', 'screen'],
    ['/v1/group', 'group'],
    ['/v1/g', 'group'],
    ['/v1/alias', 'alias'],
    ['/v1/a', 'alias'],
  ])('POST %s stores one %s, whatever the body says of its type', async (path, type) => {
    const call = { userId: 'u', event: 'E', groupId: 'g', previousId: 'p', type: 'screen' };
    const answer = await sendJson(ingest.port, path, call);
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toBe('{"success":true}');
    expect(answer.headers['content-type']).toBe('application/json');
    expect(ingest.store.messages).toMatchObject([{ type, state: 'queued', position: 0 }]);
  });

  it.each(['/v1/batch', '/v1/batch/', '//v1/batch', '/v1/import', '/v1/import/', '/v1/b', '/v1/batch?x=1'])(
    'POST %s stores a batch in its order',
    async (path) => {
      const batch = [track({ event: 'A' }), { type: 'page', anonymousId: 'a', name: 'Home' }, track({ event: 'B' })];
      expect((await sendJson(ingest.port, path, { batch })).status).toBe(200);
      expect(ingest.store.messages.map(({ name, position }) => [name, position])).toEqual([
        ['A', 0],
        ['Home', 1],
        ['B', 2],
      ]);
    },
  );

  it.each([
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=UTF-8',
    null,
  ])('is read as JSON with Content-Type %s', async (type) => {
    const headers = { Authorization: basic(KEY), ...(type === null ? {} : { 'Content-Type': type }) };
    expect((await sendJson(ingest.port, '/v1/t', track(), { headers })).status).toBe(200);
    expect(ingest.store.messages[0]?.state).toBe('queued');
  });

  it('is kept with the bytes and headers as they came', async () => {
    const body = '{ "userId" : "u",  "event":"\\u00e9" }';
    await send(ingest.port, { path: '/v1/track?a=b', body });
    const { request } = ingest.store.kept[0]!;
    expect(textOf(request.body)).toBe(body);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/track?a=b',
      receivedAt: ingest.now,
      encoding: null,
      decodedBytes: body.length,
      writeKey: KEY,
      sourceId: 1,
      status: 200,
      code: null,
    });
    expect(request.headers).toContainEqual(['Authorization', basic(KEY)]);
  });

  it('is read from gzip and from chunks', async () => {
    const body = gzipSync(JSON.stringify({ batch: [track({ event: 'Zipped' })] }));
    const headers = { Authorization: basic(KEY), 'Content-Encoding': 'gzip' };
    expect((await send(ingest.port, { body, headers, chunked: true })).status).toBe(200);
    expect(ingest.store.messages[0]?.name).toBe('Zipped');
    expect(ingest.store.kept[0]?.request).toMatchObject({ encoding: 'gzip' });
    expect(Buffer.from(ingest.store.kept[0]!.request.body)).toEqual(body);
  });

  it('is answered only after the store has committed it', async () => {
    let commit = () => {};
    ingest.store.gate = new Promise((resolve) => {
      commit = resolve;
    });
    let answered = false;
    const answer = sendJson(ingest.port, '/v1/t', track()).then((value) => {
      answered = true;
      return value;
    });
    // Another request goes through meanwhile, so that the first one had every chance to be answered.
    await send(ingest.port, { method: 'GET', path: '/health' });
    expect(answered).toBe(false);
    commit();
    expect((await answer).status).toBe(200);
  });

  it('tells the observer, duplicates marked', async () => {
    await sendJson(ingest.port, '/v1/t', track({ messageId: 'm' }));
    await sendJson(ingest.port, '/v1/t', track({ messageId: 'm' }));
    expect(ingest.observed.map(({ ids }) => ids)).toEqual([
      [{ id: 1, duplicate: false }],
      [{ id: 1, duplicate: true }],
    ]);
    expect(ingest.answered).toEqual([
      { status: 200, code: null, calls: 1, rejected: 0 },
      { status: 200, code: null, calls: 1, rejected: 0 },
    ]);
    ingest.settings = { ...ingest.settings, dedupe: false };
    await sendJson(ingest.port, '/v1/t', track({ messageId: 'm' }));
    expect(ingest.store.kept.map((kept) => kept.dedupe)).toEqual([true, true, false]);
  });

  it('uses one connection for many requests', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number>();
    for (let count = 0; count < 5; count += 1) {
      ports.add((await sendJson(ingest.port, '/v1/t', track(), { agent })).localPort);
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });
});

describe('a store that cannot be written', () => {
  it('is 503 with Retry-After, and the calls are not reported as stored', async () => {
    ingest.store.failure = notWritable();
    const answer = await sendJson(ingest.port, '/v1/t', track());
    expect([answer.status, answer.json.code, answer.headers['retry-after']]).toEqual([503, 'store_not_writable', '5']);
    expect(ingest.observed).toEqual([]);
    expect(ingest.answered).toEqual([{ status: 503, code: 'store_not_writable', calls: 1, rejected: 0 }]);
    ingest.store.failure = null;
    expect((await sendJson(ingest.port, '/v1/t', track())).status).toBe(200);
  });

  it('is 503 for an empty batch too, but a malformed body stays 400', async () => {
    ingest.store.failure = notWritable();
    expect((await send(ingest.port, { body: '{"batch":null}' })).status).toBe(503);
    expect((await send(ingest.port, { body: '{' })).status).toBe(400);
  });

  it('never says 200 when the store fails in another way', async () => {
    ingest.store.failure = new Error('unexpected');
    const answer = await sendJson(ingest.port, '/v1/t', track());
    expect([answer.status, answer.json.code]).toEqual([500, 'internal']);
  });
});

describe('calls that are not selected', () => {
  it.each([
    [{ integrations: { All: false } }, {}, 'integrations_all_off'],
    [{ integrations: { Webhooks: false } }, {}, 'integrations_off'],
    [{}, { enabled: false }, 'destination_off'],
    [{}, { webhookCount: 0 }, 'no_webhook'],
  ])('%j with %j are stored with their body and the reason %s', async (call, destination, reason) => {
    ingest.destinationNow = { ...ingest.destinationNow, ...destination };
    expect((await sendJson(ingest.port, '/v1/t', track(call))).status).toBe(200);
    expect(ingest.store.messages).toMatchObject([{ state: 'not_selected', reason }]);
    expect(ingest.store.messages[0]?.wire).not.toBeNull();
  });
});

describe('the delivered body', () => {
  it.each([
    ['server', {}],
    ['web', { ip: '127.0.0.1' }],
    ['mobile', { ip: '127.0.0.1' }],
  ] as const)('of a call of a %s source without a context has the context %j', async (kind, context) => {
    ingest.sources[0] = sourceWith({ kind });
    await sendJson(ingest.port, '/v1/track', track());
    await sendJson(ingest.port, '/v1/track', track({ context: { locale: 'de' } }));
    expect(ingest.store.messages.map(({ wire }) => JSON.parse(textOf(wire)).context)).toEqual([
      context,
      { locale: 'de' },
    ]);
  });

  it('has a corrected timestamp where the clock was wrong, on every path but /v1/import', async () => {
    const timestamp = '2026-11-20T10:00:00.000Z';
    const sentAt = '2026-11-20T16:33:00.000Z';
    for (const path of ['/v1/batch', '/v1/b', '/v1/import'])
      await sendJson(ingest.port, path, { batch: [track({ timestamp })], sentAt });
    await sendJson(ingest.port, '/v1/track', track({ timestamp, sentAt }));
    const corrected = '2026-11-20T11:00:00.000Z';
    expect(ingest.store.messages.map(({ wire }) => JSON.parse(textOf(wire)).timestamp)).toEqual([
      corrected,
      corrected,
      timestamp,
      corrected,
    ]);
  });
});
