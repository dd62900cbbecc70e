import { Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_CALL_BYTES, MAX_CALLS, MAX_REQUEST_BYTES } from '../../src/core/model/call.ts';
import { Agent, type Running, send, sendJson, startIngest, stopAll, track } from '../helpers/ingest-http.ts';
import { basic, KEY, notWritable, sourceWith, textOf } from '../helpers/ingest-parts.ts';

let ingest: Running;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(stopAll);

const SUCCESS = '{"success":true}';

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
    expect(answer.body.toString()).toBe(SUCCESS);
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
    expect((await sendJson(ingest.port, '/v1/t', track({ event: 'Held' }), { headers })).body.toString()).toBe(SUCCESS);
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

describe('a batch with bad calls', () => {
  const batch = [
    track(),
    5,
    track({ event: '' }),
    { type: 'page' },
    track({ timestamp: 'x' }),
    track({ event: 'Last' }),
  ];
  it.each([
    ['segment', 200, undefined],
    ['strict', 400, 'Call 2 of 6: The call is not a JSON object.'],
  ] as const)('keeps the good ones and records the others (%s mode: %i)', async (mode, status, message) => {
    ingest.settings = { ...ingest.settings, mode };
    const answer = await sendJson(ingest.port, '/v1/batch', { batch });
    expect([answer.status, answer.json.message]).toEqual([status, message]);
    expect(ingest.store.messages.map(({ reason }) => reason)).toEqual([
      null,
      'not_an_object',
      'event_not_defined',
      'no_user_anon_id',
      'bad_timestamp',
      null,
    ]);
    expect(ingest.answered[0]).toMatchObject({ calls: 6, rejected: 4 });
  });
});

describe('a body that holds no call', () => {
  const deep = (levels: number) => `{"properties":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  it.each([
    ['malformed JSON', '{"a":\n1,}', 400, 'invalid_json', 'invalid_json', 'Unexpected token at line 2, column 3.'],
    ['nothing', '', 400, 'invalid_json', 'invalid_json', 'The body is empty.'],
    [
      'invalid UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      400,
      'invalid_json',
      'invalid_json',
      'The body is not valid UTF-8.',
    ],
    ['a byte order mark', '\ufeff{}', 400, 'invalid_json', 'invalid_json', 'The body starts with a byte order mark.'],
    ['513 levels', deep(513), 400, 'invalid_json', 'invalid_json', 'The body nests deeper than 512 levels.'],
    ['null', 'null', 400, 'not_an_object', 'not_an_object', 'The body is not a JSON object.'],
    ['an array', '[]', 400, 'not_an_object', 'not_an_object', 'The body is not a JSON object.'],
    ['text', '"x"', 400, 'not_an_object', 'not_an_object', 'The body is not a JSON object.'],
    ['a batch that is no array', '{"batch":{}}', 400, 'not_an_object', 'not_an_object', 'The batch is not an array.'],
    ['a batch of null', '{"batch":null}', 200, undefined, 'empty_batch', null],
    ['an empty batch', '{"batch":[]}', 200, undefined, 'empty_batch', null],
    ['no batch', '{}', 200, undefined, 'empty_batch', null],
  ])('%s', async (_, body, status, code, reason, reasonDetail) => {
    const answer = await send(ingest.port, { body });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    if (status !== 200) expect(answer.json).toMatchObject({ success: false, error: answer.json.message });
    expect(ingest.store.kept[0]).toMatchObject({
      request: { status, sourceId: 1, writeKey: KEY, code: code ?? null },
      messages: [{ type: 'unknown', state: 'rejected', reason, reasonDetail, wire: null }],
    });
    expect(ingest.answered).toEqual([{ status, code: code ?? null, calls: 1, rejected: 1 }]);
  });

  it('512 levels are a call', async () => {
    const answer = await send(ingest.port, { path: '/v1/page', body: deep(512).replace('{', '{"userId":"u","x":1,') });
    expect(answer.status).toBe(200);
    expect(ingest.store.messages[0]?.reason).toBe('properties_not_object');
  });

  it.each(['br', 'gzip, gzip', 'zstd'])('Content-Encoding %s is 415', async (encoding) => {
    const answer = await send(ingest.port, {
      body: 'x',
      headers: { Authorization: basic(KEY), 'Content-Encoding': encoding },
    });
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_encoding']);
    expect(ingest.store.messages).toMatchObject([{ state: 'rejected' }]);
  });

  it('damaged gzip is 400', async () => {
    const headers = { Authorization: basic(KEY), 'Content-Encoding': 'gzip' };
    const answer = await send(ingest.port, { body: '{"batch":[]}', headers });
    expect([answer.status, answer.json.message]).toEqual([
      400,
      'The body is not valid JSON. The gzip data is damaged.',
    ]);
  });
});

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

  it.each([
    ['server', {}],
    ['web', { ip: '127.0.0.1' }],
    ['mobile', { ip: '127.0.0.1' }],
  ] as const)('a call of a %s source without a context is delivered with %j', async (kind, context) => {
    ingest.sources[0] = sourceWith({ kind });
    await sendJson(ingest.port, '/v1/track', track());
    await sendJson(ingest.port, '/v1/track', track({ context: { locale: 'de' } }));
    expect(ingest.store.messages.map(({ wire }) => JSON.parse(textOf(wire)).context)).toEqual([
      context,
      { locale: 'de' },
    ]);
  });

  it('timestamps of a wrong clock are corrected on every path but /v1/import', async () => {
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
